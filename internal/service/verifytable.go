package service

import (
	"context"
	"fmt"
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/table"
)

// StoredTable is a table's score and the number of its last game, as stored and as its games make them.
type StoredTable struct {
	ID     table.ID
	Status table.Status
	Score  table.Score // without the number of games, which isn't stored
	Last   int         // 0: it says that it had no game

	Settings     game.Settings
	Broken       error         // why the settings can't be read; nil: they can
	Clock, Grace time.Duration // what it is looked for by: as in the settings

	Played  table.Score // what its games add up to
	Games   int         // that there are of it
	Newest  int         // the highest number of them
	Running int         // how many of them run
	Strange int         // its seats that show a rating which their owners never had
	Astray  bool        // it closed because its host moved to a table at which the host has no seat
}

// tables looks at all tables.
func (v *Verifier) tables(ctx context.Context, all Snapshot, seen *looked) error {
	last := game.TableID(firstID)
	for {
		tables, err := all.StoredTables(ctx, last, verifyAtOnce)
		if err != nil || len(tables) == 0 {
			return err
		}
		for _, t := range tables {
			for _, what := range t.check() {
				v.differs(Difference{About: "table " + string(t.ID), What: what})
			}
		}
		last = tables[len(tables)-1].ID
		seen.Tables += len(tables)
	}
}

// check returns what is wrong with a table.
func (s StoredTable) check() []string {
	var wrong []string
	if s.Score.Wins != s.Played.Wins || s.Score.Draws != s.Played.Draws {
		wrong = append(wrong, fmt.Sprintf("has %d and %d wins and %d draws, and its games make %d, %d and %d",
			s.Score.Wins[0], s.Score.Wins[1], s.Score.Draws, s.Played.Wins[0], s.Played.Wins[1], s.Played.Draws))
	}
	if s.Newest != s.Games { // no two have one number
		wrong = append(wrong, fmt.Sprintf("has %d games, and their numbers go to %d", s.Games, s.Newest))
	}
	if s.Last != s.Newest {
		wrong = append(wrong, fmt.Sprintf("has game %d as its last, and there is game %d", s.Last, s.Newest))
	}
	switch {
	case s.Broken != nil:
		wrong = append(wrong, "can't be read: "+s.Broken.Error())
	case s.Clock != s.Settings.MoveTimeLimit || s.Grace != s.Settings.CoverGrace:
		wrong = append(wrong, fmt.Sprintf("is looked for with a clock of %s and a grace of %s, and has %s and %s",
			s.Clock, s.Grace, s.Settings.MoveTimeLimit, s.Settings.CoverGrace))
	}
	if s.Strange > 0 {
		wrong = append(wrong, fmt.Sprintf("shows %d of its players with ratings that they never had", s.Strange))
	}
	if s.Astray {
		wrong = append(wrong, "was moved from to a table where its host has no seat")
	}
	running := 0
	if s.Status == table.Playing {
		running = 1
	}
	if s.Running != running {
		wrong = append(wrong, fmt.Sprintf("is %s, and %d of its games run", s.Status, s.Running))
	}
	return wrong
}
