package game_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
)

// standardDocument is as a release wrote it that knew these rules.
const standardDocument = `{"alternate_first_move":"on","first_player":"seat_order","move_time_limit_seconds":"0","end_dead_positions":"on",` +
	`"on_timeout":"cpu_move","cpu_cover":"on","cover_grace_seconds":"30","cover_level":"medium"}`

// read reads a document that can be read.
func read(t *testing.T, document string) game.Settings {
	t.Helper()
	s, err := game.SettingsFrom(document)
	require.NoError(t, err, document)
	return s
}

func TestEveryHouseRuleHasItsRowInTheTableOfSettings(t *testing.T) {
	t.Parallel()
	var catalogue []houserule.Key
	for _, rule := range houserule.Standard().Rules() {
		catalogue = append(catalogue, rule.Key)
	}
	for _, key := range catalogue {
		assert.Contains(t, game.RuleKeys(), key, "rule %s is in houserule.Standard and has no row in the table of game/settings.go", key)
	}
	for _, key := range game.RuleKeys() {
		assert.Contains(t, catalogue, key, "rule %s has a row in game/settings.go and is not in houserule.Standard", key)
	}
	if len(catalogue) == len(game.RuleKeys()) {
		assert.Equal(t, catalogue, game.RuleKeys(), "the order")
	}
}

func TestEveryFieldOfTheSettingsIsARule(t *testing.T) {
	t.Parallel()
	standard := game.Defaults(houserule.Standard())
	ruled := map[string]houserule.Key{}
	for _, key := range game.RuleKeys() {
		rule, _ := houserule.Standard().Rule(key)
		for _, option := range rule.Known() {
			s, err := standard.With(rule.Key, option)
			require.NoError(t, err, "rule %s offers %q, which its row in game/settings.go doesn't know", rule.Key, option)
			assert.Equal(t, option, s.Value(rule.Key), "rule %s", rule.Key)
			for _, field := range changed(standard, s) {
				if other, taken := ruled[field]; taken {
					assert.Equal(t, other, rule.Key, "field %s", field)
				}
				ruled[field] = rule.Key
			}
		}
	}
	for field := range reflect.TypeFor[game.Settings]().Fields() {
		if field.IsExported() {
			assert.Contains(t, ruled, field.Name, "field %s of game.Settings has no row in the table of game/settings.go", field.Name)
		}
	}
}

// changed returns the names of the fields in which settings differ.
func changed(a, b game.Settings) (names []string) {
	was, is := reflect.ValueOf(a), reflect.ValueOf(b)
	for field := range reflect.TypeFor[game.Settings]().Fields() {
		if !was.FieldByIndex(field.Index).Equal(is.FieldByIndex(field.Index)) {
			names = append(names, field.Name)
		}
	}
	return names
}

func TestSettingsAreStoredAsOneDocument(t *testing.T) {
	t.Parallel()
	standard := game.Defaults(houserule.Standard())
	assert.Equal(t, standard, read(t, standardDocument))
	assert.Contains(t, standard.Document(), strings.TrimSuffix(standardDocument, "}"), "a rule that is new comes last")
	for _, key := range game.RuleKeys() {
		rule, _ := houserule.Standard().Rule(key)
		for _, option := range rule.Known() {
			s, err := standard.With(rule.Key, option)
			require.NoError(t, err)
			assert.Equal(t, s, read(t, s.Document()), s.Document())
		}
	}
	assert.Equal(t, standard, read(t, "{}"), "a rule that isn't there has its standard default")
	assert.Equal(t, standard, read(t, `{ "cpu_cover" : "on" }`))
}

func TestRulesOfAnotherReleaseAreKeptAsTheyAre(t *testing.T) {
	t.Parallel()
	const newer = `{"zone":{"a": [1, 2]},"cpu_cover":"off","gravity":"up"}`
	s := read(t, newer)
	assert.False(t, s.CPUCover)
	assert.Equal(t, []string{"gravity", "zone"}, s.ForeignRules())
	assert.Empty(t, s.ForeignValues())
	want := strings.Replace(strings.TrimSuffix(read(t, "{}").Document(), "}"), `"cpu_cover":"on"`, `"cpu_cover":"off"`, 1) + `,"gravity":"up","zone":{"a":[1,2]}}`
	assert.Equal(t, want, s.Document())
	assert.Equal(t, s, read(t, s.Document()))
	assert.NotEqual(t, s, read(t, `{"cpu_cover":"off"}`))

	covered, err := s.With(houserule.CPUCover, houserule.On)
	require.NoError(t, err)
	assert.Equal(t, s.ForeignRules(), covered.ForeignRules())
}

func TestValuesOfAnotherReleaseAreKeptAsTheyAre(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		key         houserule.Key
		value, says string
	}{
		{houserule.OnTimeout, `"coin"`, "coin"},
		{houserule.OnTimeout, `null`, "null"},
		{houserule.CPUCover, `"sometimes"`, "sometimes"},
		{houserule.CPUCover, `true`, "true"},
		{houserule.MoveTimeLimit, `"soon"`, "soon"},
		{houserule.MoveTimeLimit, `"030"`, "030"},
		{houserule.MoveTimeLimit, `"-1"`, "-1"},
		{houserule.MoveTimeLimit, `"2147483648"`, "2147483648"},
		{houserule.CoverGrace, `"0"`, "0"},
		{houserule.CoverLevel, `["easy","hard"]`, `["easy","hard"]`},
	} {
		s := read(t, `{"`+string(row.key)+`":`+row.value+`}`)
		assert.Equal(t, []houserule.Key{row.key}, s.ForeignValues(), row.value)
		assert.Empty(t, s.ForeignRules(), row.value)
		assert.Equal(t, row.says, s.Value(row.key))
		assert.Contains(t, s.Document(), `"`+string(row.key)+`":`+row.value)
		assert.Equal(t, 1, strings.Count(s.Document(), string(row.key)))
		assert.Equal(t, s, read(t, s.Document()))

		standard := game.Defaults(houserule.Standard())
		known, err := s.With(row.key, standard.Value(row.key))
		require.NoError(t, err)
		assert.Equal(t, standard, known, "a value that is known takes its place")
	}
	assert.Equal(t, "90", read(t, `{"move_time_limit_seconds":"90"}`).Value(houserule.MoveTimeLimit), "a game can be played by any number")
}

func TestAGameThatIsNotUnderstoodIsShownAndNotMovedIn(t *testing.T) {
	t.Parallel()
	g := started(func(o *game.Opening) { o.Settings = read(t, `{"cpu_cover":"off","on_timeout":"coin"}`) })
	assert.True(t, fault.Is(g.Settings.Check(), fault.Away))
	require.ErrorContains(t, g.Settings.Check(), `on_timeout to "coin"`)
	assert.False(t, g.MayMove(g.Red.Profile, at(0), nil))
	assert.False(t, g.LeavingResigns())
	assert.Equal(t, []string{`is played by on_timeout "coin", which this release doesn't know`}, g.Check())

	forgotten := g.Forget(board.Red, at(0))
	assert.True(t, forgotten.Red.Deleted)
	assert.Equal(t, game.Here, forgotten.Red.Presence, "what follows from presence isn't known")

	known := started(func(o *game.Opening) { o.Settings = read(t, `{"gravity":"up"}`) })
	require.NoError(t, known.Settings.Check())
	assert.True(t, known.MayMove(known.Red.Profile, at(0), nil))
	assert.Empty(t, known.Check())
}

func TestSettingsThatAreRenewedKeepTheRulesOfAnotherRelease(t *testing.T) {
	t.Parallel()
	was, now := read(t, `{"gravity":"up","on_timeout":"coin"}`), read(t, `{"cpu_cover":"off"}`)
	assert.Equal(t, read(t, `{"cpu_cover":"off","gravity":"up"}`), now.Keeping(was))
	assert.Equal(t, now, now.Keeping(now))
	assert.Equal(t, was, was.Keeping(now))
}

func TestADocumentOfForeignValuesAloneIsJSON(t *testing.T) {
	t.Parallel()
	var members []string
	for _, key := range game.RuleKeys() {
		members = append(members, `"`+string(key)+`":[]`)
	}
	s := read(t, "{"+strings.Join(members, ",")+"}")
	assert.Len(t, s.ForeignValues(), len(members))
	assert.Equal(t, s, read(t, s.Document()))
}

func TestWhatIsNoObjectIsNoSettings(t *testing.T) {
	t.Parallel()
	for _, document := range []string{"", "null", "[]", `"on"`, "{", `{"a":}`, "{} {}"} {
		_, err := game.SettingsFrom(document)
		require.Error(t, err, document)
	}
}

func TestNoValueIsSetThatTheRuleDoesNotKnow(t *testing.T) {
	t.Parallel()
	for key, value := range map[houserule.Key]string{
		"gravity": "up", houserule.CPUCover: "maybe", houserule.OnTimeout: "coin", houserule.MoveTimeLimit: "1.5", houserule.CoverGrace: "0",
	} {
		_, err := game.Defaults(houserule.Standard()).With(key, value)
		require.ErrorContains(t, err, string(key))
	}
}

func BenchmarkSettings(b *testing.B) {
	for b.Loop() {
		if s, err := game.SettingsFrom(standardDocument); err != nil || s.Document() == "" {
			b.Fatal(err)
		}
	}
}
