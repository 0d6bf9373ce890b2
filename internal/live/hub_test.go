package live_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/live"
)

func woken(w *live.Waiter) bool {
	select {
	case <-w.Woken():
		return true
	default:
		return false
	}
}

// newHub returns a hub whose clock stands still.
func newHub(atMost int) *live.Hub {
	return live.NewHub(atMost, func() time.Time { return time.Unix(0, 0) })
}

func join(t *testing.T, h *live.Hub, who string, topics ...string) *live.Waiter {
	t.Helper()
	w, joined := h.Join(who, 4, topics...)
	require.True(t, joined)
	return w
}

func TestOnlyThoseWhoWaitForATopicAreWoken(t *testing.T) {
	t.Parallel()
	h := newHub(10)
	one, both, other := join(t, h, "a", "game"), join(t, h, "b", "game", "table"), join(t, h, "c", "another")
	h.Wake("game", "table")
	assert.True(t, woken(one))
	assert.True(t, woken(both))
	assert.False(t, woken(both), "two topics at once are one wake-up")
	assert.False(t, woken(other))
	h.Wake("nobody waits for this")
}

func TestAWakeUpBeforeTheWaitIsNotLost(t *testing.T) {
	t.Parallel()
	h := newHub(10)
	w := join(t, h, "a", "game")
	h.Wake("game")
	h.Wake("game")
	assert.True(t, woken(w))
}

func TestWhoLeftIsGone(t *testing.T) {
	t.Parallel()
	h := newHub(10)
	w := join(t, h, "a", "game")
	w.Leave()
	w.Leave()
	h.Wake("game")
	assert.False(t, woken(w))
	assert.Zero(t, h.Waiting())
}

func TestAWaiterIsToldOfAChangeItHasNotSeen(t *testing.T) {
	t.Parallel()
	h := newHub(10)
	w, fresh := join(t, h, "a", "list"), join(t, h, "b", "game")
	w.Saw("list", "1")
	w.Saw("game", "7")
	assert.ElementsMatch(t, []string{"list", "game"}, h.Watched())
	assert.Zero(t, h.Compare(map[string]string{"list": "1", "game": "7", "other": "3"}))
	assert.Equal(t, 1, h.Compare(map[string]string{"game": "8"}))
	assert.True(t, woken(w), "what it saw it waits for")
	assert.False(t, woken(fresh), "who hasn't read yet is about to")
	w.Leave()
	w.Saw("game", "8")
	fresh.Leave()
	assert.Empty(t, h.Watched())
}

func TestThereIsRoomForSoManyAndNobodyIsSentAway(t *testing.T) {
	t.Parallel()
	h := newHub(3)
	first := join(t, h, "a", "game")
	second, joined := h.Join("a", 2, "game")
	require.True(t, joined)
	_, joined = h.Join("a", 2, "game")
	assert.False(t, joined, "a has two already")
	third, joined := h.Join("b", 2, "game")
	require.True(t, joined)
	_, joined = h.Join("c", 2, "game")
	assert.False(t, joined, "the hub is full")
	second.Leave()
	_, joined = h.Join("c", 2, "game")
	assert.True(t, joined)
	h.Wake("game")
	assert.True(t, woken(first))
	assert.True(t, woken(third))
}

func TestAStoppedHubLetsEverybodyGoAndNobodyIn(t *testing.T) {
	t.Parallel()
	h := newHub(3)
	join(t, h, "a", "game")
	h.Stop()
	h.Stop()
	<-h.Stopping()
	_, joined := h.Join("b", 2, "game")
	assert.False(t, joined)
}

func TestJoiningWakingAndLeavingAtOnce(t *testing.T) {
	t.Parallel()
	h := newHub(1000)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 500 {
				w, joined := h.Join("a", 1000, "game", "table")
				if joined {
					h.Wake("game")
					<-w.Woken()
					w.Leave()
				}
			}
		})
	}
	all.Wait()
	assert.Zero(t, h.Waiting())
}

func TestWhoIsDismissedReceivesTheZeroTime(t *testing.T) {
	t.Parallel()
	h := newHub(10)
	gone, stays := join(t, h, "gone", "game", "table"), join(t, h, "stays", "game")
	assert.ElementsMatch(t, []string{"gone", "stays"}, h.Parties())
	h.Wake("game")
	h.Dismiss(func(who string) bool { return who == "gone" })
	h.Wake("game")
	at, other := <-gone.Woken(), <-stays.Woken()
	assert.True(t, at.IsZero(), "also in place of a wake-up that it hasn't looked at")
	assert.False(t, other.IsZero())
	gone.Leave()
	assert.Equal(t, []string{"stays"}, h.Parties())
}
