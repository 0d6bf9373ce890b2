package board_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fourinarow/fourinarow/internal/board"
)

// BenchmarkPlayAndJudge replays random games and after every ply asks whether it won, filled the board or killed the
// last line: what a service does with every move it is sent. One operation is one game.
func BenchmarkPlayAndJudge(b *testing.B) {
	games := randomGames(rand.New(rand.NewPCG(42, 42)), 4096)
	i, plies, ended := 0, 0, 0
	b.ReportAllocs()
	for b.Loop() {
		if playAndJudge(games[i]) {
			ended++
		}
		plies += len(games[i])
		i = (i + 1) % len(games)
	}
	if ended == 0 {
		b.Fatal("no game ended")
	}
	b.ReportMetric(float64(plies)/b.Elapsed().Seconds(), "plies/s")
}

// playAndJudge replays a game and says whether it came to an end with its last ply and no sooner.
func playAndJudge(game []board.Column) bool {
	var p board.Position
	ended := 0
	for _, c := range game {
		next, err := p.Play(c)
		if err != nil {
			return false
		}
		p = next
		if p.Winner() != board.NoSide || p.Full() || p.Dead() {
			ended++
		}
	}
	return ended == 1
}

// randomGames plays games of random moves by rules 1 to 3, to their ends.
func randomGames(random *rand.Rand, n int) [][]board.Column {
	games := make([][]board.Column, n)
	for i := range games {
		var p board.Position
		for legal := p.LegalColumns(); len(legal) > 0; legal = p.LegalColumns() {
			c := legal[random.IntN(len(legal))]
			p, _ = p.Play(c)
			games[i] = append(games[i], c)
		}
	}
	return games
}
