//go:build soak

package board_test

import (
	"fmt"
	"testing"

	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

func TestSoakAMillionRandomGamesAgreeWithTheOracle(t *testing.T) {
	t.Parallel()
	const shards, games = 8, 125_000
	luck := soak.Drawn(t)
	for shard := range shards {
		t.Run(fmt.Sprintf("shard %d", shard), func(t *testing.T) {
			t.Parallel()
			playRandomly(t, luck.Source(shard), soak.Scaled(t, games))
		})
	}
}
