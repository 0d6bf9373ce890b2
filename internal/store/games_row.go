package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// gameRow is a row of games: the whole game, with what is read of it before it is restored.
type gameRow struct {
	game     game.Game
	settings string // the document
	took     string // see formatTook
}

func (r *gameRow) targets() []any { return targets(r, gameColumns) }

func newGameRow(g game.Game) gameRow {
	return gameRow{game: g, settings: "", took: formatTook(g.Took)}
}

// gameColumns are the columns of games, each once.
var gameColumns = append(append([]mapping[gameRow]{
	textColumn("id", func(r *gameRow) *game.ID { return &r.game.ID }).once(),
	textColumn("table_id", func(r *gameRow) *game.TableID { return &r.game.Table }).once(),
	numberColumn("number", func(r *gameRow) *int { return &r.game.Number }).once(),
	numberColumn("version", func(r *gameRow) *int64 { return &r.game.Version }).whileRunning(),
	numberColumn("stamp", func(r *gameRow) *int64 { return &r.game.Stamp }).whileRunning(),
	flagColumn("private", func(r *gameRow) *bool { return &r.game.Private }).once(),
	flagColumn("ranked", func(r *gameRow) *bool { return &r.game.Ranked }).once(),
	flagColumn("unattended", func(r *gameRow) *bool { return &r.game.Unattended }).whileRunning(),
	gameSettings.once(),
	textColumn("moves", func(r *gameRow) *string { return &r.game.Moves }).whileRunning(),
	textColumn("movers", func(r *gameRow) *string { return &r.game.Movers }).whileRunning(),
	textColumn("took", func(r *gameRow) *string { return &r.took }).whileRunning(),
	textColumn("status", func(r *gameRow) *game.Status { return &r.game.Status }),
	textColumn("outcome", func(r *gameRow) *game.Outcome { return &r.game.Result.Outcome }).optional(),
	winner,
	textColumn("ended_by", func(r *gameRow) *game.EndedBy { return &r.game.Result.EndedBy }).optional(),
	textColumn("next_game", func(r *gameRow) *game.ID { return &r.game.Next }).optional(),
	numberColumn("next_first", func(r *gameRow) *game.Seat { return &r.game.NextFirst }).optional(),
	flagColumn("table_done", func(r *gameRow) *bool { return &r.game.TableDone }),
	timeColumn("started", func(r *gameRow) *time.Time { return &r.game.Started }).once(),
	timeColumn("turn_started", func(r *gameRow) *time.Time { return &r.game.TurnStarted }).whileRunning(),
	timeColumn("deadline", func(r *gameRow) *time.Time { return &r.game.Deadline }).whileRunning(),
	flagColumn("timed_out", func(r *gameRow) *bool { return &r.game.TimedOut }).whileRunning(),
	timeColumn("asleep_since", func(r *gameRow) *time.Time { return &r.game.AsleepSince }).whileRunning(),
	timeColumn("finished", func(r *gameRow) *time.Time { return &r.game.Finished }),
	hinted,
	textColumn("rating_reason", func(r *gameRow) *game.Reason { return &r.game.Rating.Reason }).optional(),
	numberColumn("red_before", func(r *gameRow) *profile.Rating { return &r.game.Rating.Red.Before }).where(rated),
	numberColumn("red_after", func(r *gameRow) *profile.Rating { return &r.game.Rating.Red.After }).where(rated),
	numberColumn("yellow_before", func(r *gameRow) *profile.Rating { return &r.game.Rating.Yellow.Before }).where(rated),
	numberColumn("yellow_after", func(r *gameRow) *profile.Rating { return &r.game.Rating.Yellow.After }).where(rated),
},
	sideColumns("red", func(r *gameRow) *game.Player { return &r.game.Red })...),
	sideColumns("yellow", func(r *gameRow) *game.Player { return &r.game.Yellow })...)

// sideColumns are those of one side.
func sideColumns(side string, at func(*gameRow) *game.Player) []mapping[gameRow] {
	human := func(r *gameRow) bool { return at(r).Kind == game.Human }
	return []mapping[gameRow]{
		numberColumn(side+"_seat", func(r *gameRow) *game.Seat { return &at(r).Seat }).once(),
		textColumn(side+"_kind", func(r *gameRow) *game.Kind { return &at(r).Kind }).once(),
		textColumn(side+"_profile", func(r *gameRow) *profile.ID { return &at(r).Profile }).optional().once(),
		textColumn(side+"_name", func(r *gameRow) *profile.Name { return &at(r).Name }).optional(),
		textColumn(side+"_level", func(r *gameRow) *string { return &at(r).Level }).optional().once(),
		numberColumn(side+"_rating", func(r *gameRow) *profile.Rating { return &at(r).Rating }).where(human).once(),
		numberColumn(side+"_presence", func(r *gameRow) *game.Presence { return &at(r).Presence }).whileRunning(),
		timeColumn(side+"_since", func(r *gameRow) *time.Time { return &at(r).Since }).whileRunning(),
		flagColumn(side+"_rematch", func(r *gameRow) *bool { return &at(r).Rematch }),
	}
}

// gameSettings is the document of the settings.
var gameSettings = mapping[gameRow]{
	name: "settings", kind: "text", fixed: false, running: false,
	same:  func(a, b *gameRow) bool { return a.game.Settings == b.game.Settings },
	value: func(r *gameRow) any { return r.game.Settings.Document() },
	scan: func(r *gameRow, kept any) (err error) {
		r.settings, err = textOf(kept)
		return err
	},
}

// winner is a side, and NULL when nobody has won.
var winner = mapping[gameRow]{
	name: "winner", kind: "text", fixed: false, running: false,
	same: func(a, b *gameRow) bool { return a.game.Result.Winner == b.game.Result.Winner },
	value: func(r *gameRow) any {
		if r.game.Result.Winner == board.NoSide {
			return nil
		}
		return r.game.Result.Winner.String()
	},
	scan: func(r *gameRow, kept any) error {
		side, err := textOf(kept)
		switch side {
		case "":
			r.game.Result.Winner = board.NoSide
		case board.Red.String():
			r.game.Result.Winner = board.Red
		case board.Yellow.String():
			r.game.Result.Winner = board.Yellow
		default:
			r.game.Result.Winner = noSuchSide
		}
		return err
	},
}

// noSuchSide is what stands for a winner who is neither red nor yellow: game.Restore refuses it.
const noSuchSide = board.Yellow + 1

// hinted is a set of plies, of which there are fewer than bits.
var hinted = mapping[gameRow]{
	name: "hinted", kind: "bigint", fixed: false, running: true,
	same:  func(a, b *gameRow) bool { return a.game.Hinted == b.game.Hinted },
	value: func(r *gameRow) any { return int64(r.game.Hinted) },
	scan: func(r *gameRow, kept any) error {
		plies, err := numberOf(kept)
		r.game.Hinted = uint64(plies) // a number below zero has bits that game.Restore refuses
		return err
	},
}

func rated(r *gameRow) bool { return r.game.Rating.Reason == game.Rated }

// restored is the game of a row that was read. The error tells of a row that no game can have.
func (r gameRow) restored() (game.Game, error) {
	g := r.game
	for _, p := range []*game.Player{&g.Red, &g.Yellow} {
		p.Deleted = p.Kind == game.Human && p.Name == ""
	}
	var err error
	if g.Settings, err = game.SettingsFrom(r.settings); err != nil {
		return game.Game{}, &unreadableError{thing: "game", id: string(g.ID), part: "settings", cause: fmt.Errorf("settings of game %s: %w", g.ID, err)}
	}
	if g.Took, err = parseTook(r.took, g.Ply()); err != nil {
		return game.Game{}, &unreadableError{thing: "game", id: string(g.ID), part: "times", cause: fmt.Errorf("read game %s: %w", g.ID, err)}
	}
	restored, err := game.Restore(g)
	if err != nil {
		part := "state"
		if _, ofMoves := errors.AsType[*board.MovesError](err); ofMoves {
			part = "moves"
		}
		return game.Game{}, &unreadableError{thing: "game", id: string(g.ID), part: part, cause: err}
	}
	return restored, nil
}

// newStamp draws what tells a state of a game from another one of the same version, as there are when a database was
// restored.
func newStamp() int64 { return rand.Int64() } //nolint:gosec // it need not be secret

// formatTook writes how long plies took: milliseconds in decimal, a comma after each.
func formatTook(took []time.Duration) string {
	kept := make([]byte, 0, 8*len(took)) //nolint:mnd // what most take
	for _, d := range took {
		kept = append(strconv.AppendInt(kept, d.Milliseconds(), 10), ',')
	}
	return string(kept)
}

// parseTook reads what formatTook wrote for a number of plies; nil for none.
func parseTook(kept string, plies int) ([]time.Duration, error) {
	if plies == 0 && kept == "" {
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
