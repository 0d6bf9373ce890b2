package fourinarow

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

const (
	firstBackoff = 250 * time.Millisecond
	mostBackoff  = 10 * time.Second
	// firstWithin is how long requests are repeated of a client that was never answered: its base URL may be wrong.
	firstWithin = 5 * time.Second
)

// sender sends requests of the generated client. It knows the token, how long to wait, and what may be sent again.
type sender struct {
	http      *http.Client
	within    time.Duration // for an answer, on top of the wait that was asked for
	repeatFor time.Duration
	token     func() (string, error)
	answered  atomic.Bool
}

// manner is how one request is sent, in place of what its method says.
type manner struct {
	repeat bool
	lost   bool // set when an answer may have got lost
}

type mannerKey struct{}

func (m *manner) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, mannerKey{}, m)
}

// repeated is for what is the same when it is asked for twice.
func repeated(ctx context.Context) context.Context { return (&manner{repeat: true}).in(ctx) }

// Do sends a request, and sends it again where that is the same. What it answers has been read whole.
func (s *sender) Do(r *http.Request) (*http.Response, error) {
	how, ok := r.Context().Value(mannerKey{}).(*manner)
	if !ok {
		how = &manner{repeat: r.Method != http.MethodPost && r.Method != http.MethodPatch}
	}
	began := time.Now()
	for try := 0; ; try++ {
		answer, err := s.once(r)
		if !how.repeat || !passes(answer, err) {
			return answer, err
		}
		how.lost = how.lost || err != nil
		pause := backoff(try)
		if err == nil {
			pause = max(pause, refusedUntil(answer))
		}
		if time.Since(began)+pause > s.patience() {
			return answer, err
		}
		if err := sleep(r.Context(), pause); err != nil {
			return nil, err
		}
	}
}

func (s *sender) patience() time.Duration {
	if s.answered.Load() {
		return s.repeatFor
	}
	return min(s.repeatFor, firstWithin)
}

func (s *sender) once(r *http.Request) (*http.Response, error) {
	within := s.within
	if wait, err := strconv.Atoi(r.URL.Query().Get("wait")); err == nil {
		within += time.Duration(wait) * time.Second
	}
	ctx, cancel := context.WithTimeout(r.Context(), within)
	defer cancel()
	again := r.Clone(ctx)
	if r.GetBody != nil {
		body, err := r.GetBody()
		if err != nil {
			return nil, unanswered(r.Context(), err)
		}
		again.Body = body
	}
	answer, err := s.http.Do(again) //nolint:gosec // to the base URL that the program named
	if err != nil {
		return nil, unanswered(r.Context(), err)
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close() // it is read
	if err != nil {
		return nil, unanswered(r.Context(), err)
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	if answer.StatusCode < http.StatusInternalServerError && isJSON(answer.Header) {
		s.answered.Store(true)
	}
	return answer, nil
}

// authorize is a request editor.
func (s *sender) authorize(_ context.Context, r *http.Request) error {
	r.Header.Set("User-Agent", "fourinarow-go/"+Version)
	token, err := s.token()
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return err
}

// passes says whether a failure is one of the moment.
func passes(answer *http.Response, err error) bool {
	if err != nil {
		return !errors.Is(err, context.Canceled)
	}
	return answer.StatusCode >= http.StatusInternalServerError || answer.StatusCode == http.StatusTooManyRequests ||
		answer.StatusCode == http.StatusRequestTimeout
}

// refusedUntil is how long an answer asks to wait.
func refusedUntil(answer *http.Response) time.Duration {
	body, err := io.ReadAll(answer.Body)
	answer.Body = io.NopCloser(bytes.NewReader(body)) // the caller reads it too
	if err != nil {
		return 0
	}
	return refusal(answer.StatusCode, answer.Header, body).RetryAfter
}

// backoff is a random pause, longer from try to try.
func backoff(try int) time.Duration {
	return rand.N(min(mostBackoff, firstBackoff<<min(try, 10))) //nolint:gosec // clients shall not come back all at once; no secret
}

// sleep returns after the pause, or with a problem when the context ends.
func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return unanswered(ctx, ctx.Err())
	}
}

// received reads a success, and makes a problem of everything else.
func received[T any](ctx context.Context, answer *http.Response, err error) (*T, error) {
	if err != nil {
		return nil, problem(ctx, err)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, problem(ctx, err)
	}
	if answer.StatusCode/100 != 2 {
		return nil, refusal(answer.StatusCode, answer.Header, body)
	}
	var value T
	if !isJSON(answer.Header) {
		return nil, notTheService(answer.StatusCode, nil)
	}
	if err := json.Unmarshal(body, &value); err != nil {
		return nil, notTheService(answer.StatusCode, err)
	}
	return &value, nil
}
