package httpapi_test

import (
	"context"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// telling is a CPU whose disc tells its level: easy plays column 1, medium 2, and so on.
type telling struct{}

// Choose plays the column of the level.
func (telling) Choose(_ context.Context, _ board.Position, _ []board.Column, name level.Name, _ uint64) (board.Column, error) {
	return board.Column(1 + slices.Index(level.Names(), string(name))), nil
}

// tells puts in the CPU whose disc tells its level.
func tells(w *world) { w.wired(func(d *service.Outside) { d.Chooser = telling{} }) }

// tableRule is how a rule shows at tables.
type tableRule struct {
	key    string
	opened string // how tables are opened at which it shows
	tables int    // how many it takes to see it; one unless chance is in it
	shows  func(t *testing.T, w *world, playing []match) string
}

var tableRules = []tableRule{
	{"alternate_first_move", public, 1, func(t *testing.T, _ *world, playing []match) string {
		t.Helper()
		m := playing[0]
		m.play(t, redWins)
		next := m.again(t)
		next.red.plays(t, next.game, 4, 1)
		return houserule.Switch(next.red.id != m.red.id)
	}},
	{"first_player", public, 20, func(t *testing.T, _ *world, playing []match) string {
		t.Helper()
		for _, m := range playing {
			m.red.plays(t, m.game, 4, 1)
			if m.red.id != *m.table.HostProfileID {
				return "random"
			}
		}
		return "seat_order"
	}},
	{"move_time_limit_seconds", public, 1, func(t *testing.T, w *world, playing []match) string {
		t.Helper()
		m, passed := playing[0], 0
		for _, limit := range []int{30, 60} { // the first move has ten more
			w.passWith(t, time.Duration(limit+7-passed)*time.Second, m.game, m.red, m.yellow)
			require.Zero(t, m.red.reads(t, m.game).Ply, "not yet")
			w.passWith(t, 5*time.Second, m.game, m.red, m.yellow)
			passed = limit + 12
			if m.red.reads(t, m.game).Ply > 0 {
				return strconv.Itoa(limit)
			}
		}
		return "0"
	}},
	{"end_dead_positions", public, 1, func(t *testing.T, _ *world, playing []match) string {
		t.Helper()
		m := playing[0]
		if m.play(t, "7764264462462224664277153153311355").Result != nil {
			return "on"
		}
		m.red.plays(t, m.game, 5, 35)
		return "off"
	}},
	{"on_timeout", clock30, 1, func(t *testing.T, w *world, playing []match) string {
		t.Helper()
		m := playing[0]
		w.passWith(t, 42*time.Second, m.game, m.red, m.yellow)
		if g := m.red.reads(t, m.game); g.Result != nil {
			assert.Equal(t, "timeout", *g.Result.EndedBy)
			return "loss"
		}
		assert.Equal(t, "c", m.red.reads(t, m.game).Movers)
		return "cpu_move"
	}},
	{"cpu_cover", public, 1, func(t *testing.T, w *world, playing []match) string {
		t.Helper()
		m := playing[0]
		return houserule.Switch(covers(t, w, m).Movers == "hc")
	}},
	{"cover_grace_seconds", public, 1, func(t *testing.T, w *world, playing []match) string {
		t.Helper()
		m := playing[0]
		for silent := 10; silent <= 120; silent += 10 {
			w.passWith(t, 10*time.Second, m.game, m.red)
			if *m.red.reads(t, m.game).Yellow.Presence == presenceAway {
				return strconv.Itoa(silent)
			}
		}
		return "never"
	}},
	{"cover_level", public, 1, func(t *testing.T, w *world, playing []match) string {
		t.Helper()
		return level.Names()[covers(t, w, playing[0]).LastMove.Column-1]
	}},
}

// covers lets yellow go and red move, and gives the CPU its time.
func covers(t *testing.T, w *world, m match) api.Game {
	t.Helper()
	m.yellow.says(t, m.table.ID, api.PresenceChoiceAway)
	m.red.plays(t, m.game, 5, 1)
	w.Pass(t, 2*time.Second)
	return m.red.reads(t, m.game)
}

// waitingTables opens tables with a host each.
func waitingTables(t *testing.T, w *world, r tableRule) []seat {
	t.Helper()
	seats := make([]seat, r.tables)
	for i := range seats {
		host := w.guest(t, "Ola")
		seats[i] = seat{host: host, table: host.opens(t, r.opened)}
	}
	return seats
}

// seat is a table and its host.
type seat struct {
	host  player
	table api.GameTable
}

// seated lets somebody sit down at each table.
func seated(t *testing.T, w *world, waiting []seat) []match {
	t.Helper()
	playing := make([]match, len(waiting))
	for i, s := range waiting {
		host, guest := s.host.at(w), w.guest(t, "Иван")
		table := guest.joins(t, s.table)
		m := match{red: host, yellow: guest, table: table, game: *table.CurrentGameID}
		if *host.reads(t, m.game).Red.ProfileID != host.id {
			m.red, m.yellow = m.yellow, m.red
		}
		playing[i] = m
	}
	return playing
}

// Each option is what tables play by that were opened while it was the default, whatever came after: by those that ran
// at the edit, those that waited, and those opened since, on the replica that took the edit at once and on the other a
// second later.
func TestATablePlaysByTheRulesItWasOpenedUnder(t *testing.T) {
	t.Parallel()
	for _, r := range tableRules {
		t.Run(r.key, func(t *testing.T) {
			t.Parallel()
			db := testkit.SQLite(t)
			settings := []option{standingStill, tells, configured("RATE_LIMIT=off")}
			w := serve(t, db, settings...)
			other := serve(t, db, settings...)
			ola := w.admin(t, "ola")
			rule, _ := ola.rule(t, r.key)
			was := rule.Default
			first := slices.Index(rule.AllOptions, was)
			for _, option := range slices.Concat(rule.AllOptions[first+1:], rule.AllOptions[:first+1]) {
				running, waits := seated(t, other, waitingTables(t, other, r)), waitingTables(t, other, r)
				w.listed(t, r.key) // it knows the rules as they were
				ola.edits(t, r.key, option, rule.AllOptions, rule.Changeable)
				atOnce := waitingTables(t, w, r)
				db.Clock.Advance(time.Second)
				aSecondLater := waitingTables(t, other, r)

				assert.Equal(t, was, r.shows(t, w, running), "it ran when the edit came")
				assert.Equal(t, was, r.shows(t, w, seated(t, w, waits)), "it waited when the edit came")
				assert.Equal(t, option, r.shows(t, w, seated(t, other, atOnce)), "it was opened after the edit")
				assert.Equal(t, option, r.shows(t, w, seated(t, w, aSecondLater)), "it was opened on the other replica")
				was = option
			}
		})
	}
}

func TestEveryRuleShowsAtTables(t *testing.T) {
	t.Parallel()
	for i, rule := range houserule.Standard().Rules() {
		require.Less(t, i, len(tableRules))
		assert.Equal(t, string(rule.Key), tableRules[i].key)
	}
}

// A value that is not on offer any more stays valid where it holds; only a change of it is judged anew.
func TestWhatIsNotOnOfferAnyMoreStaysWhereItHolds(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, host := w.admin(t, "ola"), w.guest(t, "Ola")
		table := host.opens(t, `{"visibility":"public","settings":{"move_time_limit_seconds":30}}`)
		ola.edits(t, limit, "0", []string{"0", "60"}, true)
		refused := host.post(t, "/v1/tables", `{"settings":{"move_time_limit_seconds":30}}`)
		assert.Equal(t, "option_not_offered", refused.problem(t).Code)
		kept := decode[api.GameTable](t, host.edits(t, table.ID, `{"settings_version":1,"settings":{"move_time_limit_seconds":30,"cpu_cover":false}}`), 200)
		assert.EqualValues(t, 30, kept.Settings.MoveTimeLimitSeconds)
		assert.EqualValues(t, 60, decode[api.GameTable](t, host.edits(t, table.ID, `{"settings_version":2,"settings":{"move_time_limit_seconds":60}}`), 200).Settings.MoveTimeLimitSeconds)
		assert.Equal(t, "option_not_offered", host.edits(t, table.ID, `{"settings_version":3,"settings":{"move_time_limit_seconds":30}}`).problem(t).Code)

		ola.edits(t, limit, "0", []string{"0", "60"}, false)
		assert.Equal(t, "rule_not_changeable", host.edits(t, table.ID, `{"settings_version":3,"settings":{"move_time_limit_seconds":0}}`).problem(t).Code)
		assert.Equal(t, 200, host.edits(t, table.ID, `{"settings_version":3,"settings":{"move_time_limit_seconds":60,"cpu_cover":true}}`).status, "as it is")
	})
}

// A host chooses and plays many tables while the rules are read by a worker, as in a process.
func TestOpeningATableAndPlayingAsksForNoRules(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, other := w.admin(t, "ola"), w.guest(t, "Ola")
		other.opens(t, public)
		w.db.Statements.Watch("house_rules")
		for range 5 {
			w.db.Clock.Advance(400 * time.Millisecond)
			require.NoError(t, w.Catalogue.Read(t.Context()))
			require.Equal(t, 1, w.db.Statements.Watched(), "the worker's")
			m := w.match(t, `{"visibility":"public","settings":{"first_player":"seat_order","cpu_cover":false}}`)
			m.play(t, redWins)
			m.red.edits(t, m.table.ID, `{"settings_version":1,"settings":{"cpu_cover":true}}`)
			m.again(t).play(t, redWins)
			w.get(t, "/v1/house-rules")
			require.Zero(t, w.db.Statements.Watched())
		}
		ola.edits(t, limit, "60", allLimits, true)
		w.db.Statements.Watched()
		assert.EqualValues(t, 60, w.guest(t, "Jan").opens(t, public).Settings.MoveTimeLimitSeconds)
		assert.Zero(t, w.db.Statements.Watched(), "who took the edit knows it")
	}, standingStill, configured("RATE_LIMIT=off"))
}
