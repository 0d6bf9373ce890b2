package store_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestPlayersOfBeforeLanguagesWereOpenAreCarriedOver(t *testing.T) {
	t.Parallel()
	testkit.OnBothEmptyDatabases(t, func(t *testing.T, db *testkit.Database) {
		t.Helper()
		around := migratedTo(t, db, 5)
		for n, row := range []string{"'Ola', 'pl', NULL, FALSE", "'Ola', NULL, NULL, FALSE", "'', NULL, 7, FALSE", "'', NULL, 8, TRUE"} {
			exec(t, around, fmt.Sprintf("INSERT INTO profiles (id, created, rating, name, locale, deleted, erased) VALUES ('%s', 1, 1600000000, %s)",
				oldID("profile", n+1), row))
		}
		exec(t, around, "INSERT INTO device_codes (profile_id, code_hash, expires) VALUES ('"+oldID("profile", 1)+"', "+
			"(SELECT "+map[bool]string{true: "zeroblob(32)", false: "decode(repeat('00', 32), 'hex')"}[isSQLite(db)]+"), 1)")

		require.NoError(t, db.Store.Migrate(t.Context()))

		for n, want := range []profile.Locale{"pl", ""} {
			kept, err := db.Store.Profile(t.Context(), profile.ID(oldID("profile", n+1)))
			require.NoError(t, err)
			assert.Equal(t, want, kept.Locale)
			assert.Equal(t, profile.Name("Ola"), kept.Name)
			assert.EqualValues(t, 1_600_000_000, kept.Standing.Rating)
		}
		var deleted, erased, codes int
		const gone = "SELECT count(*), sum(CASE WHEN erased THEN 1 ELSE 0 END) FROM profiles WHERE deleted IN (7, 8)"
		require.NoError(t, around.QueryRowContext(t.Context(), gone).Scan(&deleted, &erased))
		assert.Equal(t, []int{2, 1}, []int{deleted, erased})
		require.NoError(t, around.QueryRowContext(t.Context(), "SELECT count(*) FROM device_codes").Scan(&codes))
		assert.Equal(t, 1, codes, "what belongs to a player still does")
		exec(t, around, "UPDATE profiles SET locale = 'zh-Hant-TW' WHERE id = '"+oldID("profile", 1)+"'")
	})
}
