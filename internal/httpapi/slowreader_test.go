package httpapi_test

import (
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit"
)

// sluggish is a connection whose client takes so many pieces of an answer, and then none.
type sluggish struct {
	http.ResponseWriter

	takes     int
	pieces    []int
	deadlines int           // that were set for writing
	stuck     chan struct{} // is closed when the client takes no more
	cut       chan struct{} // is closed when its time is up
}

func (s *sluggish) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// SetWriteDeadline counts deadlines.
func (s *sluggish) SetWriteDeadline(at time.Time) error {
	s.deadlines++
	return http.NewResponseController(s.ResponseWriter).SetWriteDeadline(at)
}

// Write sends a piece.
func (s *sluggish) Write(piece []byte) (int, error) {
	s.pieces = append(s.pieces, len(piece))
	if len(s.pieces) <= s.takes {
		return s.ResponseWriter.Write(piece)
	}
	close(s.stuck)
	<-s.cut
	return 0, os.ErrDeadlineExceeded
}

func TestASlowReaderHoldsNothingAndIsCutOff(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		slow := &sluggish{takes: 3, stuck: make(chan struct{}), cut: make(chan struct{})} //nolint:exhaustruct // counters
		store := &leavingStore{}
		w := serve(t, db, watched(store), func(w *world) {
			w.wrap = func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/v1/me/export" && slow.ResponseWriter == nil {
						slow.ResponseWriter = to
						to = slow
					}
					next.ServeHTTP(to, r)
				})
			}
		})
		m := w.match(t, public)
		m.play(t, redWins)
		m.many(t)
		ended := make(chan error, 1)
		go func() {
			_, err := m.red.exporting(t)
			ended <- err
		}()
		<-slow.stuck
		for name, pool := range db.Store.Pools() {
			if name != "writer" && name != "changes" {
				assert.Zero(t, pool.Stats().InUse, name)
			}
		}
		assert.LessOrEqual(t, store.seen(), 3, "what the client doesn't take isn't read")
		assert.Equal(t, http.StatusTooManyRequests, m.red.get(t, "/v1/me/export").status)
		close(slow.cut)
		require.ErrorIs(t, <-ended, io.ErrUnexpectedEOF)
		assert.Equal(t, len(slow.pieces)-1, slow.deadlines, "each piece has its own deadline; the first goes out in two, of which one was looked at")
		assert.LessOrEqual(t, slices.Max(slow.pieces), 40_000)
		require.Eventually(t, func() bool { return strings.Contains(w.log.String(), `"operation":"exportMe","status":499`) }, soon, time.Millisecond)
		assert.NotContains(t, w.log.String(), "a request failed", "that is nobody's fault")
		_, err := m.red.exporting(t)
		require.NoError(t, err, "it can be asked for again")
	})
}
