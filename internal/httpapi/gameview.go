package httpapi

import (
	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
)

// toGame converts a game.
func toGame(v service.GameView) api.Game {
	g, position := v.Game, v.Game.Position()
	shown := api.Game{
		ID: idOf(g.ID), TableID: idOf(g.Table), Number: int32Of(g.Number), Version: g.Version, Status: string(g.Status),
		Ranked: g.Ranked, Unattended: g.Unattended, Settings: toSettings(g.Settings),
		Red: toGameSide(g, board.Red), Yellow: toGameSide(g, board.Yellow),
		Moves: g.Moves, Movers: g.Movers, Ply: int32Of(g.Ply()), Turn: toSide(g.Turn()),
		LegalColumns: toColumns(g.LegalColumns()), Board: toBoard(position), LastMove: toLastMove(g),
		Threats: api.Threats{Red: []api.Threat{}, Yellow: []api.Threat{}},
		MySide:  toSide(v.MySide), CanMove: v.CanMove, Asleep: g.Asleep(),
		MoveDeadline: deadlineOf(v.Deadline), RemainingMs: remainingOf(v), ServerTimeMs: v.Now.UnixMilli(),
		StartedAt: timeOf(g.Started), FinishedAt: nil, Result: nil, Rating: nil,
		NextGameID: nil, NextFirstSeat: optional(int32Of(g.NextFirst)), PollAfterMs: pollAfterOf(v.PollAfter, v.Polls),
	}
	if g.Next != "" {
		shown.NextGameID = new(idOf(g.Next))
	}
	if g.Over() {
		shown.FinishedAt = new(timeOf(g.Finished))
		shown.Result, shown.Rating = toResult(g.Result, position), toGameRating(g.Rating)
		return shown
	}
	shown.Threats.Red = toThreats(position.Threats(board.Red))
	shown.Threats.Yellow = toThreats(position.Threats(board.Yellow))
	return shown
}

// remainingOf returns what is left of the running turn; nil when nothing ends it.
func remainingOf(v service.GameView) *int64 {
	if v.Deadline.IsZero() {
		return nil
	}
	return new(max(v.Deadline.Sub(v.Now), 0).Milliseconds())
}

// toGameSide converts a side. Who is there and who moves is shown while the game runs.
func toGameSide(g game.Game, side board.Side) api.GameSide {
	p := g.Player(side)
	shown := api.GameSide{
		Seat: int32Of(p.Seat), Kind: string(p.Kind), ProfileID: nil, DisplayName: nil, Rating: nil, CPULevel: nil,
		Presence: nil, Controller: nil, WantsRematch: p.Rematch, HintsUsed: nil,
	}
	if !g.Over() {
		shown.Controller = new(api.SideController(g.Controller(side)))
	}
	if p.Kind == game.CPU {
		shown.CPULevel = new(p.Level)
		return shown
	}
	if !g.Ranked {
		shown.HintsUsed = new(int32Of(g.Hints(side)))
	}
	shown.Rating = new(ratingOf(p.Rating))
	if p.Deleted {
		shown.Kind = kindDeleted
	} else {
		shown.ProfileID, shown.DisplayName = new(idOf(p.Profile)), new(string(p.Name))
	}
	if !g.Over() {
		shown.Presence = new(toPresence(p.Presence))
	}
	return shown
}

// kindDeleted is what sits where somebody sat who has deleted itself: without id and name.
const kindDeleted = "deleted"

// The presences on the wire.
const (
	presenceHere api.SeatPresence = "here"
	presenceAway api.SeatPresence = "away"
)

// toPresence converts a presence; why somebody is away is nobody's business.
func toPresence(p game.Presence) api.SeatPresence {
	if p == game.Here {
		return presenceHere
	}
	return presenceAway
}

// sides are the sides on the wire; all answers share them.
var sides = [...]*api.Side{board.NoSide: nil, board.Red: new(api.SideRed), board.Yellow: new(api.SideYellow)}

// toSide converts a side; nil for none.
func toSide(s board.Side) *api.Side { return sides[s] }

func toBoard(p board.Position) []api.BoardRow {
	picture := p.Picture()
	return picture[:]
}

// toLastMove converts the last move; nil at the beginning.
func toLastMove(g game.Game) *api.LastMove {
	last, moved := g.LastMove()
	if !moved {
		return nil
	}
	return &api.LastMove{
		Ply: int32Of(last.Ply), Column: int32Of(last.Field.Column), Row: int32Of(last.Field.Row),
		Side: *toSide(last.Side), MadeBy: api.Mover(last.MadeBy), At: timeOf(last.At),
	}
}

func toMove(m game.Move) api.Move {
	return api.Move{
		Ply: int32Of(m.Ply), Column: int32Of(m.Field.Column), Row: int32Of(m.Field.Row),
		Side: *toSide(m.Side), MadeBy: api.Mover(m.MadeBy), At: timeOf(m.At), TookMs: m.Took.Milliseconds(),
	}
}

func toThreats(threats []board.Threat) []api.Threat {
	shown := make([]api.Threat, 0, len(threats))
	for _, t := range threats {
		shown = append(shown, api.Threat{
			Column: int32Of(t.Field.Column), Row: int32Of(t.Field.Row), Playable: t.Playable,
		})
	}
	return shown
}

func toResult(r game.Result, p board.Position) *api.GameResult {
	shown := api.GameResult{
		Outcome: api.GameOutcome(r.Outcome), Winner: toSide(r.Winner), EndedBy: optional(string(r.EndedBy)), Fields: []api.BoardField{},
	}
	for _, f := range p.WinningFields() {
		shown.Fields = append(shown.Fields, api.BoardField{Column: int32Of(f.Column), Row: int32Of(f.Row)})
	}
	return &shown
}
