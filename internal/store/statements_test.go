package store_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestStatementsOfEachMethod(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		s, name := db.Store, profile.Name("Иван")
		p, d := stranger(t, db, "Ola")
		host, other := guest(t, db, "Ola"), guest(t, db, "Ola")
		room := waiting(t, db, host, table.Public)
		closing := waiting(t, db, host, table.Private)
		taken, g := room.Sit(seat(other), game.ID(newID(t)), false, db.Clock.Now())
		named, unnamed := newTable(t, db, host, table.Public), newTable(t, db, host, table.Public)
		named.ClientRef = newID(t)
		var err error

		steps := []struct {
			what string
			do   func() error
			want testkit.Counts
		}{
			{"open a profile", func() error { return s.OpenProfile(t.Context(), p, d) }, testkit.Counts{Begins: 1, Writes: 2, Commits: 1}},
			{"read a profile", func() error { _, err = s.Profile(t.Context(), p.ID); return err }, testkit.Counts{Reads: 1}},
			{"change a profile", func() error {
				_, err = s.ChangeProfile(t.Context(), p.ID, profile.Change{Name: &name})
				return err
			}, testkit.Counts{Writes: 1}},
			{"look a token up", func() error { _, err = s.DeviceByToken(t.Context(), d.Hash); return err }, testkit.Counts{Reads: 1}},
			{"open a table", func() error {
				_, err = s.OpenTable(t.Context(), unnamed, plenty, db.Clock.Now())
				return err
			}, testkit.Counts{Begins: 1, Reads: 2, Writes: 1, Commits: 1}},
			{"open a table by a client's name", func() error {
				_, err = s.OpenTable(t.Context(), named, plenty, db.Clock.Now())
				return err
			}, testkit.Counts{Begins: 1, Reads: 3, Writes: 2, Commits: 1}},
			{"read a table", func() error { _, err = s.Table(t.Context(), room.ID); return err }, testkit.Counts{Reads: 1}},
			{"read a table by its code", func() error {
				_, err = s.TableByInvite(t.Context(), closing.Invite)
				return err
			}, testkit.Counts{Reads: 1}},
			{"list tables", func() error {
				_, err = s.PublicTables(t.Context(), table.Waiting, service.Place{}, 20)
				return err
			}, testkit.Counts{Reads: 1}},
			{"close a table", func() error { return s.CloseWaiting(t.Context(), closing.Close(table.HostLeft)) }, testkit.Counts{Writes: 1}},
			{"take a seat", func() error { return s.TakeSeat(t.Context(), taken, g, plenty) }, testkit.Counts{Begins: 1, Writes: 2, Reads: 2, Commits: 1}},
			{"read a game", func() error { _, err = s.Game(t.Context(), g.ID); return err }, testkit.Counts{Reads: 1}},
			{"save a move", func() error { g, err = s.SaveMove(t.Context(), played(t, db, g, "4")); return err }, testkit.Counts{Writes: 1}},
			{"save an end", func() error {
				_, err = s.SaveEnd(t.Context(), g, resigned(t, db, g), table.GameOver)
				return err
			}, testkit.Counts{Begins: 1, Writes: 2, Commits: 1}},
		}
		for _, step := range steps {
			db.Statements.Reset()
			require.NoError(t, step.do(), step.what)
			assert.Equal(t, step.want, db.Statements.Reset(), step.what)
		}
	})
}

func TestRefusedTransactionIsRolledBack(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		_, g := playing(t, db)
		saved(t, db, g, "4")
		db.Statements.Reset()
		_, err := db.Store.SaveEnd(t.Context(), g, resigned(t, db, g), table.GameOver)
		require.ErrorIs(t, err, service.ErrChanged)
		assert.Equal(t, testkit.Counts{Begins: 1, Writes: 2, Rollbacks: 1}, db.Statements.Reset())
	})
}
