package store

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// sideRow is one side in a row of games.
type sideRow struct {
	Seat     int     `gorm:"column:seat"`
	Kind     string  `gorm:"column:kind"`
	Profile  *string `gorm:"column:profile"`
	Name     *string `gorm:"column:name"`
	Level    *string `gorm:"column:level"`
	Rating   *int64  `gorm:"column:rating"`
	Presence int     `gorm:"column:presence"`
	Since    *int64  `gorm:"column:since"`
	Rematch  bool    `gorm:"column:rematch"`
}

func newSideRow(p game.Player) sideRow {
	return sideRow{
		Seat: int(p.Seat), Kind: string(p.Kind), Profile: nullable(p.Profile), Name: nullable(p.Name), Level: nullable(p.Level),
		Rating: ratingOf(p.Kind, p.Rating), Presence: int(p.Presence), Since: moment(p.Since), Rematch: p.Rematch,
	}
}

func (r sideRow) player() game.Player {
	return game.Player{
		Seat: game.Seat(r.Seat), Kind: game.Kind(r.Kind), Profile: profile.ID(text(r.Profile)), Name: profile.Name(text(r.Name)),
		Deleted: r.Kind == string(game.Human) && r.Name == nil,
		Level:   text(r.Level), Rating: rating(r.Rating), Presence: game.Presence(r.Presence), //nolint:gosec // 0 to 2, the database sees to it
		Since: when(r.Since), Rematch: r.Rematch,
	}
}

// gameRow is a row of games: the whole game.
type gameRow struct {
	ID          string      `gorm:"column:id"`
	TableID     string      `gorm:"column:table_id"`
	Number      int         `gorm:"column:number"`
	Version     int64       `gorm:"column:version"`
	Private     bool        `gorm:"column:private"`
	Ranked      bool        `gorm:"column:ranked"`
	Unattended  bool        `gorm:"column:unattended"`
	Settings    settingsRow `gorm:"embedded"`
	Red         sideRow     `gorm:"embedded;embeddedPrefix:red_"`
	Yellow      sideRow     `gorm:"embedded;embeddedPrefix:yellow_"`
	Moves       string      `gorm:"column:moves"`
	Movers      string      `gorm:"column:movers"`
	Took        string      `gorm:"column:took"`
	Ply         int         `gorm:"column:ply"`
	Status      string      `gorm:"column:status"`
	Outcome     *string     `gorm:"column:outcome"`
	Winner      *string     `gorm:"column:winner"`
	EndedBy     *string     `gorm:"column:ended_by"`
	NextGame    *string     `gorm:"column:next_game"`
	NextFirst   *int        `gorm:"column:next_first"`
	TableDone   bool        `gorm:"column:table_done"`
	Started     int64       `gorm:"column:started"`
	TurnStarted int64       `gorm:"column:turn_started"`
	Deadline    *int64      `gorm:"column:deadline"`
	TimedOut    bool        `gorm:"column:timed_out"`
	AsleepSince *int64      `gorm:"column:asleep_since"`
	Finished    *int64      `gorm:"column:finished"`
	Hinted      int64       `gorm:"column:hinted"`

	RatingReason *string `gorm:"column:rating_reason"`
	RedBefore    *int64  `gorm:"column:red_before"`
	RedAfter     *int64  `gorm:"column:red_after"`
	YellowBefore *int64  `gorm:"column:yellow_before"`
	YellowAfter  *int64  `gorm:"column:yellow_after"`
}

var gameColumns = slices.Concat(
	[]string{"id", "table_id", "number", "version", "private", "ranked", "unattended"}, settingsColumns,
	[]string{
		"red_seat", "red_kind", "red_profile", "red_name", "red_level", "red_rating", "red_presence", "red_since", "red_rematch",
		"yellow_seat", "yellow_kind", "yellow_profile", "yellow_name", "yellow_level", "yellow_rating", "yellow_presence", "yellow_since", "yellow_rematch",
		"moves", "movers", "took", "ply", "status", "outcome", "winner", "ended_by", "next_game", "next_first", "table_done",
		"started", "turn_started", "deadline", "timed_out", "asleep_since", "finished", "hinted",
		"rating_reason", "red_before", "red_after", "yellow_before", "yellow_after",
	},
)

func (gameRow) TableName() string { return "games" }

func newGameRow(g game.Game) gameRow {
	result, rated := resultOf(g.Result), changesOf(g.Rating)
	return gameRow{
		ID: string(g.ID), TableID: string(g.Table), Number: g.Number, Version: g.Version, Private: g.Private, Ranked: g.Ranked,
		Unattended: g.Unattended, Settings: newSettingsRow(g.Settings), Red: newSideRow(g.Red), Yellow: newSideRow(g.Yellow),
		Moves: g.Moves, Movers: g.Movers, Took: formatTook(g.Took), Ply: g.Ply(), Status: string(g.Status),
		Outcome: result.outcome, Winner: result.winner, EndedBy: result.endedBy,
		NextGame: nullable(g.Next), NextFirst: number(g.NextFirst), TableDone: g.TableDone,
		Started: micros(g.Started), TurnStarted: micros(g.TurnStarted), Deadline: moment(g.Deadline), TimedOut: g.TimedOut,
		AsleepSince: moment(g.AsleepSince), Finished: moment(g.Finished), Hinted: hintedRow(g.Hinted),
		RatingReason: nullable(g.Rating.Reason),
		RedBefore:    rated[0], RedAfter: rated[1], YellowBefore: rated[2], YellowAfter: rated[3],
	}
}

// cells are what may change in a game besides its version and what only grows: moves, movers, took and hinted.
func (r gameRow) cells() []cell {
	return []cell{
		{"unattended", r.Unattended},
		{"red_name", value(r.Red.Name)},
		{"yellow_name", value(r.Yellow.Name)},
		{"red_presence", r.Red.Presence},
		{"red_since", value(r.Red.Since)},
		{"red_rematch", r.Red.Rematch},
		{"yellow_presence", r.Yellow.Presence},
		{"yellow_since", value(r.Yellow.Since)},
		{"yellow_rematch", r.Yellow.Rematch},
		{"ply", r.Ply},
		{"status", r.Status},
		{"outcome", value(r.Outcome)},
		{"winner", value(r.Winner)},
		{"ended_by", value(r.EndedBy)},
		{"next_game", value(r.NextGame)},
		{"next_first", value(r.NextFirst)},
		{"table_done", r.TableDone},
		{"turn_started", r.TurnStarted},
		{"deadline", value(r.Deadline)},
		{"timed_out", r.TimedOut},
		{"asleep_since", value(r.AsleepSince)},
		{"finished", value(r.Finished)},
		{"rating_reason", value(r.RatingReason)},
		{"red_before", value(r.RedBefore)},
		{"red_after", value(r.RedAfter)},
		{"yellow_before", value(r.YellowBefore)},
		{"yellow_after", value(r.YellowAfter)},
	}
}

func (r gameRow) game() (game.Game, error) {
	took, err := parseTook(r.Took, r.Ply)
	if err != nil {
		return game.Game{}, fmt.Errorf("read game %s: %w", r.ID, err)
	}
	return game.Game{
		ID: game.ID(r.ID), Table: game.TableID(r.TableID), Number: r.Number, Version: r.Version, Private: r.Private, Ranked: r.Ranked,
		Unattended: r.Unattended, Settings: r.Settings.settings(), Red: r.Red.player(), Yellow: r.Yellow.player(),
		Moves: r.Moves, Movers: r.Movers, Took: took, Status: game.Status(r.Status), Result: r.result(),
		Next: game.ID(text(r.NextGame)), NextFirst: game.Seat(count(r.NextFirst)), TableDone: r.TableDone,
		Started: at(r.Started), TurnStarted: at(r.TurnStarted), Deadline: when(r.Deadline), TimedOut: r.TimedOut,
		AsleepSince: when(r.AsleepSince), Finished: when(r.Finished), Rating: r.rating(),
		Hinted: uint64(r.Hinted), //nolint:gosec // not negative, the database sees to it
	}, nil
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
		winner := r.Winner.String()
		kept.winner = &winner
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
