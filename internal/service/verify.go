package service

import (
	"context"
	"fmt"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// VerifyStore lets everything be read as it is at one moment.
type VerifyStore interface {
	// Snapshot lets read see one state of the whole database, whatever is written meanwhile.
	Snapshot(ctx context.Context, read func(Snapshot) error) error
}

// Snapshot is one state of the whole database. Its lists are in the order of ids, and of numbers.
type Snapshot interface {
	// Damage returns what the database finds wrong with its own files, one line each.
	Damage(ctx context.Context) ([]string, error)
	// Dangling returns the rows that refer to rows that there aren't. Where the database refuses such rows there are none.
	Dangling(ctx context.Context) ([]Difference, error)
	// StoredRows counts the rows of every table, and reads them.
	StoredRows(ctx context.Context) ([]StoredRows, error)
	// StoredTimes returns what the times of all games are measured by.
	StoredTimes(ctx context.Context) (StoredTimes, error)
	// StoredTables returns tables with ids after one.
	StoredTables(ctx context.Context, after game.TableID, limit int) ([]StoredTable, error)
	// StoredGames returns games with ids after one.
	StoredGames(ctx context.Context, after game.ID, limit int) ([]StoredGame, error)
	// StoredPlayers returns players, the deleted too, with ids after one.
	StoredPlayers(ctx context.Context, after profile.ID, limit int) ([]StoredPlayer, error)
	// CountedGames returns what a player's games are counted as, with numbers after one.
	CountedGames(ctx context.Context, of profile.ID, after int64, limit int) ([]CountedGame, error)
}

// StoredRows is how many rows of a table the database counts, and how many there were when all of them were read.
type StoredRows struct {
	Table         string
	Counted, Read int
	Broken        error // why they couldn't be counted, or not all be read; nil: they could
}

// Difference is something stored that doesn't follow from the moves.
type Difference struct {
	About string // a game or a profile, with its id
	What  string
}

// String returns the difference as one line.
func (d Difference) String() string { return d.About + " " + d.What }

// Verified is how many games and players were looked at.
type Verified struct{ Games, Players int }

// Verifier recomputes what is stored: every game from its moves, every rating and every count from the games.
type Verifier struct {
	store    VerifyStore
	differs  func(Difference)
	unread   func(what string)
	progress func(Verified)
}

// NewVerifier returns one that tells differs of every difference, unread of what it can't read, so that nobody takes the
// rest for everything, and progress now and again how far it is.
func NewVerifier(store VerifyStore, differs func(Difference), unread func(what string), progress func(Verified)) *Verifier {
	return &Verifier{store: store, differs: differs, unread: unread, progress: progress}
}

// firstID comes before all ids.
const firstID = "00000000-0000-0000-0000-000000000000"

// verifyAtOnce is how many rows are read together.
const verifyAtOnce = 1000

// Run looks at everything once. After an error, which says what couldn't be read, the rest has not been looked at.
func (v *Verifier) Run(ctx context.Context) (Verified, error) {
	var seen Verified
	err := v.store.Snapshot(ctx, func(all Snapshot) error {
		stored, err := v.sound(ctx, all)
		if err != nil {
			return err
		}
		var looked looked
		err = v.look(ctx, all, &looked)
		seen = looked.Verified
		if ctx.Err() == nil {
			v.compare(stored, looked)
		}
		return err
	})
	if err != nil {
		return seen, wrap(err, "verify")
	}
	return seen, nil
}

// looked is how many rows were looked at.
type looked struct {
	Verified

	Tables, Lines int // Lines are those of the lists of players' games
}

func (v *Verifier) look(ctx context.Context, all Snapshot, seen *looked) error {
	if err := v.tables(ctx, all, seen); err != nil {
		return err
	}
	if err := v.games(ctx, all, &seen.Verified); err != nil {
		return err
	}
	return v.players(ctx, all, seen)
}

// sound asks the database whether it is whole, and returns how many rows there are, by table.
func (v *Verifier) sound(ctx context.Context, all Snapshot) (map[string]int, error) {
	damage, err := all.Damage(ctx)
	if err != nil {
		return nil, err
	}
	for _, what := range damage {
		v.unread("the database says of itself: " + what)
	}
	dangling, err := all.Dangling(ctx)
	if err != nil { // of a damaged file; the rest may tell more
		v.unread(err.Error())
	}
	for _, d := range dangling {
		v.differs(d)
	}
	stored, err := all.StoredRows(ctx)
	if err != nil {
		return nil, err
	}
	counts := make(map[string]int, len(stored))
	for _, rows := range stored {
		counts[rows.Table] = rows.Counted
		switch {
		case rows.Broken != nil:
			v.unread(fmt.Sprintf("%s could be read up to row %d: %v", rows.Table, rows.Read, rows.Broken))
		case rows.Read != rows.Counted:
			v.unread(fmt.Sprintf("%s has %d rows, and reading it shows %d", rows.Table, rows.Counted, rows.Read))
		}
	}
	return counts, nil
}

// compare says of which tables not all rows were looked at.
func (v *Verifier) compare(stored map[string]int, seen looked) {
	for _, rows := range []struct {
		of string
		n  int
	}{{"tables", seen.Tables}, {"games", seen.Games}, {"profiles", seen.Players}, {"profile_games", seen.Lines}} {
		if counted := stored[rows.of]; counted != rows.n {
			v.unread(fmt.Sprintf("%s has %d rows, and %d of them were looked at", rows.of, counted, rows.n))
		}
	}
}

func (v *Verifier) players(ctx context.Context, all Snapshot, seen *looked) error {
	a := auditor{differs: v.differs, ratings: make(map[game.ID]profile.Rating), lines: 0}
	last := profile.ID(firstID)
	for {
		players, err := all.StoredPlayers(ctx, last, verifyAtOnce)
		if err != nil || len(players) == 0 {
			return err
		}
		for _, p := range players {
			if err := a.player(ctx, all, p); err != nil {
				return err
			}
		}
		last = players[len(players)-1].ID
		seen.Players += len(players)
		seen.Lines = a.lines
		v.progress(seen.Verified)
	}
}
