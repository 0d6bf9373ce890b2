package fourinarow_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api/client"
	fourinarow "github.com/fourinarow/fourinarow/sdk/go"
)

// What follows is about time and about answers that a service gives only on a bad day: they are scripted, and time is that of a
// synctest bubble.

var gameID = fourinarow.UUID{1}

// gameAt is a game of a version, over or not.
func gameAt(version int, more string) reply {
	return reply{body: fmt.Sprintf(`{"id": %q, "version": %d, "poll_after_ms": 3000 %s}`, gameID, version, more)}
}

const over = `, "result": {"outcome": "draw", "fields": []}`

// reply is what a script answers: by default 200 and JSON.
type reply struct {
	status int
	kind   string
	body   string
	header string        // Retry-After
	after  time.Duration // it takes
	err    error         // in place of an answer
}

// refused says that a call ended with a problem of this code.
func refused(t *testing.T, code string, err error) {
	t.Helper()
	_ = problem(t, code, err) // it is checked
}

// problem is what a call ended with.
func problem(t *testing.T, code string, err error) *fourinarow.Problem {
	t.Helper()
	var p *fourinarow.Problem
	require.ErrorAs(t, err, &p)
	assert.Equal(t, code, p.Code, err)
	return p
}

// transport makes an HTTP client of a function.
type transport func(*http.Request) (*http.Response, error)

func (do transport) RoundTrip(r *http.Request) (*http.Response, error) { return do(r) }

func through(do transport) fourinarow.Option {
	return fourinarow.HTTPClient(&http.Client{Transport: do})
}

// script answers request by request, and notes what was asked and when. After its last reply it fails the test.
type script struct {
	t       *testing.T
	replies []reply
	began   time.Time

	mu    sync.Mutex
	asked []string
	at    []time.Duration
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.asked = append(s.asked, r.Method+" "+r.URL.RequestURI())
	s.at = append(s.at, time.Since(s.began))
	number := len(s.asked)
	s.mu.Unlock()
	if number > len(s.replies) {
		s.t.Errorf("asked once more: %s %s", r.Method, r.URL.RequestURI())
		return nil, errors.New("the script is over")
	}
	said := s.replies[number-1]
	select {
	case <-time.After(said.after):
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	if said.err != nil {
		return nil, said.err
	}
	if said.status == 0 {
		said.status, said.kind = http.StatusOK, "application/json"
	}
	header := http.Header{"Content-Type": {said.kind}}
	if said.header != "" {
		header.Set("Retry-After", said.header)
	}
	return &http.Response{StatusCode: said.status, Header: header, Body: io.NopCloser(strings.NewReader(said.body)), Request: r}, nil
}

// scripted runs a test in a bubble, with a client that is answered by the script.
func scripted(t *testing.T, replies []reply, test func(t *testing.T, four *fourinarow.Client, s *script)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &script{t: t, replies: replies, began: time.Now()}
		four, err := fourinarow.New("https://four.example", fourinarow.HTTPClient(&http.Client{Transport: s}))
		require.NoError(t, err)
		test(t, four, s)
		assert.Len(t, s.asked, len(replies))
	})
}

// versions follows the game to its end.
func versions(ctx context.Context, four *fourinarow.Client, options ...fourinarow.FollowOption) (seen []int64, err error) {
	for game, err := range four.Follow(ctx, gameID, options...) {
		if err != nil {
			return seen, err
		}
		seen = append(seen, game.Version)
	}
	return seen, nil
}

func TestAFollowerGoesOnThroughFailuresAndSaysSo(t *testing.T) {
	t.Parallel()
	broken, html := reply{err: errors.New("connection reset by peer")}, reply{status: http.StatusBadGateway, kind: "text/html"}
	portal := reply{status: http.StatusOK, kind: "text/html", body: "<html>Sign in to this network"}
	replies := []reply{gameAt(1, ""), broken, gameAt(2, ""), broken, html, portal, gameAt(2, ""), gameAt(3, over)}
	scripted(t, replies, func(t *testing.T, four *fourinarow.Client, s *script) {
		var told []bool
		seen, err := versions(t.Context(), four, fourinarow.OnConnection(func(connected bool) { told = append(told, connected) }))
		require.NoError(t, err)
		assert.Equal(t, []int64{1, 2, 3}, seen)
		assert.Equal(t, []bool{false, true}, told, "told of the longer failure alone")
		game := "GET /v1/games/" + gameID.String()
		assert.Equal(t, []string{
			game, game + "?after_version=1&wait=25", game + "?after_version=1", // at once, to say that it is back
			game + "?after_version=2&wait=25", game + "?after_version=2", game + "?after_version=2", game + "?after_version=2",
			game + "?after_version=2&wait=25",
		}, s.asked)
	})
}

func TestAFollowerTakesAnOlderVersionOnlyWhenTheServiceWasRestored(t *testing.T) {
	t.Parallel()
	scripted(t, []reply{gameAt(7, ""), gameAt(4, ""), gameAt(5, over)}, func(t *testing.T, four *fourinarow.Client, _ *script) {
		seen, err := versions(t.Context(), four)
		require.NoError(t, err)
		assert.Equal(t, []int64{7, 4, 5}, seen)
	})
}

func TestAnAnswerThatAMoveHasOvertakenIsNotShown(t *testing.T) {
	t.Parallel()
	late := gameAt(2, "")
	late.after = 2 * time.Second
	replies := []reply{gameAt(1, ""), late, gameAt(3, ""), gameAt(3, ""), gameAt(4, over)}
	scripted(t, replies, func(t *testing.T, four *fourinarow.Client, s *script) {
		moved := make(chan error)
		time.AfterFunc(time.Second, func() {
			_, err := four.Move(t.Context(), &fourinarow.Game{Game: client.Game{ID: gameID}}, 4)
			moved <- err
		})
		seen, err := versions(t.Context(), four)
		require.NoError(t, err)
		assert.Equal(t, []int64{1, 3, 4}, seen)
		assert.Equal(t, "POST", s.asked[2][:4], "the move, while the follower waited")
		require.NoError(t, <-moved)
	})
}

func TestAFollowerThatIsAnsweredEarlyDoesNotAskAgainAtOnce(t *testing.T) {
	t.Parallel()
	held := gameAt(1, "")
	held.after = 25 * time.Second
	scripted(t, []reply{gameAt(1, ""), gameAt(1, ""), held, gameAt(2, over)}, func(t *testing.T, four *fourinarow.Client, s *script) {
		_, err := versions(t.Context(), four)
		require.NoError(t, err)
		assert.Equal(t, []time.Duration{0, 0, 3 * time.Second, 28 * time.Second}, s.at)
	})
}

func TestAFollowerEndsWithWhatWillNotPass(t *testing.T) {
	t.Parallel()
	gone := reply{status: http.StatusNotFound, kind: "application/problem+json", body: `{"code": "not_found"}`}
	scripted(t, []reply{gone}, func(t *testing.T, four *fourinarow.Client, _ *script) {
		_, err := versions(t.Context(), four)
		refused(t, "not_found", err)
	})
	scripted(t, []reply{{status: http.StatusNotFound, kind: "text/html"}}, func(t *testing.T, four *fourinarow.Client, _ *script) {
		_, err := versions(t.Context(), four)
		assert.Equal(t, http.StatusNotFound, problem(t, fourinarow.CodeNotTheService, err).Status)
	})
}

func TestATableThatMovedIsFollowedWhereItMovedTo(t *testing.T) {
	t.Parallel()
	other := fourinarow.UUID{2}
	replies := []reply{
		{body: fmt.Sprintf(`{"id": %q, "version": 1}`, gameID)},
		{body: fmt.Sprintf(`{"id": %q, "version": 2, "close_reason": "moved", "moved_to_table_id": %q}`, gameID, other)},
		{body: fmt.Sprintf(`{"id": %q, "version": 1, "current_game_id": %q, "close_reason": "left"}`, other, gameID)},
		gameAt(9, over),
	}
	scripted(t, replies, func(t *testing.T, four *fourinarow.Client, s *script) {
		for game, err := range four.FollowTable(t.Context(), gameID) {
			require.NoError(t, err)
			assert.EqualValues(t, 9, game.Version)
		}
		assert.Equal(t, "GET /v1/tables/"+other.String(), s.asked[2])
	})
}

func TestAGameThatWasForgottenByRestoringIsLeftForTheOneOfTheTable(t *testing.T) {
	t.Parallel()
	forgotten := fourinarow.UUID{3}
	gone := reply{status: http.StatusNotFound, kind: "application/problem+json", body: `{"code": "not_found"}`}
	table := func(version int, game fourinarow.UUID, more string) reply {
		return reply{body: fmt.Sprintf(`{"id": %q, "version": %d, "current_game_id": %q %s}`, gameID, version, game, more)}
	}
	replies := []reply{table(5, forgotten, ""), gone, table(3, gameID, ""), gameAt(2, over), table(4, gameID, `, "close_reason": "left"`)}
	scripted(t, replies, func(t *testing.T, four *fourinarow.Client, _ *script) {
		for game, err := range four.FollowTable(t.Context(), gameID) {
			require.NoError(t, err)
			assert.EqualValues(t, 2, game.Version)
		}
	})
	scripted(t, []reply{table(5, forgotten, ""), gone, table(5, forgotten, ""), gone}, func(t *testing.T, four *fourinarow.Client, _ *script) {
		for _, err := range four.FollowTable(t.Context(), gameID) {
			refused(t, "not_found", err)
		}
	})
}

func TestWhatAServiceAsksToWaitIsWaited(t *testing.T) {
	t.Parallel()
	busy := func(header, body string) reply {
		return reply{status: http.StatusTooManyRequests, kind: "application/problem+json", header: header, body: body}
	}
	away := reply{status: http.StatusServiceUnavailable, kind: "text/plain", header: "30"}
	replies := []reply{busy("1", `{"code": "rate_limited", "retry_after_ms": 1700}`), gameAt(1, ""), away, gameAt(2, "")}
	scripted(t, replies, func(t *testing.T, four *fourinarow.Client, s *script) {
		for range 2 {
			_, err := four.Games.Get(t.Context(), gameID)
			require.NoError(t, err)
		}
		assert.Equal(t, []time.Duration{0, 1700 * time.Millisecond, 1700 * time.Millisecond, 31700 * time.Millisecond}, s.at)
	})
	scripted(t, []reply{busy("90", `{"code": "rate_limited"}`)}, func(t *testing.T, four *fourinarow.Client, s *script) {
		_, err := four.Games.Get(t.Context(), gameID)
		assert.Equal(t, 90*time.Second, problem(t, "rate_limited", err).RetryAfter, "longer than it is repeated: said at once")
		assert.Zero(t, time.Since(s.began))
	})
}

func TestAMoveIsRepeatedForAMinuteAndNoLonger(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked, isOff := 0, false
		four, err := fourinarow.New("https://four.example", through(func(r *http.Request) (*http.Response, error) {
			if isOff {
				asked++
				return nil, errors.New("no such host")
			}
			return (&script{t: t, replies: []reply{gameAt(1, "")}}).RoundTrip(r)
		}))
		require.NoError(t, err)
		game, err := four.Games.Get(t.Context(), gameID)
		require.NoError(t, err)
		isOff = true
		began := time.Now()
		_, err = four.Move(t.Context(), game, 4)
		refused(t, fourinarow.CodeConnectionFailed, err)
		assert.Greater(t, time.Since(began), 30*time.Second)
		assert.LessOrEqual(t, time.Since(began), time.Minute)
		assert.Less(t, asked, 60, "with longer and longer pauses")

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = four.Move(ctx, game, 4)
		refused(t, fourinarow.CodeTimedOut, err)
	})
}

func TestAClockGoesOnByTheTimeThatPassed(t *testing.T) {
	t.Parallel()
	scripted(t, []reply{gameAt(1, `, "turn": "red", "remaining_ms": 21034`)}, func(t *testing.T, four *fourinarow.Client, _ *script) {
		game, err := four.Games.Get(t.Context(), gameID)
		require.NoError(t, err)
		for _, left := range []time.Duration{21034, 11034, 1034, 0} {
			got, runs := game.Remaining(client.SideRed)
			assert.True(t, runs)
			assert.Equal(t, left*time.Millisecond, got)
			<-time.After(10 * time.Second)
		}
		_, runs := game.Remaining(client.SideYellow)
		assert.False(t, runs, "yellow's stands")
	})
}
