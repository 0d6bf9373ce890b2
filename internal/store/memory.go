package store

import (
	"context"
	"hash/maphash"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"
	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/game"
)

// memory keeps games as they were last read or written by this process, so that a row is read and decoded once. A game
// from memory is what the row says while its version and stamp are those of the row: nobody but this process changes
// the games of an SQLite file that it serves; elsewhere the two columns are read first (see versionChecks).
type memory struct {
	games *lru.Cache[game.ID, *game.Game]
	// writes counts what was written, by a part of the hashed ids: a row that was read before and is kept after a write
	// would be out of date.
	writes [writesCounted]atomic.Uint64
	seed   maphash.Seed
}

const (
	gamesKept     = 16_384 // at about 1.5 KB each
	writesCounted = 256
)

func newMemory() *memory {
	games, _ := lru.New[game.ID, *game.Game](gamesKept) // the error is about a size of nought
	return &memory{games: games, writes: [writesCounted]atomic.Uint64{}, seed: maphash.MakeSeed()}
}

// get returns a game as this process knows it, which may be out of date. Nobody may change what it shares.
func (m *memory) get(id game.ID) (game.Game, bool) {
	if g, found := m.games.Get(id); found {
		return *g, true
	}
	return game.Game{}, false
}

func (m *memory) written(id game.ID) *atomic.Uint64 {
	return &m.writes[maphash.String(m.seed, string(id))%writesCounted]
}

// wrote keeps a game that was committed.
func (m *memory) wrote(g *game.Game) {
	m.written(g.ID).Add(1)
	if known, found := m.games.Peek(g.ID); found && known.Version > g.Version {
		return // others were faster to say so; if the row is older than that, the next version check finds it
	}
	m.games.Add(g.ID, g)
}

// forget drops a game of which this process doesn't know what the row says.
func (m *memory) forget(id game.ID) {
	m.written(id).Add(1)
	m.games.Remove(id)
}

// read keeps a game that was read, unless it was written since reading began, when begun was counted.
func (m *memory) read(g *game.Game, begun uint64) {
	if m.written(g.ID).Load() == begun {
		m.games.Add(g.ID, g)
	}
}

// writtenGames are the games that a write has stored, in the order of its statements; memory has them when it is committed.
type writtenGames struct{ games []*game.Game }

type writtenKey struct{}

// noteGame notes that a game was stored by the write that tx belongs to.
func noteGame(tx *gorm.DB, g game.Game) {
	if w, noted := tx.Statement.Context.Value(writtenKey{}).(*writtenGames); noted {
		w.games = append(w.games, &g)
	}
}

// remembered is a job whose games memory has once it is committed.
func (m *memory) remembered(ctx context.Context, j job) (context.Context, job, *writtenGames) {
	w := &writtenGames{games: nil}
	do, committed := j.do, j.committed
	j.do = func(tx *gorm.DB) error {
		w.games = w.games[:0]
		return do(tx)
	}
	j.committed = func() {
		for _, g := range w.games {
			m.wrote(g)
		}
		if committed != nil {
			committed()
		}
	}
	return context.WithValue(ctx, writtenKey{}, w), j, w
}

// doubt drops the games of a write that failed: it may have been committed or not.
func (m *memory) doubt(w *writtenGames) {
	for _, g := range w.games {
		m.forget(g.ID)
	}
}
