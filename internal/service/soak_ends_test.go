//go:build soak

package service_test

import (
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

func TestSoakTheLastDiscAResignationAndADeadlineTogetherAreOneResult(t *testing.T) {
	endTogether(t, soak.Scaled(t, 1000))
}

// Two thousand games of two hundred players are finished by 32 clients on two replicas, some from both sides at once.
// Nobody waits in a circle, no change of a rating is lost, and everything adds up.
func TestSoakManyGamesEndAtOnceAndAddUp(t *testing.T) {
	const players, clients = 200, 32
	db := testkit.Postgres(t)
	f := newFleet(t, db, players)
	all := deeds()
	var left, begun atomic.Int64
	left.Store(int64(soak.Scaled(t, 2000)))
	began := time.Now()
	var work sync.WaitGroup
	for client := range clients {
		dice := rand.New(rand.NewPCG(1, uint64(client)))
		w := f.replicas[client%len(f.replicas)]
		work.Go(func() {
			for left.Add(-1) >= 0 {
				m, err := f.pair(t, w, dice)
				if !assert.NoError(t, err) {
					return
				}
				begun.Add(1)
				m.play(t, shortWin[:2+dice.IntN(5)])
				replica := dice.IntN(len(f.replicas))
				var ends sync.WaitGroup
				for i, name := range [][]string{
					{"red resigns"}, {"yellow resigns", "red resigns"}, {"yellow leaves", "the next disc"}, {"the next disc", "red resigns"},
				}[dice.IntN(4)] {
					ends.Go(func() {
						var known *fault.Error
						err := all[name](t, f.replicas[(replica+i)%len(f.replicas)], m)
						assert.True(t, err == nil || errors.As(err, &known) && known.Kind() != fault.Unavailable, "%s: %v", name, err)
					})
				}
				ends.Wait()
				f.end(t, m)
			}
		})
	}
	work.Wait()
	t.Logf("%d games of %d players in %s", begun.Load(), players, time.Since(began).Round(time.Millisecond))
	var deadlocks int
	require.NoError(t, db.SQL(t).QueryRowContext(t.Context(),
		"SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").Scan(&deadlocks))
	assert.Zero(t, deadlocks)
	assert.Empty(t, differences(t, db))
	requireSums(t, db)
}

// pair lets two players sit down who have room for another table.
func (f *fleet) pair(t *testing.T, w *world, dice *rand.Rand) (*match, error) {
	t.Helper()
	for {
		red := dice.IntN(len(f.players))
		m := &match{w: w, red: f.players[red], yellow: f.players[(red+1+dice.IntN(len(f.players)-1))%len(f.players)]}
		opened, err := w.Tables.Open(t.Context(), m.red, service.NewTable{
			Visibility: "public", Ranked: true, Choices: service.Choices{houserule.CPUCover: houserule.Switch(dice.IntN(2) == 0)},
		})
		if fault.Is(err, fault.TooManyTables) {
			continue
		}
		if err != nil {
			return nil, err
		}
		seated, err := w.Tables.TakeSeat(t.Context(), m.yellow, opened.Table.ID, "", 0)
		if fault.Is(err, fault.TooManyTables) {
			if err = w.Tables.Leave(t.Context(), m.red, opened.Table.ID); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		m.table, m.game = seated.Table.ID, seated.Table.Game.ID
		return m, nil
	}
}
