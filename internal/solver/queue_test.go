package solver_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/solver"
)

// crowd is who waits for the only Solver of a pool, while the test has it.
type crowd struct {
	pool *solver.Pool
	all  sync.WaitGroup
	mu   sync.Mutex
	turn []string // whose it was, in order
}

// ask lets each of some askers wait for one turn, one after the other. "a1" is member 1 of group a.
func (c *crowd) ask(ctx context.Context, t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		c.all.Go(func() {
			err := c.pool.DoFor(ctx, asker(name), func(*solver.Solver) error {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.turn = append(c.turn, name)
				return nil
			})
			if err != nil {
				assert.ErrorIs(t, err, context.Canceled)
			}
		})
		synctest.Wait()
	}
}

func asker(name string) solver.Asker { return solver.Asker{Group: name[:1], Member: name[1:]} }

// held lets askers queue up while the only Solver is in use, and returns whose turn it was then.
func held(t *testing.T, queueUp func(t *testing.T, c *crowd)) string {
	t.Helper()
	var turns string
	synctest.Test(t, func(t *testing.T) {
		c := &crowd{pool: solver.NewPool(1, small)}
		require.NoError(t, c.pool.Do(t.Context(), func(*solver.Solver) error {
			queueUp(t, c)
			return nil
		}))
		c.all.Wait()
		turns = strings.Join(c.turn, " ")
	})
	return turns
}

func TestGroupsTakeTurnsAndSoDoTheirMembers(t *testing.T) {
	t.Parallel()
	for want, asked := range map[string]string{
		"a1 a2 a3":                "a1 a2 a3",
		"a1 b1 a1 a1":             "a1 a1 a1 b1",
		"a1 b1 c1 a2 b1 a1":       "a1 a1 a2 b1 b1 c1",
		"a1 b1 a2 a3 a1 a2 a1 a1": "a1 a1 a1 a1 a2 a2 a3 b1",
	} {
		assert.Equal(t, want, held(t, func(t *testing.T, c *crowd) { c.ask(t.Context(), t, strings.Fields(asked)...) }), asked)
	}
}

func TestWhoComesAgainWaitsForThoseWhoCameMeanwhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &crowd{pool: solver.NewPool(1, small)}
		require.NoError(t, c.pool.Do(t.Context(), func(*solver.Solver) error {
			c.ask(t.Context(), t, "a1", "a2", "a3")
			return nil
		}))
		c.all.Wait()
		require.NoError(t, c.pool.DoFor(t.Context(), asker("a1"), func(*solver.Solver) error {
			c.ask(t.Context(), t, "a2", "a3", "b1", "a1")
			return nil
		}))
		c.all.Wait()
		assert.Equal(t, "a1 a2 a3 b1 a2 a3 a1", strings.Join(c.turn, " "))
	})
}

func TestWhoGivesUpKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "a2 b1 b2", held(t, func(t *testing.T, c *crowd) {
		ctx, giveUp := context.WithCancel(t.Context())
		c.ask(ctx, t, "a1", "a1")
		c.ask(t.Context(), t, "b1", "a2", "b2")
		giveUp()
		synctest.Wait()
	}))
}

func TestTheQueueOfAMemberAGroupAndAllIsBounded(t *testing.T) {
	t.Parallel()
	ask := func(t *testing.T, c *crowd, group, member string, times int) {
		t.Helper()
		for range times {
			c.ask(t.Context(), t, group+member)
		}
	}
	refused := func(t *testing.T, c *crowd, name string) {
		t.Helper()
		err := c.pool.DoFor(t.Context(), asker(name), func(*solver.Solver) error { return nil })
		assert.ErrorIs(t, err, solver.ErrCrowded, name)
	}
	turns := held(t, func(t *testing.T, c *crowd) {
		ask(t, c, "a", "1", 8)
		refused(t, c, "a1")
		for _, member := range []string{"2", "3", "4"} {
			ask(t, c, "a", member, 8)
		}
		refused(t, c, "a5")
		for group := 'b'; group < 'b'+15; group++ {
			for _, member := range []string{"1", "2", "3", "4"} {
				ask(t, c, string(group), member, 8)
			}
		}
		refused(t, c, "z1")
	})
	assert.Len(t, strings.Fields(turns), 512, "who was let wait had a turn")
}
