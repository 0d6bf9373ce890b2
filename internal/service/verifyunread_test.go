package service_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// forgetful is a database whose lists end before their last rows, as those of a damaged index do.
type forgetful struct{ service.VerifyStore }

func (f forgetful) Snapshot(ctx context.Context, read func(service.Snapshot) error) error {
	return f.VerifyStore.Snapshot(ctx, func(all service.Snapshot) error { return read(forgetfulSnapshot{all}) })
}

type forgetfulSnapshot struct{ service.Snapshot }

// butLast leaves the last row out, which ends a list that has no more.
func butLast[R any](all []R, err error) ([]R, error) { return all[:max(0, len(all)-1)], err }

func (f forgetfulSnapshot) StoredTables(ctx context.Context, after game.TableID, limit int) ([]service.StoredTable, error) {
	return butLast(f.Snapshot.StoredTables(ctx, after, limit))
}

func (f forgetfulSnapshot) StoredGames(ctx context.Context, after game.ID, limit int) ([]service.StoredGame, error) {
	return butLast(f.Snapshot.StoredGames(ctx, after, limit))
}

func (f forgetfulSnapshot) StoredPlayers(ctx context.Context, after profile.ID, limit int) ([]service.StoredPlayer, error) {
	return butLast(f.Snapshot.StoredPlayers(ctx, after, limit))
}

func TestVerifyComparesWhatItLookedAtWithWhatThereIs(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		lived(t, w)
		var unread []string
		seen, err := service.NewVerifier(forgetful{w.db.Store}, func(service.Difference) {},
			func(what string) { unread = append(unread, what) }, func(service.Verified) {}).Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, service.Verified{Games: 14, Players: 2}, seen)
		assert.Equal(t, []string{
			"tables has 15 rows, and 14 of them were looked at",
			"games has 15 rows, and 14 of them were looked at",
			"profiles has 3 rows, and 2 of them were looked at",
			"profile_games has 27 rows, and 25 of them were looked at",
		}, unread)
	})
}

func TestVerifyReadsEveryTableThereIs(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		w.guest(t, "Ola")
		require.NoError(t, w.db.Store.Snapshot(t.Context(), func(all service.Snapshot) error {
			stored, err := all.StoredRows(t.Context())
			require.NoError(t, err)
			counts := map[string]int{}
			for _, rows := range stored {
				require.NoError(t, rows.Broken)
				assert.Equal(t, rows.Counted, rows.Read, rows.Table)
				counts[rows.Table] = rows.Read
			}
			for _, table := range []string{
				"admin_tokens", "analyses", "audit_log", "device_codes", "game_timers", "games", "leaderboard", "outages", "profile_games",
				"rating_changes", "seat_presence", "tables",
			} {
				assert.Contains(t, counts, table)
			}
			assert.Equal(t, 1, counts["profiles"])
			assert.Equal(t, 1, counts["devices"])
			assert.Positive(t, counts["house_rules"])
			assert.Positive(t, counts["goose_db_version"])
			return nil
		}))
	})
}

func TestVerifyFindsRowsThatReferToNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, testkit.SQLite(t)) // PostgreSQL refuses them
	const nobody = "00000000-0000-7000-8000-000000000000"
	w.tamper(t, "PRAGMA foreign_keys = off; INSERT INTO devices (id, profile_id, token_hash, created) VALUES ($1, $1, zeroblob(32), 1)", nobody)
	assert.Equal(t, []string{"a row of devices refers to no row of profiles"}, differences(t, w.db))
}
