package service

import (
	"context"

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
	progress func(Verified)
}

// NewVerifier returns one that tells differs of every difference, and progress now and again how far it is.
func NewVerifier(store VerifyStore, differs func(Difference), progress func(Verified)) *Verifier {
	return &Verifier{store: store, differs: differs, progress: progress}
}

// firstID comes before all ids.
const firstID = "00000000-0000-0000-0000-000000000000"

// verifyAtOnce is how many rows are read together.
const verifyAtOnce = 1000

// Run looks at everything once.
func (v *Verifier) Run(ctx context.Context) (Verified, error) {
	var seen Verified
	err := v.store.Snapshot(ctx, func(all Snapshot) error {
		if err := v.tables(ctx, all); err != nil {
			return err
		}
		if err := v.games(ctx, all, &seen); err != nil {
			return err
		}
		return v.players(ctx, all, &seen)
	})
	if err != nil {
		return seen, wrap(err, "verify")
	}
	return seen, nil
}

func (v *Verifier) players(ctx context.Context, all Snapshot, seen *Verified) error {
	a := auditor{differs: v.differs, ratings: make(map[game.ID]profile.Rating)}
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
		v.progress(*seen)
	}
}
