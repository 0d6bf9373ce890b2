package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

const patience = 30 * time.Second

func TestStoreGoesOnWhenTheDatabaseIsBack(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	s, network := db.BehindNetwork(t)
	_, g := playing(t, db)
	g, err := s.SaveGame(t.Context(), g, played(t, db, g, "4"), noTimer)
	require.NoError(t, err)

	network.Stop()
	for range 3 {
		_, err = s.Game(t.Context(), g.ID)
		requireFault(t, err, fault.Away)
		_, err = s.HolderOf(t.Context(), [32]byte{})
		requireFault(t, err, fault.Away)
		requireFault(t, s.Migrate(t.Context()), fault.Away)
		_, _, err = s.SaveEnd(t.Context(), g, resigned(t, db, g))
		requireFault(t, err, fault.Away)
	}

	network.Start(t)
	moved, err := s.SaveGame(t.Context(), g, played(t, db, g, "4"), noTimer)
	require.NoError(t, err)
	assert.Equal(t, "44", moved.Moves)
}

func TestUnreachableDatabaseIsUnavailableAtTheStart(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	_, network := db.BehindNetwork(t)
	network.Stop()
	options := db.Options()
	require.NoError(t, options.Database.URL.UnmarshalText([]byte("postgres://me:geheim@"+network.Address()+"/games")))
	_, err := store.Open(t.Context(), options)
	requireFault(t, err, fault.Away)
	assert.Contains(t, err.Error(), network.Address(), "it says which database")
}

func TestLostAnswerToAMoveLeavesItsOutcomeUnknown(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	s, network := db.BehindNetwork(t, func(o *store.Options) { o.Database.Connections = 1 })
	_, g := playing(t, db)
	g, err := s.SaveGame(t.Context(), g, played(t, db, g, "4"), noTimer) // the statement is prepared from here on
	require.NoError(t, err)
	request := played(t, db, g, "3")

	network.LoseAnswerTo(string(g.ID))
	_, err = s.SaveGame(t.Context(), g, request, noTimer)
	requireFault(t, err, fault.OutcomeUnknown)

	now, err := s.Game(t.Context(), g.ID)
	require.NoError(t, err)
	assert.Equal(t, "43", now.Moves, "it had been stored")
	_, err = s.SaveGame(t.Context(), g, request, noTimer)
	require.ErrorIs(t, err, service.ErrChanged, "the same request again does nothing")
	_, changed, err := now.Play(now.Yellow.Profile, 2, board.Column(3), db.Clock.Now(), nil)
	require.NoError(t, err)
	assert.False(t, changed, "and the domain knows it for the same")
}

func TestLostAnswerToACommitLeavesItsOutcomeUnknown(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	s, network := db.BehindNetwork(t)
	room, g := playing(t, db)
	over := resigned(t, db, g)

	network.LoseAnswerTo("commit")
	_, _, err := s.SaveEnd(t.Context(), g, over)
	requireFault(t, err, fault.OutcomeUnknown)

	over.NextFirst, over.Rating.Reason = game.GuestSeat, game.NotRanked
	now, err := s.Game(t.Context(), g.ID)
	require.NoError(t, err)
	assert.Empty(t, testkit.Diff(over, now), "it had been stored")
	between, err := s.Table(t.Context(), room.ID)
	require.NoError(t, err)
	assert.Equal(t, table.BetweenGames, between.Status)
}

func TestLostAnswerToOneOfManyStatementsLeavesItsOutcomeUnknown(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	s, network := db.BehindNetwork(t, func(o *store.Options) { o.Database.Connections = 1 })
	host, name := guest(t, db, "Ola"), profile.Name("Иван")
	seen := []service.SeatSeen{{Table: waiting(t, db, host, table.Public).ID, Seat: game.HostSeat, At: db.Clock.Advance(time.Second)}}
	require.NoError(t, s.SeeOwners(t.Context(), seen)) // the statements are prepared from here on
	_, err := s.ChangeProfile(t.Context(), guest(t, db, "Ola").ID, profile.Change{Name: &name})
	require.NoError(t, err)

	seen[0].At = db.Clock.Advance(time.Second)
	network.LoseAnswerTo(string(seen[0].Table))
	requireFault(t, s.SeeOwners(t.Context(), seen), fault.OutcomeUnknown)
	assert.Equal(t, seen[0].At, seenAt(t, db, seen[0].Table)[0])

	network.LoseAnswerTo(string(host.ID))
	_, err = s.ChangeProfile(t.Context(), host.ID, profile.Change{Name: &name})
	requireFault(t, err, fault.OutcomeUnknown)
	renamed, err := s.Profile(t.Context(), host.ID)
	require.NoError(t, err)
	assert.Equal(t, name, renamed.Name)
}

func TestConnectionLostAtTheBeginningChangesNothing(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	s, network := db.BehindNetwork(t)
	_, g := playing(t, db)
	network.LoseAnswerTo("begin")
	_, _, err := s.SaveEnd(t.Context(), g, resigned(t, db, g))
	requireFault(t, err, fault.Away)
	now, err := s.Game(t.Context(), g.ID)
	require.NoError(t, err)
	assert.False(t, now.Over())
}

func TestConnectionLostBeforeTheCommitChangesNothing(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	s, network := db.BehindNetwork(t)
	_, g := playing(t, db)

	network.LoseAnswerTo(string(g.ID)) // of the UPDATE in the transaction
	_, _, err := s.SaveEnd(t.Context(), g, resigned(t, db, g))
	requireFault(t, err, fault.Away)

	now, err := s.Game(t.Context(), g.ID)
	require.NoError(t, err)
	assert.False(t, now.Over())
}

func TestCauseOfAFaultStaysInItsChain(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	_, g := playing(t, db)
	s := db.Open(t, withParameter(t, "lock_timeout", "50ms"))
	lockRow(t, db, g)

	_, err := s.SaveGame(t.Context(), g, played(t, db, g, "4"), noTimer)

	requireFault(t, err, fault.Away)
	var cause *pgconn.PgError
	require.ErrorAs(t, err, &cause)
	assert.Equal(t, "55P03", cause.Code)
	var f *fault.Error
	require.ErrorAs(t, err, &f)
	assert.NotContains(t, f.Message, "55P03", "which callers are not told")
}

func TestStatementThatTakesTooLongIsUnavailable(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	_, g := playing(t, db)
	s := db.Open(t, withParameter(t, "statement_timeout", "50ms"))
	holder, err := db.SQL(t).BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = holder.ExecContext(t.Context(), "LOCK TABLE games")
	require.NoError(t, err)

	_, err = s.Game(t.Context(), g.ID)
	requireFault(t, err, fault.Away)

	require.NoError(t, holder.Rollback())
	_, err = s.Game(t.Context(), g.ID)
	require.NoError(t, err)
}

func TestMoveThatRunsOutOfTimeLeavesItsOutcomeUnknown(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	_, g := playing(t, db)
	s := db.Open(t, func(o *store.Options) { o.WriteTimeout = 200 * time.Millisecond })
	lockRow(t, db, g)
	_, err := s.SaveGame(t.Context(), g, played(t, db, g, "4"), noTimer)
	requireFault(t, err, fault.OutcomeUnknown)
}

// A write that waits for a connection in vain has not begun: its outcome is known.
func TestExhaustedPoolIsUnavailable(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	_, g := playing(t, db)
	reading, proceed := make(chan struct{}), make(chan struct{})
	s := db.Open(t, func(o *store.Options) {
		o.Database.Connections = 1
		o.WriteTimeout, o.ReadTimeout = 50*time.Millisecond, patience
		o.Observe = func(_ context.Context, st store.Statement) {
			if st.Kind == store.Read {
				close(reading)
				<-proceed
			}
		}
	})
	ended := make(chan error, 1)
	go func() { _, err := s.Game(t.Context(), g.ID); ended <- err }()
	<-reading // and so it has the connection

	_, _, err := s.SaveEnd(t.Context(), g, resigned(t, db, g))
	requireFault(t, err, fault.Away)

	close(proceed)
	require.NoError(t, <-ended)
}

func TestSerializationFailureIsTriedAgain(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	room, g := playing(t, db)
	strict := db.Open(t, withParameter(t, "default_transaction_isolation", "repeatable read"))
	holder, err := db.SQL(t).BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = holder.ExecContext(t.Context(), "UPDATE tables SET version = version + 1 WHERE id = $1", string(room.ID))
	require.NoError(t, err)

	ended := make(chan error, 1)
	go func() {
		_, _, err := strict.SaveEnd(t.Context(), g, resigned(t, db, g))
		ended <- err
	}()
	awaitLock(t, db)
	require.NoError(t, holder.Commit())

	require.NoError(t, <-ended)
	counts := db.Statements.Reset()
	assert.GreaterOrEqual(t, counts.Rollbacks, 1, "the first try was pushed aside")
	closed, err := db.Store.Table(t.Context(), room.ID)
	require.NoError(t, err)
	assert.Equal(t, room.Version+2, closed.Version)
}
