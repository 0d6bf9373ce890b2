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
	var lost, back atomic.Int32
	both.Go(func() { // one that only looks on is never busy repeating a move when the network goes off
		for _, err := range ola.FollowTable(ctx, table.ID, fourinarow.OnConnection(func(connected bool) {
			if connected {
				back.Add(1)
			} else {
				lost.Add(1)
			}
		})) {
			check(err)
		}
	})
	both.Go(func() { d.play(ctx, ola, table.ID) })
	both.Go(func() {
		joined := must(ivan.Tables.JoinByCode(ctx, *table.InviteCode))
		want(joined.ID == table.ID && *joined.MySeat == 2, "seat 2")
		d.play(ctx, w.client(w.url, "Ivan"), table.ID) // as after a restart of the program
	})
	both.Wait()
	want(lost.Load() > 0 && lost.Load() == back.Load(), "the connection was lost and came back", lost.Load(), back.Load())
}

type disaster struct {
	world world
	kill  sync.Once
	off   sync.Once
}

// play follows a table for two games: it plays the first one and the beginning of the second, which red resigns.
func (d *disaster) play(ctx context.Context, four *fourinarow.Client, table fourinarow.UUID) {
	var last *fourinarow.Game
	var games int
	var statuses []string
	seen := fourinarow.OnTable(func(t *fourinarow.Table) { statuses = append(statuses, t.Status) })
	for game, err := range four.FollowTable(ctx, table, seen) {
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
