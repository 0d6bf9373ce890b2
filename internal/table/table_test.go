package table_test

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

const (
	ola  profile.ID       = "ola"
	ivan profile.ID       = "ivan"
	lei  profile.ID       = "lei"
	code table.InviteCode = "7GQ2M9XKPA"
)

var noon = time.Date(2026, 9, 22, 12, 0, 0, 0, time.UTC)

func open(v table.Visibility) table.Table {
	return table.Open(table.Opening{
		ID: "table", Host: person(ola, "Ola"), Visibility: v, Invite: code,
		Settings: game.Defaults(houserule.Standard()), ClientRef: "",
	}, noon)
}

func person(id profile.ID, name profile.Name) table.Seat {
	return table.Seat{Kind: game.Human, Profile: id, Name: name}
}

func taken(v table.Visibility) table.Table {
	return open(v).Sit(person(ivan, "Иван"), "game", false, time.Time{}, noon.Add(time.Minute))
}

func TestAnInvitationShowsATableWhileItWaits(t *testing.T) {
	t.Parallel()
	waiting, playing := open(table.Private), taken(table.Private)
	for name, row := range map[string]struct {
		table table.Table
		who   profile.ID
		code  table.InviteCode
		want  bool
	}{
		"the right code":                     {waiting, lei, code, true},
		"the right code of nobody":           {waiting, "", code, true},
		"a wrong code":                       {waiting, lei, "7GQ2M9XKPB", false},
		"no code":                            {waiting, lei, "", false},
		"the right code when it is used":     {playing, lei, code, false},
		"the right code of a closed table":   {waiting.Close(table.HostLeft), lei, code, false},
		"no code of the seated":              {playing, ivan, "", true},
		"no code at a public table":          {open(table.Public), lei, "", true},
		"no code at a closed public table":   {open(table.Public).Close(table.Idle), lei, "", true},
		"a code that is none, where none is": {open(table.Public), lei, "7GQ2M9XKPB", true},
	} {
		assert.Equal(t, row.want, row.table.OpenTo(row.who, row.code), name)
	}
}

func TestWhoMayTakeTheFreeSeat(t *testing.T) {
	t.Parallel()
	closedPublic, closedPrivate := open(table.Public).Close(table.HostLeft), open(table.Private).Close(table.HostLeft)
	for _, row := range []struct {
		name  string
		table table.Table
		who   profile.ID
		code  table.InviteCode

		settings int64
		want     fault.Code // empty: may
	}{
		{"anybody at a public table", open(table.Public), lei, "", 0, ""},
		{"anybody at a public table, whatever code it brings", open(table.Public), lei, "WRONG", 0, ""},
		{"whoever has the code of a private table", open(table.Private), lei, code, 0, ""},
		{"nobody without the code", open(table.Private), lei, "", 0, fault.NotFound},
		{"nobody with a wrong code", open(table.Private), lei, "7GQ2M9XKPB", 0, fault.NotFound},
		{"the host, who has a seat", open(table.Private), ola, "", 0, ""},
		{"the second player, who has a seat", taken(table.Private), ivan, "", 0, ""},
		{"no third at a public table", taken(table.Public), lei, "", 0, fault.SeatTaken},
		{"no third with a used code", taken(table.Private), lei, code, 0, fault.SeatTaken},
		{"no third with a wrong code", taken(table.Private), lei, "7GQ2M9XKPB", 0, fault.NotFound},
		{"nobody at a closed public table", closedPublic, lei, "", 0, fault.TableClosed},
		{"nobody at a closed private table", closedPrivate, lei, code, 0, fault.NotFound},
		{"the host of a closed table, to come back", closedPrivate, ola, "", 0, ""},
		{"whoever saw the settings as they are", open(table.Public), lei, "", 1, ""},
		{"nobody who saw others", open(table.Public), lei, "", 2, fault.StaleVersion},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			err := row.table.Admit(row.who, row.code, row.settings)
			if row.want == "" {
				require.NoError(t, err)
				return
			}
			require.True(t, fault.Is(err, row.want), "%v", err)
		})
	}
}

func TestTakingTheSeatStartsTheGame(t *testing.T) {
	t.Parallel()
	waiting := open(table.Private)
	assert.Equal(t, game.HostSeat, waiting.NextFirst, "who will start is shown before anyone agrees")
	seated := waiting.Sit(person(ivan, "Иван"), "game", true, time.Time{}, noon.Add(time.Minute))
	assert.Equal(t, table.Playing, seated.Status)
	assert.Equal(t, waiting.Version+1, seated.Version)
	assert.Equal(t, game.GuestSeat, seated.SeatOf(ivan))
	assert.True(t, seated.Game.Private)
	assert.Equal(t, ola, seated.Game.Red.Profile, "seat order: the host starts, whatever chance says")
	assert.Equal(t, noon.Add(time.Minute), seated.Game.Started)
	assert.True(t, waiting.Seats[1].Free(), "the table it came from is as it was")
}

func TestAGameBeginsWithItsOwnersAsTheyAre(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		seen time.Time
		away bool
		want game.Presence
	}{
		"a host who was heard of is here": {noon, false, game.Here},
		"a host who was silent is silent": {noon.Add(-time.Minute), false, game.Silent},
		"a host who said away stays away": {noon, true, game.Gone},
	} {
		waiting := open(table.Public)
		waiting.Seats[0].Seen, waiting.Seats[0].SaidAway = row.seen, row.away
		guest := person(ivan, "Иван")
		guest.Seen = noon
		seated := waiting.Sit(guest, "game", false, time.Time{}, noon)
		assert.Equal(t, row.want, seated.Game.Red.Presence, name)
		assert.Equal(t, game.Here, seated.Game.Yellow.Presence, name)
	}
}

func TestChanceDrawsWhoStartsWhenTheSettingsSaySo(t *testing.T) {
	t.Parallel()
	waiting := open(table.Public)
	waiting.Settings.FirstPlayer = houserule.Random
	for chance, want := range map[bool]profile.ID{true: ivan, false: ola} {
		seated := waiting.Sit(person(ivan, "Иван"), "game", chance, time.Time{}, noon)
		assert.Equal(t, want, seated.Game.Red.Profile)
	}
}

func TestLeaving(t *testing.T) {
	t.Parallel()
	coverless := open(table.Public)
	coverless.Settings.CPUCover = false
	coverless = coverless.Sit(person(ivan, "Иван"), "game", false, time.Time{}, noon)
	for _, row := range []struct {
		name    string
		table   table.Table
		who     profile.ID
		leaving table.Leaving
		want    fault.Code
	}{
		{"the host closes a waiting table", open(table.Public), ola, table.ClosesTable, ""},
		{"either closes a table between games", finished(taken(table.Public)), ivan, table.ClosesTable, ""},
		{"a running game goes on", taken(table.Public), ola, table.LeavesGame, ""},
		{"a running game is resigned where nobody would play on", coverless, ivan, table.ResignsGame, ""},
		{"nothing is left to do at a closed table", taken(table.Public).Close(table.Idle), ivan, table.NothingToLeave, ""},
		{"a stranger has no seat to leave", open(table.Public), lei, table.NothingToLeave, fault.NotSeated},
		{"nobody has no seat to leave", open(table.Public), "", table.NothingToLeave, fault.NotSeated},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			leaving, err := row.table.Leave(row.who)
			if row.want != "" {
				require.True(t, fault.Is(err, row.want), "%v", err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, row.leaving, leaving)
		})
	}
}

func TestAPublicTableHasNoInviteCode(t *testing.T) {
	t.Parallel()
	assert.Empty(t, open(table.Public).Invite)
	assert.Equal(t, code, open(table.Private).Invite)
}

func TestATagNamesTheTableAndItsGame(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "1.0", open(table.Public).Tag())
	seated := taken(table.Public)
	assert.Equal(t, "2.1", seated.Tag())
	seated.Game.Version = 9
	assert.Equal(t, "2.9", seated.Tag())
}

func TestAClosedTableIsNotPolled(t *testing.T) {
	t.Parallel()
	_, polls := open(table.Public).PollAfter()
	assert.True(t, polls)
	_, polls = open(table.Public).Close(table.HostLeft).PollAfter()
	assert.False(t, polls)
}

func TestInviteCodesAreReadAsPeopleTypeThem(t *testing.T) {
	t.Parallel()
	assert.Equal(t, table.InviteCode("7GQ2M9XKPA"), table.ParseInviteCode("7gq2m9xkpa"))
	assert.Equal(t, table.InviteCode("0011XXXXXX"), table.ParseInviteCode("oOiLxxxxxx"))
	for range 100 {
		drawn, err := table.NewInviteCode(rand.Reader)
		require.NoError(t, err)
		assert.Len(t, string(drawn), 10)
		assert.Equal(t, drawn, table.ParseInviteCode(strings.ToLower(string(drawn))))
	}
	_, err := table.NewInviteCode(strings.NewReader("short"))
	require.Error(t, err)
}
