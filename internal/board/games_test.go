package board_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fourinarow/fourinarow/internal/board"
)

// Random games are played on the board and by the oracle. The course of the game is compared at every ply of each of them,
// and all that a position tells at every ply of one in fifty. The soak plays a million.
func TestRandomGamesAgreeWithTheOracle(t *testing.T) {
	t.Parallel()
	const shards, games = 8, 10_000
	for shard := range shards {
		t.Run(fmt.Sprintf("shard %d", shard), func(t *testing.T) {
			t.Parallel()
			playRandomly(t, rand.New(rand.NewPCG(uint64(shard), 7)), games)
		})
	}
}

func playRandomly(t *testing.T, random *rand.Rand, games int) {
	t.Helper()
	for n := range games {
		playBoth(t, random, anyMove, n%50 == 0)
	}
}

// Random games are mostly over before lines die. Players who never win when they can help it fill the board.
func TestPeacefulGamesAgreeWithTheOracle(t *testing.T) {
	t.Parallel()
	const games = 2_000
	random := rand.New(rand.NewPCG(1, 42))
	dead, full := 0, 0
	for range games {
		end := playBoth(t, random, peacefulMove, true)
		if end.Full() {
			full++
		}
		if end.Dead() {
			dead++
		}
	}
	if dead < games/20 || full < games/20 {
		t.Fatalf("of %d games only %d filled the board and %d died: they show too little", games, full, dead)
	}
}

// playBoth plays one game on the board and by the oracle until it is over, and compares the winning fields at the end.
func playBoth(t *testing.T, random *rand.Rand, choose func(*rand.Rand, board.Position) board.Column, everything bool) board.Position {
	t.Helper()
	var p board.Position
	var o oracle
	moves := make([]byte, 0, board.Fields)
	for !o.over() {
		c := choose(random, p)
		next, err := p.Play(c)
		if err != nil {
			t.Fatalf("%s then %d: %v", moves, c, err)
		}
		p = next
		o.play(c)
		moves = append(moves, '0'+byte(c))
		if difference := differOnCourse(p, &o); difference != "" {
			t.Fatalf("%s: %s", moves, difference)
		}
		if everything {
			if difference := differOnPosition(p, &o); difference != "" {
				t.Fatalf("%s: %s", moves, difference)
			}
		}
	}
	if got, want := p.WinningFields(), o.winningFields(); !slices.Equal(got, want) {
		t.Fatalf("%s: winning fields %v, want %v", moves, got, want)
	}
	return p
}

func anyMove(random *rand.Rand, p board.Position) board.Column {
	for {
		if c := board.Column(1 + random.IntN(board.Columns)); p.CanPlay(c) {
			return c
		}
	}
}

// peacefulMove is a random move that doesn't win, while there is one.
func peacefulMove(random *rand.Rand, p board.Position) board.Column {
	legal := p.LegalColumns()
	random.Shuffle(len(legal), func(i, j int) { legal[i], legal[j] = legal[j], legal[i] })
	for _, c := range legal {
		if next, _ := p.Play(c); next.Winner() == board.NoSide {
			return c
		}
	}
	return legal[0]
}

// differOnCourse names the first difference in what a game needs to go on.
func differOnCourse(p board.Position, o *oracle) string {
	switch {
	case p.Ply() != o.ply:
		return fmt.Sprintf("ply %d, want %d", p.Ply(), o.ply)
	case p.Turn() != o.turn():
		return fmt.Sprintf("turn of %s, want %s", p.Turn(), o.turn())
	case p.Winner() != o.winner:
		return fmt.Sprintf("winner %q, want %q", p.Winner(), o.winner)
	case p.Over() != o.over():
		return fmt.Sprintf("over %t, want %t", p.Over(), o.over())
	case p.Full() != (o.ply == board.Fields):
		return fmt.Sprintf("full %t after %d plies", p.Full(), o.ply)
	}
	for c := board.Column(1); c <= board.Columns; c++ {
		if want := !o.over() && o.height[c] < board.Rows; p.CanPlay(c) != want {
			return fmt.Sprintf("column %d playable %t, want %t", c, p.CanPlay(c), want)
		}
	}
	return ""
}

// differOnPosition names the first difference in everything else.
func differOnPosition(p board.Position, o *oracle) string {
	if got, want := p.LegalColumns(), o.legalColumns(); !slices.Equal(got, want) {
		return fmt.Sprintf("legal columns %v, want %v", got, want)
	}
	if got, want := p.Dead(), o.dead(); got != want {
		return fmt.Sprintf("dead %t, want %t", got, want)
	}
	for _, side := range []board.Side{board.Red, board.Yellow} {
		if got, want := p.Threats(side), o.threats(side); !slices.Equal(got, want) {
			return fmt.Sprintf("threats of %s %v, want %v", side, got, want)
		}
	}
	if got, want := p.Picture(), o.picture(); got != want {
		return fmt.Sprintf("picture %q, want %q", got, want)
	}
	for column := 1; column <= board.Columns; column++ {
		got, ok := p.Landing(board.Column(column))
		want := board.Field{Column: board.Column(column), Row: o.height[column] + 1}
		if ok != want.Valid() || ok && got != want {
			return fmt.Sprintf("a disc lands on %v, want %v", got, want)
		}
	}
	if got, _ := p.Top(o.last.Column); got != o.last {
		return fmt.Sprintf("last disc on %v, want %v", got, o.last)
	}
	return ""
}
