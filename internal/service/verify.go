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
	// StoredGames returns games with ids after one.
	StoredGames(ctx context.Context, after game.ID, limit int) ([]StoredGame, error)
	// StoredPlayers returns players, the deleted too, with ids after one.
	StoredPlayers(ctx context.Context, after profile.ID, limit int) ([]StoredPlayer, error)
	// CountedGames returns what a player's games are counted as, with numbers after one.
	CountedGames(ctx context.Context, of profile.ID, after int64, limit int) ([]CountedGame, error)
}

// StoredGame is a game and what else there is of it.
type StoredGame struct {
	Game    game.Game
	Broken  error // why it can't be read; nil: it can
	Ply     int   // as stored
	Timers  int
	Listed  int // in the lists of its own players
	Changes int // of its own players' ratings
}

// StoredPlayer is what a player's games add up to, as stored.
type StoredPlayer struct {
	ID       profile.ID
	Standing profile.Standing
	Listed   int // finished games in its list
	Changes  int // of its rating
}

// CountedGame is a finished game as it is counted for a player.
type CountedGame struct {
	N        int64
	Opponent profile.ID // empty: the CPU
	Result   profile.Result
	Ranked   bool
	Private  bool
	Game     game.Game
	Broken   error         // why the game can't be read; nil: it can
	Change   *NumberedStep // of the player's rating; nil: none
}

// NumberedStep is a change of a player's rating.
type NumberedStep struct {
	N      int64
	Rival  profile.ID
	Change game.RatingChange
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

// verifyAtOnce is how many rows are read together.
const verifyAtOnce = 1000

// Run looks at everything once.
func (v *Verifier) Run(ctx context.Context) (Verified, error) {
	var seen Verified
	err := v.store.Snapshot(ctx, func(all Snapshot) error {
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

func (v *Verifier) games(ctx context.Context, all Snapshot, seen *Verified) error {
	last := game.ID(firstID)
	for {
		games, err := all.StoredGames(ctx, last, verifyAtOnce)
		if err != nil || len(games) == 0 {
			return err
		}
		for _, g := range games {
			for _, what := range g.check() {
				v.differs(Difference{About: "game " + string(g.Game.ID), What: what})
			}
		}
		last = games[len(games)-1].Game.ID
		seen.Games += len(games)
		v.progress(*seen)
	}
}

// firstID comes before all ids.
const firstID = "00000000-0000-0000-0000-000000000000"

// check returns what is wrong with a game and what belongs to it.
func (s StoredGame) check() []string {
	if s.Broken != nil {
		return []string{"can't be read: " + s.Broken.Error()}
	}
	g := s.Game
	wrong := g.Check()
	if s.Ply != g.Ply() {
		wrong = append(wrong, fmt.Sprintf("is stored at ply %d and has %d moves", s.Ply, g.Ply()))
	}
	timers, listed, changes := 1, 0, 0
	if g.Over() {
		timers, listed = 0, 2
		if g.VersusCPU() {
			listed = 1
		}
	}
	if g.Rating.Reason == game.Rated {
		changes = 2
	}
	for _, count := range []struct {
		of        string
		got, want int
	}{{"timers", s.Timers, timers}, {"lines in the lists of its players", s.Listed, listed}, {"changes of ratings", s.Changes, changes}} {
		if count.got != count.want {
			wrong = append(wrong, fmt.Sprintf("is %s and has %d %s, not %d", g.Status, count.got, count.of, count.want))
		}
	}
	return wrong
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
