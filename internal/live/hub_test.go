package live_test

import (
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/live"
)

// Topics of two kinds; the first two share an id.
var (
	aGame   = live.Topic{Kind: 1, ID: "1"}
	aTable  = live.Topic{Kind: 2, ID: "1"}
	another = live.Topic{Kind: 1, ID: "2"}
)

// device returns a party whose device, profile and address have the same name.
func device(id string) live.Party { return live.Party{Device: id, Profile: id, Address: id} }

// each allows so many waiters of each who are counted together.
func each(n int) live.Limits { return live.Limits{Device: n, Profile: n, Address: n, Strangers: n} }

func woken(w *live.Waiter) bool {
	select {
	case <-w.Woken():
		return true
	default:
		return false
	}
}

// newHub returns a hub whose clock stands still.
func newHub(atMost int, limits live.Limits) *live.Hub {
	return live.NewHub(atMost, limits, func() time.Time { return time.Unix(0, 0) })
}

func join(t *testing.T, h *live.Hub, who string, topic live.Topic) *live.Waiter {
	t.Helper()
	w, joined := h.Join(device(who), topic)
	require.True(t, joined)
	return w
}

func TestOnlyWaitersOfATopicAreWoken(t *testing.T) {
	t.Parallel()
	h := newHub(10, each(4))
	game, table, other := join(t, h, "a", aGame), join(t, h, "b", aTable), join(t, h, "c", another)
	h.Wake(aGame, live.Topic{Kind: 3, ID: "nobody waits for this"})
	assert.True(t, woken(game))
	assert.False(t, woken(game), "once")
	assert.False(t, woken(table), "the same id of another kind is another topic")
	assert.False(t, woken(other))
}

func TestAWakeUpBeforeTheWaitIsNotLost(t *testing.T) {
	t.Parallel()
	h := newHub(10, each(4))
	w := join(t, h, "a", aGame)
	h.Wake(aGame)
	h.Wake(aGame)
	assert.True(t, woken(w))
}

func TestAWaiterThatLeftIsGone(t *testing.T) {
	t.Parallel()
	h := newHub(10, each(4))
	w := join(t, h, "a", aGame)
	w.Leave()
	w.Leave()
	h.Wake(aGame)
	assert.False(t, woken(w))
	assert.Zero(t, h.Waiting())
}

func TestAWaiterIsWokenForAStateItHasNotRead(t *testing.T) {
	t.Parallel()
	h := newHub(10, each(4))
	w, fresh := join(t, h, "a", aGame), join(t, h, "b", another)
	w.Saw("7")
	assert.ElementsMatch(t, []live.Topic{aGame, another}, h.Watched())
	assert.Zero(t, h.Compare(map[live.Topic]string{aGame: "7", another: "1", aTable: "3"}))
	assert.Equal(t, 1, h.Compare(map[live.Topic]string{aGame: "8", another: "2"}))
	assert.True(t, woken(w))
	assert.False(t, woken(fresh), "it hasn't read any and is about to")
	second := join(t, h, "c", aGame)
	assert.Equal(t, map[live.Topic]string{aGame: "7"}, h.Read([]live.Topic{aGame, another, aTable}), "of the others nobody has read any")
	second.Saw("8")
	assert.Equal(t, map[live.Topic]string{aGame: ""}, h.Read([]live.Topic{aGame}), "two states were read")
	second.Leave()
	w.Leave()
	w.Saw("8")
	fresh.Leave()
	assert.Empty(t, h.Watched())
}

func TestThereIsRoomForSoManyAndNobodyIsSentAway(t *testing.T) {
	t.Parallel()
	h := newHub(3, each(2))
	first := join(t, h, "a", aGame)
	second, joined := h.Join(device("a"), aGame)
	require.True(t, joined)
	_, joined = h.Join(device("a"), aGame)
	assert.False(t, joined, "a has two already")
	third, joined := h.Join(device("b"), aGame)
	require.True(t, joined)
	_, joined = h.Join(device("c"), aGame)
	assert.False(t, joined, "the hub is full")
	second.Leave()
	_, joined = h.Join(device("c"), aGame)
	assert.True(t, joined)
	h.Wake(aGame)
	assert.True(t, woken(first))
	assert.True(t, woken(third))
}

func TestThoseCountedTogetherWaitSoManyTimes(t *testing.T) {
	t.Parallel()
	topic := func(i int) live.Topic { return live.Topic{Kind: 1, ID: strconv.Itoa(i)} }
	limits := live.Limits{Device: 2, Profile: 5, Address: 8, Strangers: 3}
	for name, tc := range map[string]struct {
		party func(i int) live.Party
		topic func(i int) live.Topic
		room  int
	}{
		"a device for one topic": {
			func(int) live.Party { return device("a") }, func(int) live.Topic { return aGame }, 2,
		},
		"a profile with many devices and topics": {
			func(i int) live.Party {
				return live.Party{Device: strconv.Itoa(i), Profile: "a", Address: strconv.Itoa(i)}
			}, topic, 5,
		},
		"an address with many profiles": {
			func(i int) live.Party {
				return live.Party{Device: strconv.Itoa(i), Profile: strconv.Itoa(i), Address: "a"}
			}, topic, 8,
		},
		"an address without a token": {
			func(int) live.Party { return live.Party{Device: "", Profile: "", Address: "a"} }, topic, 3,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHub(100, limits)
			var waiters []*live.Waiter
			for i := range 20 {
				if w, joined := h.Join(tc.party(i), tc.topic(i)); joined {
					waiters = append(waiters, w)
				}
			}
			require.Len(t, waiters, tc.room)
			other, joined := h.Join(device("other"), aGame)
			require.True(t, joined, "others have room")
			waiters[0].Leave()
			_, joined = h.Join(tc.party(0), tc.topic(0))
			assert.True(t, joined, "who leaves makes room")
			_, joined = h.Join(tc.party(1), tc.topic(1))
			assert.False(t, joined, "for one, and a refused one is not counted")
			other.Leave()
		})
	}
}

func TestStrangersAndPlayersOfAnAddressAreCountedApart(t *testing.T) {
	t.Parallel()
	h := newHub(100, live.Limits{Device: 1, Profile: 1, Address: 1, Strangers: 1})
	_, joined := h.Join(live.Party{Device: "", Profile: "", Address: "a"}, aGame)
	require.True(t, joined)
	_, joined = h.Join(device("a"), aGame)
	assert.True(t, joined)
}

func TestAStoppedHubLetsEverybodyGoAndNobodyIn(t *testing.T) {
	t.Parallel()
	h := newHub(3, each(2))
	join(t, h, "a", aGame)
	h.Stop()
	h.Stop()
	<-h.Stopping()
	_, joined := h.Join(device("b"), aGame)
	assert.False(t, joined)
}

func TestJoiningWakingAndLeavingAtOnce(t *testing.T) {
	t.Parallel()
	h := newHub(1000, each(1000))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 500 {
				w, joined := h.Join(device("a"), aGame)
				if joined {
					h.Wake(aGame)
					<-w.Woken()
					w.Leave()
				}
			}
		})
	}
	all.Wait()
	assert.Zero(t, h.Waiting())
}

func TestADismissedWaiterReceivesTheZeroTime(t *testing.T) {
	t.Parallel()
	h := newHub(10, each(4))
	gone, other := join(t, h, "gone", aGame), join(t, h, "other", aGame)
	assert.ElementsMatch(t, []live.Party{device("gone"), device("other")}, h.Parties())
	h.Wake(aGame)
	h.Dismiss(func(p live.Party) bool { return p.Device == "gone" })
	h.Wake(aGame)
	at, otherAt := <-gone.Woken(), <-other.Woken()
	assert.True(t, at.IsZero(), "also in place of a wake-up that it hasn't received")
	assert.False(t, otherAt.IsZero())
	gone.Leave()
	assert.Equal(t, []live.Party{device("other")}, h.Parties())
}
