package main

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/fourinarow/fourinarow/api/client"
	fourinarow "github.com/fourinarow/fourinarow/sdk/go"
)

// pair seats two at a table with these settings, and is the clients of red and yellow and their game.
func pair(ctx context.Context, w world, red, yellow string, settings *client.TableSettings) (r, y *fourinarow.Client, game fourinarow.UUID) {
	r, y = w.guest(ctx, red), w.guest(ctx, yellow)
	public := client.VisibilityChoicePublic
	opened := must(r.Tables.Open(ctx, client.OpenTableRequest{Visibility: &public, Settings: settings}))
	return r, y, *must(y.Tables.Join(ctx, opened.ID)).CurrentGameID
}

// away puts a phone down in its turn: the CPU plays until it comes back.
func away(ctx context.Context, w world) {
	red, yellow, id := pair(ctx, w, "Asa", "Bo", nil)
	game := must(red.Games.Get(ctx, id))
	must(red.Tables.SetPresence(ctx, game.TableID, client.PresenceChoiceAway))
	for game, err := range yellow.Follow(ctx, id) {
		check(err)
		if game.CanMove {
			want(game.Movers == "c", "a move of the CPU")
			break
		}
	}
	must(red.Tables.SetPresence(ctx, game.TableID, client.PresenceChoiceHere))
	must(yellow.Move(ctx, must(yellow.Games.Get(ctx, id)), 4))
	for game, err := range red.Follow(ctx, id) {
		check(err)
		if game.CanMove {
			want(must(red.Move(ctx, game, 5)).Movers == "chh", "the phone is back")
			break
		}
	}
	want(must(red.Games.Resign(ctx, id)).Over(), "over")
}

// lostClock lets red's clock run out.
func lostClock(ctx context.Context, w world) {
	seconds, loss := int32(30), client.OnTimeoutChoiceLoss
	red, yellow, id := pair(ctx, w, "Cleo", "Dan", &client.TableSettings{MoveTimeLimitSeconds: &seconds, OnTimeout: &loss})
	game := must(red.Games.Get(ctx, id))
	left, runs := game.Remaining(client.SideRed)
	want(runs && left > 0 && left <= time.Minute, "red's clock", left)
	_, runs = game.Remaining(client.SideYellow)
	want(!runs, "yellow's clock stands")
	var seenEnd sync.WaitGroup
	for _, four := range []*fourinarow.Client{red, yellow} { // both are there
		seenEnd.Go(func() {
			for game, err := range four.Follow(ctx, id) {
				check(err)
				want(!game.Over() || *game.Result.EndedBy == "timeout" && *game.Result.Winner == client.SideYellow, "a lost clock", game.Result)
			}
		})
	}
	seenEnd.Wait()
	p := problem(http.StatusConflict, "game_finished", second(red.Move(ctx, game, 1)))
	want(p.Game.Over(), "the game as it is now")
}

// alone plays against the CPU, asks for a hint and a picture, and is refused in every way.
func alone(ctx context.Context, w world) {
	four := w.guest(ctx, "Eve")
	game := againstCPU(ctx, four)
	hint := must(four.Games.Hint(ctx, game.ID))
	want(len(hint.BestColumns) > 0, "a hint")
	seen := game
	for game, err := range four.Follow(ctx, game.ID) {
		check(err)
		if game.Ply >= 6 {
			seen = game
			break
		}
		if game.CanMove {
			must(four.Move(ctx, game, int(game.LegalColumns[0])))
		}
	}
	picture := must(four.Games.Picture(ctx, game.ID, nil))
	want(bytes.Contains(picture, []byte("<svg")), "a picture")

	p := problem(http.StatusBadRequest, "invalid_request", second(four.Move(ctx, seen, 9)))
	want(p.Errors[0].Pointer == "/column", "where it is wrong", p.Errors)
	p = problem(http.StatusConflict, "stale_ply", second(four.Move(ctx, game, otherThan(seen.Moves[0]))))
	want(p.Game.Ply >= 6, "the game as it is now")
	refuse(http.StatusNotFound, "not_found", second(four.Games.Get(ctx, uuid.New())))
	fullColumn(ctx, w)
	stranger := must(fourinarow.New(w.url, fourinarow.Tokens(revoked{})))
	refuse(http.StatusUnauthorized, "unauthenticated", second(stranger.SignIn(ctx, fourinarow.Guest{})))
	for { // one export an hour; the answer to it may be lost
		exported := must(four.API.ExportMeWithResponse(ctx))
		if err := fourinarow.ProblemOf(exported); err != nil {
			want(problem(http.StatusTooManyRequests, "rate_limited", err).RetryAfter > time.Minute, "a limit", err)
			break
		}
	}
}

// fullColumn is refused a seventh disc, and somebody who only watches is refused a move.
func fullColumn(ctx context.Context, w world) {
	red, yellow, id := pair(ctx, w, "Finn", "Gil", nil)
	players := []*fourinarow.Client{red, yellow}
	game := must(red.Games.Get(ctx, id))
	refuse(http.StatusForbidden, "not_seated", second(w.guest(ctx, "Hal").Move(ctx, game, 1)))
	for range 6 {
		game = must(players[game.Ply%2].Move(ctx, game, 1))
	}
	p := problem(http.StatusUnprocessableEntity, "column_full", second(red.Move(ctx, game, 1)))
	want(p.Game.Ply == 6, "the game as it is now")
	must(red.Games.Resign(ctx, id))
}

func otherThan(column byte) int {
	return int(column-'0')%7 + 1
}

// revoked is a store with a token that no longer counts.
type revoked struct{}

func (revoked) Get(string) (string, error) {
	return "fir_0123456789012345678901234567890123456789012", nil
}
func (revoked) Set(string, string) error { return nil }
func (revoked) Clear(string) error       { return nil }

func againstCPU(ctx context.Context, four *fourinarow.Client) *fourinarow.Game {
	cpu, easy := client.OpponentChoiceCPU, client.CPULevelChoiceEasy
	table := must(four.Tables.Open(ctx, client.OpenTableRequest{Opponent: &cpu, CPULevel: &easy}))
	return must(four.Games.Get(ctx, *table.CurrentGameID))
}

func second[T any](_ T, err error) error { return err }
