package store

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// gameRow is a row of games: the whole game.
type gameRow struct {
	ID               string  `gorm:"column:id"`
	TableID          string  `gorm:"column:table_id"`
	Number           int     `gorm:"column:number"`
	Version          int64   `gorm:"column:version"`
	Private          bool    `gorm:"column:private"`
	FirstPlayer      string  `gorm:"column:first_player"`
	EndDeadPositions bool    `gorm:"column:end_dead_positions"`
	RedSeat          int     `gorm:"column:red_seat"`
	RedProfile       *string `gorm:"column:red_profile"`
	RedName          string  `gorm:"column:red_name"`
	YellowSeat       int     `gorm:"column:yellow_seat"`
	YellowProfile    *string `gorm:"column:yellow_profile"`
	YellowName       string  `gorm:"column:yellow_name"`
	Moves            string  `gorm:"column:moves"`
	Took             string  `gorm:"column:took"`
	Ply              int     `gorm:"column:ply"`
	Status           string  `gorm:"column:status"`
	Outcome          *string `gorm:"column:outcome"`
	Winner           *string `gorm:"column:winner"`
	EndedBy          *string `gorm:"column:ended_by"`
	Started          int64   `gorm:"column:started"`
	TurnStarted      int64   `gorm:"column:turn_started"`
	Finished         *int64  `gorm:"column:finished"`
}

const gameColumns = "id, table_id, number, version, private, first_player, end_dead_positions, red_seat, red_profile, red_name, " +
	"yellow_seat, yellow_profile, yellow_name, moves, took, ply, status, outcome, winner, ended_by, started, turn_started, finished"

func (gameRow) TableName() string { return "games" }

// targets is in the order of gameColumns.
func (r *gameRow) targets() []any {
	return []any{
		&r.ID, &r.TableID, &r.Number, &r.Version, &r.Private, &r.FirstPlayer, &r.EndDeadPositions, &r.RedSeat, &r.RedProfile, &r.RedName,
		&r.YellowSeat, &r.YellowProfile, &r.YellowName, &r.Moves, &r.Took, &r.Ply, &r.Status, &r.Outcome, &r.Winner, &r.EndedBy,
		&r.Started, &r.TurnStarted, &r.Finished,
	}
}

func newGameRow(g game.Game) gameRow {
	result := resultOf(g.Result)
	row := gameRow{
		ID: string(g.ID), TableID: string(g.Table), Number: g.Number, Version: g.Version, Private: g.Private,
		FirstPlayer: g.Settings.FirstPlayer, EndDeadPositions: g.Settings.EndDeadPositions,
		RedSeat: int(g.Red.Seat), RedProfile: nullable(g.Red.Profile), RedName: string(g.Red.Name),
		YellowSeat: int(g.Yellow.Seat), YellowProfile: nullable(g.Yellow.Profile), YellowName: string(g.Yellow.Name),
		Moves: g.Moves, Took: formatTook(g.Took), Ply: g.Ply(), Status: string(g.Status),
		Outcome: result.outcome, Winner: result.winner, EndedBy: result.endedBy,
		Started: micros(g.Started), TurnStarted: micros(g.TurnStarted), Finished: nil,
	}
	if g.Over() {
		finished := micros(g.Finished)
		row.Finished = &finished
	}
	return row
}

func (r gameRow) game() (game.Game, error) {
	took, err := parseTook(r.Took, r.Ply)
	if err != nil {
		return game.Game{}, fmt.Errorf("read game %s: %w", r.ID, err)
	}
	g := game.Game{
		ID: game.ID(r.ID), Table: game.TableID(r.TableID), Number: r.Number, Version: r.Version, Private: r.Private,
		Settings: game.Settings{FirstPlayer: r.FirstPlayer, EndDeadPositions: r.EndDeadPositions},
		Red:      game.Player{Seat: game.Seat(r.RedSeat), Profile: profile.ID(text(r.RedProfile)), Name: profile.Name(r.RedName)},
		Yellow:   game.Player{Seat: game.Seat(r.YellowSeat), Profile: profile.ID(text(r.YellowProfile)), Name: profile.Name(r.YellowName)},
		Moves:    r.Moves, Took: took, Status: game.Status(r.Status), Result: r.result(),
		Started: at(r.Started), TurnStarted: at(r.TurnStarted), Finished: time.Time{},
	}
	if r.Finished != nil {
		g.Finished = at(*r.Finished)
	}
	return g, nil
}

func (r gameRow) result() game.Result {
	result := game.Result{Outcome: game.Outcome(text(r.Outcome)), Winner: board.NoSide, EndedBy: game.EndedBy(text(r.EndedBy))}
	switch text(r.Winner) {
	case board.Red.String():
		result.Winner = board.Red
	case board.Yellow.String():
		result.Winner = board.Yellow
	}
	return result
}

// keptResult is a result as columns.
type keptResult struct{ outcome, winner, endedBy *string }

func resultOf(r game.Result) keptResult {
	kept := keptResult{outcome: nullable(r.Outcome), winner: nil, endedBy: nullable(r.EndedBy)}
	if r.Winner != board.NoSide {
		kept.winner = nullable(r.Winner.String())
	}
	return kept
}

// formatTook writes how long plies took: milliseconds in decimal, a comma after each, so that a ply can be appended.
func formatTook(took []time.Duration) string {
	kept := make([]byte, 0, 8*len(took))
	for _, d := range took {
		kept = append(strconv.AppendInt(kept, d.Milliseconds(), 10), ',')
	}
	return string(kept)
}

// parseTook reads what formatTook wrote for a number of plies; nil for none.
func parseTook(kept string, plies int) ([]time.Duration, error) {
	if plies == 0 {
		return nil, nil
	}
	took := make([]time.Duration, 0, plies)
	for part := range strings.SplitSeq(strings.TrimSuffix(kept, ","), ",") {
		ms, err := strconv.ParseInt(part, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("times of its plies: %w", err)
		}
		took = append(took, time.Duration(ms)*time.Millisecond)
	}
	if len(took) != plies {
		return nil, fmt.Errorf("it has %d plies and %d times", plies, len(took))
	}
	return took, nil
}
