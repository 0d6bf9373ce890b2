package httpapi

import (
	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
)

// kindHuman is the kind of every player so far.
const kindHuman = "human"

// toGame converts a game. A position that no game can have panics: the database is broken.
func toGame(v service.GameView) api.Game {
	g := v.Game
	position, err := g.Position()
	if err != nil {
		panic(err)
	}
	shown := api.Game{
		ID: idOf(g.ID), TableID: idOf(g.Table), Number: int32Of(g.Number), Version: g.Version, Status: string(g.Status),
		Settings: toSettings(g.Settings), Red: toGameSide(g.Red), Yellow: toGameSide(g.Yellow),
		Moves: g.Moves, Ply: int32Of(g.Ply()), Turn: toSide(g.Turn()),
		LegalColumns: []api.Column{}, Board: toBoard(position), LastMove: toLastMove(g),
		Threats: api.Threats{Red: []api.Threat{}, Yellow: []api.Threat{}},
		MySide:  toSide(v.MySide), CanMove: v.CanMove,
		StartedAt: timeOf(g.Started), FinishedAt: nil, Result: nil, PollAfterMs: pollAfterOf(v.PollAfter, v.Polls),
	}
	if g.Over() {
		shown.FinishedAt = new(timeOf(g.Finished))
		shown.Result = toResult(g.Result, position)
		return shown
	}
	for _, column := range position.LegalColumns() {
		shown.LegalColumns = append(shown.LegalColumns, int32Of(column))
	}
	shown.Threats.Red = toThreats(position.Threats(board.Red))
	shown.Threats.Yellow = toThreats(position.Threats(board.Yellow))
	return shown
}

func toGameSide(p game.Player) api.GameSide {
	return api.GameSide{
		Seat: int32Of(p.Seat), Kind: kindHuman, ProfileID: idOf(p.Profile), DisplayName: string(p.Name),
	}
}

func toSettings(s game.Settings) api.GameSettings {
	return api.GameSettings{FirstPlayer: s.FirstPlayer, EndDeadPositions: s.EndDeadPositions}
}

// toSide converts a side; nil for none.
func toSide(s board.Side) *api.Side {
	switch s {
	case board.Red:
		return new(api.SideRed)
	case board.Yellow:
		return new(api.SideYellow)
	case board.NoSide:
	}
	return nil
}

func toBoard(p board.Position) []api.BoardRow {
	picture := p.Picture()
	return picture[:]
}

// toLastMove converts the last move; nil at the beginning.
func toLastMove(g game.Game) *api.LastMove {
	played := g.Played()
	if len(played) == 0 {
		return nil
	}
	last := played[len(played)-1]
	return &api.LastMove{
		Ply: int32Of(last.Ply), Column: int32Of(last.Field.Column), Row: int32Of(last.Field.Row),
		Side: *toSide(last.Side), At: timeOf(last.At),
	}
}

func toMove(m game.Move) api.Move {
	return api.Move{
		Ply: int32Of(m.Ply), Column: int32Of(m.Field.Column), Row: int32Of(m.Field.Row),
		Side: *toSide(m.Side), At: timeOf(m.At), TookMs: m.Took.Milliseconds(),
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
		Outcome: api.Outcome(r.Outcome), Winner: toSide(r.Winner), EndedBy: optional(string(r.EndedBy)), Fields: []api.Field{},
	}
	for _, f := range p.WinningFields() {
		shown.Fields = append(shown.Fields, api.Field{Column: int32Of(f.Column), Row: int32Of(f.Row)})
	}
	return &shown
}
