package main

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/fourinarow/fourinarow/api/client"
	fourinarow "github.com/fourinarow/fourinarow/sdk/go"
)

// columns is a whole game: red wins on the bottom row.
var columns = []int{1, 1, 1, 1, 1, 1, 2, 7, 3, 7, 4}

// friends play at a private table by invitation: a game in which the service is killed and the network off, and a rematch.
func friends(ctx context.Context, w world) {
	ola, ivan := w.guest(ctx, "Ola"), w.guest(ctx, "Ivan")
	private := client.VisibilityChoicePrivate
	table := must(ola.Tables.Open(ctx, client.OpenTableRequest{Visibility: &private}))
	d := &disaster{world: w}
	var both sync.WaitGroup
	both.Go(func() { d.play(ctx, ola, table.ID) })
	both.Go(func() {
		joined := must(ivan.Tables.JoinByCode(ctx, *table.InviteCode))
		want(joined.ID == table.ID && *joined.MySeat == 2, "seat 2")
		d.play(ctx, w.client(w.url, "Ivan"), table.ID) // as after a restart of the program
	})
	both.Wait()
	want(d.lost.Load() > 0 && d.lost.Load() == d.back.Load(), "the connection was lost and came back", d.lost.Load(), d.back.Load())
}

type disaster struct {
	world world
	kill  sync.Once
	off   sync.Once

	lost, back atomic.Int32
}

// play follows a table for two games: it plays the first one and the beginning of the second, which red resigns.
func (d *disaster) play(ctx context.Context, four *fourinarow.Client, table fourinarow.UUID) {
	var last *fourinarow.Game
	var games int
	var statuses []string
	options := []fourinarow.FollowOption{
		fourinarow.OnTable(func(t *fourinarow.Table) { statuses = append(statuses, t.Status) }),
		fourinarow.OnConnection(func(connected bool) {
			if connected {
				d.back.Add(1)
			} else {
				d.lost.Add(1)
			}
		}),
	}
	for game, err := range four.FollowTable(ctx, table, options...) {
		check(err)
		want(last == nil || last.ID != game.ID || last.Version < game.Version, "versions grow")
		if last == nil || last.ID != game.ID {
			games++
		}
		last = game
		switch {
		case game.Over() && games == 1:
			want(game.Moves == "11111127374" && *game.Result.Winner == client.SideRed, "the whole game", game.Moves)
			must(four.Tables.Rematch(ctx, game))
		case game.Over():
			want(*game.Result.EndedBy == "resignation", "a resignation")
			check(four.Tables.Leave(ctx, table))
		case game.CanMove:
			d.turn(ctx, four, game, games)
		}
	}
	want(games == 2, "two games, but", games)
	want(len(statuses) > 0 && statuses[len(statuses)-1] == "closed", "a closed table", statuses)
}

func (d *disaster) turn(ctx context.Context, four *fourinarow.Client, game *fourinarow.Game, number int) {
	if number == 2 && game.Ply == 2 {
		want(must(four.Games.Resign(ctx, game.ID)).Over(), "over")
		return
	}
	switch game.Ply {
	case 4:
		d.kill.Do(func() { d.world.ask(ctx, "/restart") })
	case 8:
		d.off.Do(func() { d.world.ask(ctx, "/offline?ms=3000") })
	}
	played := must(four.Move(ctx, game, columns[game.Ply]))
	want(played.Ply > game.Ply, "a move")
}
