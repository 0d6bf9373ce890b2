package httpapi_test

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit"
)

// exhausted has a request for each limit on what is asked for in a time, with the setting that lets one of them in.
var exhausted = map[string]struct {
	setting string
	send    func(t *testing.T, w *world, m match) answer
}{
	"requests_per_second":           {"RATE_TOKEN_BURST=1", reds("/v1/me")},
	"insights_per_second":           {"RATE_INSIGHTS_PER_SECOND=1", reds("/v1/positions/4455")},
	"exports_per_hour":              {"RATE_EXPORTS_PER_HOUR=1", reds("/v1/me/export")},
	"moves_per_second":              {"RATE_MOVES_PER_SECOND=1", func(t *testing.T, _ *world, m match) answer { return m.red.move(t, m.game, 4, 1) }},
	"games_per_hour":                {"RATE_GAMES_PER_HOUR=1", func(t *testing.T, _ *world, m match) answer { return m.red.triesToOpen(t) }},
	"profiles_per_hour":             {"RATE_PROFILES_PER_HOUR=2", opensAnother},
	"profiles_per_network_per_hour": {"RATE_PROFILES_PER_NETWORK_PER_HOUR=2", opensAnother},
	"profiles_per_second":           {"RATE_PROFILES_PER_SECOND=2", opensAnother},
	"anonymous_reads_per_second":    {"RATE_ANONYMOUS_PER_SECOND=4", func(t *testing.T, w *world, _ match) answer { return w.get(t, "/v1/service") }},
	"failed_secrets_per_minute":     {"RATE_FAILURES_PER_MINUTE=1", func(t *testing.T, w *world, _ match) answer { return w.get(t, "/v1/me", nobodysToken(t)) }},
}

// reds is a request that red sends.
func reds(path string) func(*testing.T, *world, match) answer {
	return func(t *testing.T, _ *world, m match) answer { return m.red.get(t, path) }
}

func opensAnother(t *testing.T, w *world, _ match) answer {
	t.Helper()
	return w.opensFrom(t, "2001:db8:1:1::1")
}

var perTime = regexp.MustCompile(`_per_(second|minute|hour)$`)

func TestEveryRefusalSaysWhichLimitItWas(t *testing.T) {
	t.Parallel()
	var told []string
	for name := range contract(t).Components.Schemas["ServiceLimits"].Value.Properties {
		if perTime.MatchString(name) {
			told = append(told, name)
		}
	}
	require.ElementsMatch(t, told, slices.Collect(maps.Keys(exhausted)), "a limit that the service tells of has its row")
	for name, row := range exhausted {
		w := serve(t, testkit.SQLite(t), behindProxy(row.setting)) // the clock moves on for who begins the match
		m := w.match(t, public)
		w.tick = 0
		var last answer
		for range 6 {
			if last = row.send(t, w, m); last.status == http.StatusTooManyRequests {
				break
			}
		}
		if !assert.Equal(t, http.StatusTooManyRequests, last.status, name) {
			continue
		}
		refused := last.problem(t)
		assert.Equal(t, "rate_limited", refused.Code, name)
		assert.True(t, strings.HasPrefix(refused.Detail, name+": "), "%s: %s", name, refused.Detail)
		if assert.NotNil(t, refused.RetryAfterMs, name) {
			assert.Positive(t, *refused.RetryAfterMs, name)
		}
	}
}
