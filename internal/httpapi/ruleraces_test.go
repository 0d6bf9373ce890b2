package httpapi_test

import (
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

// Two admins on two replicas, each sure to be alone.
func TestTwoAdminsRaceForOneRule(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		const rounds = 200
		other := serve(t, w.db, configured("RATE_LIMIT=off"))
		racers := []chief{w.admin(t, "ola"), w.admin(t, "jan").at(other)}
		var entries []logEntry
		current := w.listed(t, limit)
		for round := range rounds {
			tag := `"` + strconv.Itoa(round+1) + `"`
			choices := slices.DeleteFunc(slices.Clone(allLimits), func(option string) bool { return option == current.Default })
			var answers [2]answer
			var both sync.WaitGroup
			for i, racer := range racers {
				both.Go(func() {
					answers[i] = racer.send(t, "PUT", rulePath(limit), request(t, choices[i], allLimits, true, racer.name), ifMatch(tag))
				})
			}
			both.Wait()
			won := slices.IndexFunc(answers[:], func(a answer) bool { return a.status == 200 })
			require.GreaterOrEqual(t, won, 0, "%s %s", answers[0].body, answers[1].body)
			change, lost := decode[api.HouseRuleChange](t, answers[won], 200), answers[1-won]
			require.Equal(t, 412, lost.status, "%s", lost.body)
			require.Equal(t, change.After, *lost.problem(t).HouseRule, "the loser is shown what the winner made")
			require.EqualValues(t, round+2, change.After.Version)
			require.Equal(t, choices[won], change.After.Default)
			entries = append(entries, logEntry{
				actor: racers[won].name, version: change.After.Version, reason: racers[won].name,
				before: api.HouseRuleTerms{Default: current.Default, Options: allLimits, Changeable: true},
				after:  api.HouseRuleTerms{Default: choices[won], Options: allLimits, Changeable: true},
			})
			current = change.After
		}
		slices.Reverse(entries)
		assert.Equal(t, entries, audited(t, racers[0], "key="+limit+"&limit=7"), "the log has every edit, in order")
	}, configured("RATE_LIMIT=off"))
}

// logEntry is what of an entry of the log is known before it is written.
type logEntry struct {
	actor, reason string
	version       int64
	before, after api.HouseRuleTerms
}

// audited reads the log page by page.
func audited(t *testing.T, c chief, query string) []logEntry {
	t.Helper()
	var all []logEntry
	for cursor := ""; ; {
		page := decode[api.AuditEntryList](t, c.get(t, "/v1/admin/audit?"+query+cursor), 200)
		for _, e := range page.Items {
			all = append(all, logEntry{actor: e.Actor, reason: e.Reason, version: e.Version, before: e.Before, after: e.After})
		}
		if page.NextCursor == nil {
			return all
		}
		cursor = "&cursor=" + *page.NextCursor
	}
}
