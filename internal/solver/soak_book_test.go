//go:build soak

package solver_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

// Each published score follows from the book's.
func TestSoakTheBookGivesEveryPublishedScoreUpToPly8(t *testing.T) {
	s := solver.New(solver.Options{EarlyTableBits: 0, Book: embedded(t)})
	checked := 0
	for ply := range 9 {
		keys, scores := readReference(t, ply)
		for i, key := range keys {
			r, err := s.SolveKey(context.Background(), key)
			require.NoError(t, err)
			require.True(t, r.Exact())
			require.Equal(t, scores[i], r.Lower, "ply %d, position %013x", ply, uint64(key))
		}
		checked += len(keys)
	}
	assert.Equal(t, 129_498, checked)
}

// outcomes is how many positions red wins, draws and loses.
type outcomes struct{ won, drawn, lost int }

// As many positions are won, drawn and lost as a strong solution of the whole game has found, mirror images and games
// that are over included.
func TestSoakTheBookCountsWonDrawnAndLostPositionsUpToPly8(t *testing.T) {
	s := solver.New(solver.Options{EarlyTableBits: 0, Book: embedded(t)})
	positions := []board.Position{{}}
	for ply, want := range []outcomes{
		{1, 0, 0},
		{1, 2, 4},
		{27, 12, 10},
		{35, 58, 145},
		{690, 200, 230},
		{1080, 697, 2486},
		{10889, 1943, 3590},
		{17507, 5944, 31408},
		{124624, 14676, 44975},
	} {
		var got outcomes
		for _, p := range positions {
			switch score := forRed(t, s, p); {
			case score > 0:
				got.won++
			case score < 0:
				got.lost++
			default:
				got.drawn++
			}
		}
		require.Equal(t, want, got, "ply %d", ply)
		positions = following(positions)
	}
}

// forRed is what a position is worth to red; of one that is over only the sign counts.
func forRed(t *testing.T, s *solver.Solver, p board.Position) int {
	t.Helper()
	switch p.Winner() {
	case board.Red:
		return 1
	case board.Yellow:
		return -1
	case board.NoSide:
	}
	r, err := s.Solve(context.Background(), p, -22, 22)
	require.NoError(t, err)
	require.True(t, r.Exact())
	if p.Turn() == board.Yellow {
		return -r.Lower
	}
	return r.Lower
}

// following lists the positions one ply after some, each once.
func following(positions []board.Position) []board.Position {
	seen := map[board.Position]struct{}{}
	var all []board.Position
	for _, p := range positions {
		for _, c := range p.LegalColumns() {
			next, err := p.Play(c)
			if err != nil {
				panic(err) // the column is legal
			}
			if _, again := seen[next]; !again {
				seen[next] = struct{}{}
				all = append(all, next)
			}
		}
	}
	return all
}

// Positions of the book, drawn at random, are searched without it: a tenth of these, 500, in the gate.
func TestSoakRandomPositionsOfTheBookAreRightWithoutIt(t *testing.T) {
	book := embedded(t)
	keys := solver.Keys(book.Ply())
	random := soak.Drawn(t).Source(book.Ply())
	sample := make([]solver.Key, soak.Scaled(t, 5000))
	for i := range sample {
		sample[i] = keys[random.IntN(len(keys))]
	}
	workers := runtime.GOMAXPROCS(0)
	t.Run("in parts", func(t *testing.T) {
		for part := range workers {
			t.Run(fmt.Sprintf("part %d", part), func(t *testing.T) {
				t.Parallel()
				s := solver.New(solver.Options{})
				for i := part; i < len(sample); i += workers {
					want, known := book.ScoreKey(sample[i])
					require.True(t, known)
					r, err := s.SolveKeyNear(context.Background(), sample[i], want)
					require.NoError(t, err)
					require.Equal(t, solver.Result{Lower: want, Upper: want, Nodes: r.Nodes}, r, "position %013x", uint64(sample[i]))
				}
			})
		}
	})
}
