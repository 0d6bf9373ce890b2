package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// names in many scripts, and such as software stumbles over.
var names = []profile.Name{
	"Ola", "Wójcik", "Zażółć gęślą jaźń", "Иван", "李雷", "Ὀδυσσεύς", "שלום", "سارة", "नमस्ते", "ไทย", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
	"<b>", "%s%d", "'; --", `"\`, "?", "@name", "$1", "NULL", "ﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺ",
}

func (conformance) TestProfileComesBackWhole(t *testing.T, db *testkit.Database) {
	for _, name := range names {
		for _, locale := range []profile.Locale{"en", "de", "pl", "ru", "zh-Hant-TW", "de-DE-u-co-phonebk-x-abcdefgh-abcde", ""} {
			want, device := stranger(t, db, name)
			want.Locale = locale
			require.NoError(t, db.Store.OpenProfile(t.Context(), want, device))

			got, err := db.Store.Profile(t.Context(), want.ID)

			require.NoError(t, err)
			assert.Equal(t, want, got)
		}
	}
}

func (conformance) TestDeviceIsFoundByItsToken(t *testing.T, db *testkit.Database) {
	db.Clock.Advance(1234 * time.Microsecond)
	for _, locale := range []profile.Locale{"", "pl"} {
		p, want := stranger(t, db, "Ola")
		p.Locale = locale
		require.NoError(t, db.Store.OpenProfile(t.Context(), p, want))

		got, err := db.Store.HolderOf(t.Context(), want.Hash)

		require.NoError(t, err)
		assert.Equal(t, profile.Holder{Device: want, Locale: locale}, got)
	}
}

func (conformance) TestUnknownTokenIsNobodys(t *testing.T, db *testkit.Database) {
	guest(t, db, "Ola")
	_, stranger := stranger(t, db, "Иван")
	for _, hash := range []profile.TokenHash{stranger.Hash, {}} {
		_, err := db.Store.HolderOf(t.Context(), hash)
		requireFault(t, err, fault.NoToken)
	}
}

func (conformance) TestUnknownProfileIsMissing(t *testing.T, db *testkit.Database) {
	name := profile.Name("Ola")
	for _, id := range []profile.ID{profile.ID(newID(t)), "", "no-uuid"} {
		_, err := db.Store.Profile(t.Context(), id)
		requireFault(t, err, fault.NotFound)
	}
	_, err := db.Store.ChangeProfile(t.Context(), profile.ID(newID(t)), profile.Change{Name: &name})
	requireFault(t, err, fault.NotFound)
}

func (conformance) TestChangeProfileChangesWhatIsNamed(t *testing.T, db *testkit.Database) {
	name, german := profile.Name("Иван"), profile.Locale("de")
	tests := []struct {
		names  string
		change profile.Change
	}{
		{"nothing", profile.Change{}},
		{"the name", profile.Change{Name: &name}},
		{"the language", profile.Change{Locale: &german}},
		{"both", profile.Change{Name: &name, Locale: &german}},
	}
	for _, test := range tests {
		t.Run(test.names, func(t *testing.T) {
			before := guest(t, db, "Ola")
			want := before.Apply(test.change)

			got, err := db.Store.ChangeProfile(t.Context(), before.ID, test.change)

			require.NoError(t, err)
			assert.Equal(t, want, got)
			read, err := db.Store.Profile(t.Context(), before.ID)
			require.NoError(t, err)
			assert.Equal(t, want, read)
		})
	}
}

func (conformance) TestProfileIsStoredWithItsDeviceOrNotAtAll(t *testing.T, db *testkit.Database) {
	p, d := stranger(t, db, "Ola")
	require.NoError(t, db.Store.OpenProfile(t.Context(), p, d))
	second, device := stranger(t, db, "Иван")
	device.Hash = d.Hash // as if the same token had been drawn twice

	require.Error(t, db.Store.OpenProfile(t.Context(), second, device))

	_, err := db.Store.Profile(t.Context(), second.ID)
	requireFault(t, err, fault.NotFound)
	holder, err := db.Store.HolderOf(t.Context(), d.Hash)
	require.NoError(t, err)
	assert.Equal(t, p.ID, holder.Profile, "the token stays whose it was")
}

func (conformance) TestRenamingChangesNoTableAndNoGame(t *testing.T, db *testkit.Database) {
	room, g := playing(t, db)
	name := profile.Name("Renamed")
	_, err := db.Store.ChangeProfile(t.Context(), g.Red.Profile, profile.Change{Name: &name})
	require.NoError(t, err)

	afterwards, err := db.Store.Game(t.Context(), g.ID)
	require.NoError(t, err)
	assert.Equal(t, g.Red, afterwards.Red)
	table, err := db.Store.Table(t.Context(), room.ID)
	require.NoError(t, err)
	assert.Equal(t, room.Seats, table.Seats)
}
