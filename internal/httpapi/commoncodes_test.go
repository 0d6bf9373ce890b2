package httpapi_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit"
)

// The codes that every operation can answer with for the same reasons, one after the other. They are read from the
// contract, so that a new operation is covered by itself; see codes_test.go.

// sender returns how to send a request to an operation with a token that is right there.
func sender(p player, chief chief, o declared) func(*testing.T, string, string, string, ...header) answer {
	if strings.HasPrefix(o.pattern, "/v1/admin/") {
		return chief.send
	}
	return p.send
}

func lists(t *testing.T, o declared, code string) bool {
	t.Helper()
	return slices.Contains(problemCodes(contract(t).Paths.Value(o.pattern).GetOperation(o.method)), code)
}

func TestEveryOperationRefusesALargeBody(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), configured("RATE_LIMIT=off"))
	p, chief := w.guest(t, "Ola"), w.admin(t, "Ada")
	for _, o := range operations(t) {
		refused := sender(p, chief, o)(t, o.method, o.path, strings.Repeat(" ", 16_385))
		assert.Equal(t, "body_too_large", refused.problem(t).Code, o.id)
	}
}

func TestEveryOperationThatCountsRequestsRefusesTooMany(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), standingStill, configured(
		"RATE_TOKEN_PER_SECOND=1", "RATE_TOKEN_BURST=1", "RATE_PROFILES_PER_HOUR=2", "RATE_FAILURES_PER_MINUTE=1",
		"RATE_ANONYMOUS_PER_SECOND=1"))
	p, chief := w.guest(t, "Ola"), w.admin(t, "Ada")
	for _, o := range operations(t) {
		if !lists(t, o, "rate_limited") {
			continue
		}
		var refused answer
		for range 5 { // the first ones may pass, or be refused otherwise
			refused = sender(p, chief, o)(t, o.method, counted(o), bodyFor(o))
			if refused.status == http.StatusTooManyRequests {
				break
			}
		}
		if assert.Equal(t, http.StatusTooManyRequests, refused.status, "%s: %s", o.id, refused.body) {
			assert.Equal(t, "rate_limited", refused.problem(t).Code, o.id)
		}
	}
}

// counted is the path of a request that is counted: one about health has to bring something.
func counted(o declared) string {
	if o.id == "getHealth" || o.id == "getReadiness" {
		return o.path + "?deep=true"
	}
	return o.path
}

// Also a body that an operation doesn't take is waited for: net/http notices that a client went away only after it.
func TestEveryOperationRefusesABodyThatStalls(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t), configured("RATE_LIMIT=off", "READ_TIMEOUT=1s"))
	p, chief := w.guest(t, "Ola"), w.admin(t, "Ada")
	var all sync.WaitGroup
	for _, o := range operations(t) {
		stalled, stalls := io.Pipe()
		t.Cleanup(func() { _ = stalls.Close() })
		r, err := http.NewRequestWithContext(t.Context(), o.method, w.url+o.path, stalled)
		require.NoError(t, err)
		r.ContentLength = 10
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+map[bool]string{true: chief.token, false: p.token}[strings.HasPrefix(o.pattern, "/v1/admin/")])
		all.Go(func() { assert.Equal(t, "request_timeout", w.do(t, r).problem(t).Code, o.id) })
	}
	all.Wait()
}

func TestEveryOperationOnARuleKnowsWhichThereAre(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	chief := w.admin(t, "Ada")
	for id, row := range accesses {
		if path := strings.NewReplacer("cpu_cover", "gravity", "cover_level", "gravity").Replace(row.path); path != row.path {
			refused := chief.send(t, row.method, path, row.body, row.headers...)
			assert.Equal(t, "not_found", refused.problem(t).Code, id)
		}
	}
}

func TestEveryEditNeedsTheVersionItIsFor(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	chief := w.admin(t, "Ada")
	for _, id := range []string{"editHouseRule", "restoreHouseRule"} {
		row := accesses[id]
		assert.Equal(t, "version_required", chief.send(t, row.method, row.path, row.body).problem(t).Code, id)
	}
}

func TestEveryOperationThatNeedsTheDatabaseSaysThatItIsAway(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	through, network := db.BehindNetwork(t)
	db.Store = through
	w := serve(t, db, configured("RATE_LIMIT=off"))
	p, chief := w.guest(t, "Ola"), w.admin(t, "Ada")
	network.Stop()
	w.db.Clock.Advance(time.Minute) // nothing is remembered that long
	w.stopping.Store(true)          // nothing beats here, and so readiness has to be told
	for _, o := range operations(t) {
		answered := sender(p, chief, o)(t, o.method, o.path, bodyFor(o))
		if !lists(t, o, "unavailable") {
			assert.Less(t, answered.status, 400, "%s: %s", o.id, answered.body)
			continue
		}
		if assert.Equal(t, http.StatusServiceUnavailable, answered.status, "%s: %s", o.id, answered.body) {
			assert.Equal(t, "unavailable", answered.problem(t).Code, o.id)
		}
	}
}

// bodyFor returns a body that an operation takes.
func bodyFor(o declared) string {
	if row, found := accesses[o.id]; found {
		return strings.ReplaceAll(row.body, "{code}", "7GQ2M9XKPA")
	}
	return ""
}
