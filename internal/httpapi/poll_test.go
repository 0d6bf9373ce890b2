package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// soon is how long a test waits for what happens at once.
const soon = 20 * time.Second

func ifNoneMatch(lines ...string) []header {
	headers := make([]header, len(lines))
	for i, line := range lines {
		headers[i] = header{"If-None-Match", line}
	}
	return headers
}

func TestAnUnchangedGameIsNotSentAgainToWhoSaysSo(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, "44")
		game := gamePath(m.game)
		fresh := m.red.get(t, game)
		require.Equal(t, `W/"3-r"`, fresh.header.Get("ETag"))
		require.Equal(t, "private, no-cache", fresh.header.Get("Cache-Control"))
		require.Equal(t, "Authorization, Accept-Encoding", fresh.header.Get("Vary"))
		for _, row := range []struct {
			lines  []string
			status int
		}{
			{nil, 200},
			{[]string{`W/"3-r"`}, 304},
			{[]string{`"3-r"`}, 304},
			{[]string{`W/"3-r-gzip"`}, 304},
			{[]string{`"3-r-gzip"`}, 304},
			{[]string{`*`}, 304},
			{[]string{`W/"1-r", W/"3",W/"3-r"`}, 304},
			{[]string{`W/"1-r"`, `W/"3-r"`}, 304},
			{[]string{`W/"2-r"`}, 200},
			{[]string{`W/"33-r"`}, 200},
			{[]string{`W/"3"`, `"3-y", "3-gzip-r", "3-r-x", "3-R"`}, 200},
			{[]string{`W/""`}, 200},
			{[]string{`3`}, 200},
			{[]string{`nonsense, "`}, 200},
		} {
			answered := m.red.get(t, game, ifNoneMatch(row.lines...)...)
			assert.Equal(t, row.status, answered.status, "%q", row.lines)
			assert.Equal(t, `W/"3-r"`, answered.header.Get("ETag"), "%q", row.lines)
			if row.status == http.StatusNotModified {
				assert.Empty(t, answered.body, "%q", row.lines)
				continue
			}
			assert.Equal(t, timeless(fresh.body), timeless(answered.body), "unchanged is the same, byte for byte")
		}
		assert.Equal(t, http.StatusOK, m.red.get(t, game+"?after_version=3").status, "304 is for those who sent the header")
		assert.Equal(t, `W/"2.3-1"`, m.red.get(t, tablePath(m.table.ID)).header.Get("ETag"))
		assert.Equal(t, http.StatusNotModified, m.red.get(t, tablePath(m.table.ID), ifNoneMatch(`"2.3-1"`)...).status)
		assert.Equal(t, http.StatusOK, m.red.get(t, tablePath(m.table.ID), ifNoneMatch(`"2.2-1"`)...).status)
	})
}

var timeFields = regexp.MustCompile(`"(server_time_ms|remaining_ms)":\d+`)

// timeless leaves out of a body what changes by the clock alone.
func timeless(body []byte) string { return timeFields.ReplaceAllString(string(body), "") }

// later starts a request and returns where its answer will be.
func later(t *testing.T, w *world, send func() answer) <-chan answer {
	t.Helper()
	waiting := w.Hub.Waiting()
	answers := make(chan answer, 1)
	go func() { answers <- send() }()
	require.Eventually(t, func() bool { return w.Hub.Waiting() > waiting }, soon, time.Millisecond, "it waits")
	return answers
}

// within waits for an answer.
func within(t *testing.T, answers <-chan answer) answer {
	t.Helper()
	select {
	case a := <-answers:
		return a
	case <-time.After(soon):
		require.Fail(t, "no answer")
		return answer{}
	}
}

func TestAWaitingPollIsAnsweredWithAMoveAtOnce(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		game, table := gamePath(m.game), tablePath(m.table.ID)
		byVersion := later(t, w, func() answer { return m.yellow.get(t, game+"?after_version=1&wait=25") })
		byTag := later(t, w, func() answer { return w.get(t, game+"?wait=25", ifNoneMatch(`W/"1"`)...) })
		atTable := later(t, w, func() answer { return m.yellow.get(t, table+"?wait=25", ifNoneMatch(`W/"2.1-2"`)...) })
		atTableByVersion := later(t, w, func() answer { return m.yellow.get(t, table+"?after_version=2&wait=25") })
		m.red.plays(t, m.game, 4, 1)
		for _, heard := range []<-chan answer{byVersion, byTag} {
			g := decode[api.Game](t, within(t, heard), http.StatusOK)
			assert.EqualValues(t, 2, g.Version)
			assert.Equal(t, "4", g.Moves)
		}
		assert.EqualValues(t, 2, decode[api.GameTable](t, within(t, atTable), http.StatusOK).CurrentGame.Version)
		m.yellow.post(t, game+"/resignation", "")
		assert.Equal(t, "between_games", decode[api.GameTable](t, within(t, atTableByVersion), http.StatusOK).Status)
	})
}

func TestTheHostsPollIsAnsweredWithAGuestAtOnce(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host, guest := w.guest(t, "Ola"), w.guest(t, "Иван")
		table := host.opens(t, private)
		heard := later(t, w, func() answer { return host.get(t, tablePath(table.ID)+"?after_version=1&wait=25") })
		guest.joins(t, table)
		assert.Equal(t, "playing", decode[api.GameTable](t, within(t, heard), http.StatusOK).Status)
	})
}

func TestOnlyWhoSaidWhatItHasSeenWaits(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, "4")
		for _, query := range []string{
			"?wait=25", "?after_version=1&wait=25", "?after_version=0&wait=25", "?after_version=99&wait=25", "?after_version=2", "?after_version=2&wait=0",
		} {
			g := decode[api.Game](t, m.red.get(t, gamePath(m.game)+query), http.StatusOK)
			assert.EqualValues(t, 2, g.Version, query)
		}
	})
}

func TestAWaitThatBringsNothingEnds(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		game := gamePath(m.game)
		unchanged := m.red.get(t, game+"?wait=1", ifNoneMatch(`W/"1-r"`)...)
		assert.Equal(t, http.StatusNotModified, unchanged.status)
		same := m.red.get(t, game+"?after_version=1&wait=1")
		assert.EqualValues(t, 1, decode[api.Game](t, same, http.StatusOK).Version)
		assert.Zero(t, w.Hub.Waiting())
	})
}

// A wait is cut to the limit of the service.
func TestALongWaitIsCut(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), configured("WAIT_MAX_SECONDS=1"))
	m := w.match(t, public)
	assert.EqualValues(t, 1, decode[api.Game](t, m.red.get(t, gamePath(m.game)+"?after_version=1&wait=3600"), http.StatusOK).Version)
}

// The deadlines of the server are for those who don't wait.
func TestAWaitOutlivesTheTimeoutsOfTheServer(t *testing.T) {
	t.Parallel()
	db := testkit.SQLite(t)
	m := serve(t, db).match(t, public)
	w := serve(t, db, configured("WRITE_TIMEOUT=1500ms", "READ_TIMEOUT=1500ms"))
	began := later(t, w, func() answer { return w.get(t, gamePath(m.game)+"?after_version=1&wait=2") })
	assert.EqualValues(t, 1, decode[api.Game](t, within(t, began), http.StatusOK).Version)
	assert.NotContains(t, w.log.String(), `"status":499`, "nobody went away")
	assert.Equal(t, http.StatusOK, w.get(t, gamePath(m.game)).status, "the connection is good for more")
}

func TestAClientThatGoesAwayFreesItsPlace(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		ctx, leave := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.url+gamePath(m.game)+"?after_version=1&wait=25", http.NoBody)
		require.NoError(t, err)
		ended := make(chan error, 1)
		go func() {
			response, err := w.http.Do(r)
			if err == nil {
				err = response.Body.Close()
			}
			ended <- err
		}()
		require.Eventually(t, func() bool { return w.Hub.Waiting() == 1 }, soon, time.Millisecond)
		leave()
		require.ErrorIs(t, <-ended, context.Canceled)
		require.Eventually(t, func() bool { return w.Hub.Waiting() == 0 }, soon, time.Millisecond)
		require.Eventually(t, func() bool { return strings.Contains(w.log.String(), `"status":499`) }, soon, time.Millisecond)
		assert.NotContains(t, w.log.String(), "a request failed", "that is nobody's fault")
	})
}

func TestOneTooManyIsToldToComeBack(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), configured("WAITERS_PER_TOKEN_AND_GAME=2", "WAITERS_PER_ADDRESS=1", "WAITERS_TOTAL=4"))
	m := w.match(t, public)
	game := gamePath(m.game) + "?after_version=1&wait=25"
	waiting := []<-chan answer{
		later(t, w, func() answer { return m.red.get(t, game) }),
		later(t, w, func() answer { return m.red.get(t, game) }),
		later(t, w, func() answer { return w.get(t, game) }),
	}
	crowded := func(a answer) {
		g := decode[api.Game](t, a, http.StatusOK)
		assert.EqualValues(t, 5000, *g.PollAfterMs)
		assert.EqualValues(t, 1, g.Version)
	}
	crowded(m.red.get(t, game))
	crowded(w.get(t, game))
	waiting = append(waiting, later(t, w, func() answer { return m.yellow.get(t, game) }))
	crowded(m.yellow.get(t, game)) // the process is full
	m.red.plays(t, m.game, 4, 1)
	for _, heard := range waiting {
		assert.EqualValues(t, 2, decode[api.Game](t, within(t, heard), http.StatusOK).Version, "nobody was sent away for another")
	}
}

func TestAProfileLeavesOthersRoomToWait(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), configured("WAITERS_PER_PROFILE=2", "WAITERS_WITH_TOKEN_PER_ADDRESS=3"))
	m := w.match(t, public)
	second, third := m.red.another(t), m.red.another(t)
	path := gamePath(m.game) + "?after_version=1&wait=25"
	crowds := func(p player) {
		assert.EqualValues(t, 5000, *decode[api.Game](t, p.get(t, path), http.StatusOK).PollAfterMs)
	}
	waiting := []<-chan answer{
		later(t, w, func() answer { return m.red.get(t, path) }),
		later(t, w, func() answer { return second.get(t, path) }),
	}
	crowds(third) // of the same player
	waiting = append(waiting, later(t, w, func() answer { return m.yellow.get(t, path) }))
	crowds(m.yellow) // the address has as many as it may
	m.red.plays(t, m.game, 4, 1)
	for _, heard := range waiting {
		assert.EqualValues(t, 2, decode[api.Game](t, within(t, heard), http.StatusOK).Version)
	}
}

func TestAStoppingServiceAnswersWaitingRequests(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		game := gamePath(m.game)
		byVersion := later(t, w, func() answer { return m.red.get(t, game+"?after_version=1&wait=25") })
		byTag := later(t, w, func() answer { return m.yellow.get(t, game+"?wait=25", ifNoneMatch(`"1-y"`)...) })
		w.Hub.Stop()
		g := decode[api.Game](t, within(t, byVersion), http.StatusOK)
		assert.EqualValues(t, 1, g.Version)
		assert.GreaterOrEqual(t, *g.PollAfterMs, int32(500))
		assert.Equal(t, http.StatusNotModified, within(t, byTag).status)
	})
}

// meddler lets something happen between a reader's look at a game and its wait.
type meddler struct {
	service.GameStore
	between chan func()
}

// Game reads a game; then what was planned happens.
func (m *meddler) Game(ctx context.Context, id game.ID) (game.Game, error) {
	g, err := m.GameStore.Game(ctx, id)
	select {
	case happen := <-m.between:
		happen()
	default:
	}
	return g, err
}

func TestAMoveBetweenReadAndWaitIsAnswered(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		moved := make(chan answer, 1)
		w.meddler.between <- func() { moved <- m.red.move(t, m.game, 4, 1) }
		heard := m.yellow.get(t, gamePath(m.game)+"?after_version=1&wait=25")
		assert.EqualValues(t, 2, decode[api.Game](t, heard, http.StatusOK).Version)
		assert.Equal(t, http.StatusOK, (<-moved).status)
	}, func(w *world) {
		w.meddler = &meddler{GameStore: nil, between: make(chan func(), 1)}
		w.wired(func(d *service.Outside) { w.meddler.GameStore, d.Games = d.Games, w.meddler })
	})
}

// Moves and waits in every order that chance brings: each is heard, and never by a timeout.
func TestMovesAndWaitsInterleave(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		const games, plies = 5, 40
		for range games {
			m := w.match(t, `{"visibility":"public","settings":{"end_dead_positions":false}}`)
			moves := "561161122427524667121576472757336533544433"[:plies]
			for i, digit := range []byte(moves) {
				mover, reader := m.red, m.yellow
				if i%2 == 1 {
					mover, reader = reader, mover
				}
				heard := make(chan answer, 1)
				go func() {
					heard <- reader.get(t, fmt.Sprintf("%s?after_version=%d&wait=30", gamePath(m.game), i+1))
				}()
				mover.plays(t, m.game, int(digit-'0'), i+1)
				assert.EqualValues(t, i+2, decode[api.Game](t, within(t, heard), http.StatusOK).Version)
			}
		}
	}, configured("RATE_LIMIT=off"))
}
