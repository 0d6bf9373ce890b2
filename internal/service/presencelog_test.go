package service_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// With a call of Keep each second, as the worker makes them.
func TestAnOwnerWhoseRequestWaitsIsStoredOftenEnoughForItsGraceAndNotOftener(t *testing.T) {
	t.Parallel()
	for grace, atMost := range map[string]int{"20": 12, "30": 7, "120": 6} {
		t.Run(grace, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, testkit.SQLite(t))
			w.rules(t, houserule.CoverGrace, grace, "20", "30", "60", "120")
			m := w.match(t, service.NewTable{})
			w.waits(t.Context(), t, m.yellow, m.game)
			seconds, err := time.ParseDuration(grace + "s")
			require.NoError(t, err)
			writes, last := 0, time.Time{}
			for range 60 {
				w.db.Clock.Advance(time.Second)
				require.NoError(t, w.Presence.Keep(t.Context()))
				seen := w.stored(t, m.table).Seats[1].Seen
				assert.Less(t, w.db.Clock.Now().Sub(seen), seconds/3)
				if seen.After(last) {
					writes, last = writes+1, seen
				}
			}
			assert.LessOrEqual(t, writes, atMost)
		})
	}
}

func TestAnOwnerWhoComesBackAfterALongSilenceIsStoredAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, testkit.SQLite(t))
	m := w.match(t, service.NewTable{})
	yellow := func() time.Time { return w.stored(t, m.table).Seats[1].Seen }
	require.NoError(t, w.Presence.Keep(t.Context()))

	w.db.Clock.Advance(time.Minute)
	ctx, leave := context.WithCancel(t.Context())
	answers := w.waits(ctx, t, m.yellow, m.game)
	require.NoError(t, w.Presence.Keep(t.Context()))
	last := w.db.Clock.Now()
	assert.Equal(t, last, yellow())
	leave()
	<-answers
	for range 10 {
		w.db.Clock.Advance(time.Minute)
		require.NoError(t, w.Presence.Keep(t.Context()))
		assert.Equal(t, last, yellow())
	}
	w.waits(t.Context(), t, m.yellow, m.game)
	require.NoError(t, w.Presence.Keep(t.Context()))
	assert.Equal(t, w.db.Clock.Now(), yellow())
}
