package store_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func (conformance) TestStatementsOfEachMethod(t *testing.T, db *testkit.Database) {
	s, name := db.Store, profile.Name("Иван")
	p, d := stranger(t, db, "Ola")
	host, other := guest(t, db, "Ola"), guest(t, db, "Ola")
	room := waiting(t, db, host, table.Public)
	closing := waiting(t, db, host, table.Private)
	named, unnamed := newTable(t, db, host, table.Public), newTable(t, db, host, table.Public)
	named.ClientRef = newID(t)
	locks, locking := 2, 1 // statements that lock a table and its game, or a table alone
	checks := 1            // of the version and the stamp
	publishing := 1        // the statement that tells other replicas, where it can't be part of another one
	flip := testkit.Counts{Writes: 1}
	if isSQLite(db) {
		locks, locking, checks, publishing = 0, 0, 0, 0
		flip = testkit.Counts{Begins: 1, Writes: 2, Commits: 1}
	}
	another := db.Open(t) // which knows no games
	rated := saved(t, db, rankedGame(t, db, host, other), "121314")
	var (
		g   game.Game
		err error
	)
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
		{"look a token up", func() error { _, err = s.HolderOf(t.Context(), d.Hash); return err }, testkit.Counts{Reads: 1}},
		{"open a table", func() error {
			_, err = s.OpenTable(t.Context(), unnamed, noTimer, plenty, db.Clock.Now())
			return err
		}, testkit.Counts{Begins: 1, Reads: 2, Writes: 2 + publishing, Commits: 1}},
		{"open a table by a client's name", func() error {
			_, err = s.OpenTable(t.Context(), named, noTimer, plenty, db.Clock.Now())
			return err
		}, testkit.Counts{Begins: 1, Reads: 3, Writes: 3 + publishing, Commits: 1}},
		{"ask whether somebody plays a ranked game", func() error {
			_, err = s.PlaysRanked(t.Context(), host.ID)
			return err
		}, testkit.Counts{Reads: 1}},
		{"read an analysis", func() error { _, _, err = s.Analysis(t.Context(), rated.ID); return err }, testkit.Counts{Reads: 1}},
		{"keep an analysis", func() error {
			return s.KeepAnalysis(t.Context(), rated.ID, nil, db.Clock.Now())
		}, testkit.Counts{Writes: 1}},
		{"read a table", func() error { _, err = s.Table(t.Context(), room.ID); return err }, testkit.Counts{Reads: 1}},
		{"read a table by its code", func() error {
			_, err = s.TableByInvite(t.Context(), closing.Invite)
			return err
		}, testkit.Counts{Reads: 1}},
		{"list tables", func() error {
			_, err = s.PublicTables(t.Context(), service.Lobby{Status: table.Waiting, Limit: 20, Now: db.Clock.Now(), UpSince: db.Clock.Now()})
			return err
		}, testkit.Counts{Reads: 1}},
		{"list the tables of a profile", func() error { _, err = s.TablesOf(t.Context(), host.ID); return err }, testkit.Counts{Reads: 1}},
		{
			"close a table", func() error { closed(t, db, closing.ID, table.HostLeft); return nil },
			testkit.Counts{Begins: 1, Reads: 1 + locking, Writes: 1, Commits: 1},
		},
		{
			"take a seat", func() error { room = taken(t, db, room, other); g = *room.Game; return nil },
			testkit.Counts{Begins: 1, Reads: 4 + locking, Writes: 3, Commits: 1},
		},
		{"read a game that is known", func() error { _, err = s.Game(t.Context(), g.ID); return err }, testkit.Counts{Reads: checks}},
		{"read a game", func() error { _, err = another.Game(t.Context(), g.ID); return err }, testkit.Counts{Reads: 1}},
		{"save a move between two who are here", func() error { g = saved(t, db, g, "4"); return nil }, testkit.Counts{Writes: 1}},
		{"save a flip", func() error {
			g, err = s.SaveGame(t.Context(), g, flipped(db, g, board.Yellow, game.Silent), db.Clock.Now())
			return err
		}, flip},
		{"say away", func() error {
			room = change(t, db, room.ID, func(found table.Table) service.TableChange {
				g = flipped(db, *found.Game, board.Yellow, game.Gone)
				return service.TableChange{
					Table: found, Game: &g, Due: db.Clock.Now(),
					Presence: &service.PresenceSaid{Seat: game.GuestSeat, Away: true, At: db.Clock.Now()},
				}
			})
			g = *room.Game
			return nil
		}, testkit.Counts{Begins: 1, Reads: 1 + locks, Writes: 3, Commits: 1}},
		{
			"save an end", func() error { g, room = ended(t, db, g, resigned(t, db, g)); return nil },
			testkit.Counts{Begins: 1, Reads: 2 + locks, Writes: 5, Commits: 1},
		},
		{
			"save an end that changes ratings", func() error { _, _ = ended(t, db, rated, played(t, db, rated, "1")); return nil },
			testkit.Counts{Begins: 1, Reads: 3 + locks, Writes: 6, Commits: 1},
		},
		{"count what sleeps", func() error { _, err = s.Sleeping(t.Context()); return err }, testkit.Counts{Reads: 1}},
		{"look for idle tables", func() error { _, err = s.IdleTables(t.Context(), db.Clock.Now(), 10); return err }, testkit.Counts{Reads: 1}},
	}
	for _, step := range steps {
		db.Statements.Reset()
		require.NoError(t, step.do(), step.what)
		assert.Equal(t, step.want, db.Statements.Reset(), step.what)
	}
}

func (conformance) TestRefusedTransactionIsRolledBack(t *testing.T, db *testkit.Database) {
	_, g := playing(t, db)
	saved(t, db, g, "4")
	db.Statements.Reset()
	_, _, err := db.Store.SaveEnd(t.Context(), g, resigned(t, db, g))
	require.ErrorIs(t, err, service.ErrChanged)
	counts := db.Statements.Reset()
	assert.Equal(t, testkit.Counts{Begins: 1, Reads: counts.Reads, Writes: 1, Rollbacks: 1}, counts)
}
