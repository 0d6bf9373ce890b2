package store_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestAKnownGameIsReadByOneVersionCheck(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	_, g := playing(t, db)
	db.Statements.Watch("SELECT version, stamp FROM games WHERE id = ")
	db.Statements.Reset()
	read, err := db.Store.Game(t.Context(), g.ID)
	require.NoError(t, err)
	assert.Empty(t, testkit.Diff(g, read))
	assert.Equal(t, testkit.Counts{Reads: 1}, db.Statements.Reset())
	assert.Equal(t, 1, db.Statements.Watched())
}

func TestWhatAnotherReplicaHasStoredIsRead(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	other := db.Open(t)
	_, g := playing(t, db)
	known, err := other.Game(t.Context(), g.ID)
	require.NoError(t, err)
	now := kept(t, db, g, played(t, db, g, "4"))
	read, err := other.Game(t.Context(), g.ID)
	require.NoError(t, err)
	assert.Empty(t, testkit.Diff(now, read))
	_, err = other.SaveGame(t.Context(), known, played(t, db, known, "3"), noTimer)
	require.ErrorIs(t, err, service.ErrChanged, "a move that rests on memory alone")
}

// A restored database may say something else about a game at the same version.
func TestAGameOfTheSameVersionAndAnotherStampIsReadAgain(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	_, g := playing(t, db)
	exec(t, db.SQL(t), "UPDATE games SET moves = '7', movers = 'h', took = '5,', stamp = stamp + 1 WHERE id = '"+string(g.ID)+"'")
	read, err := db.Store.Game(t.Context(), g.ID)
	require.NoError(t, err)
	assert.Equal(t, "7", read.Moves)
	assert.Equal(t, g.Version, read.Version)
}

func (conformance) TestARefusedWriteLeavesNoGameInMemory(t *testing.T, db *testkit.Database) {
	room, g := playing(t, db)
	_, err := db.Store.ChangeTable(t.Context(), room.ID, func(broken table.Table) (service.TableChange, error) {
		moved := played(t, db, g, "4")
		broken.Seats[0].Profile = broken.Seats[1].Profile // never changes, and comes after the game
		return service.TableChange{Table: broken, Game: &moved}, nil
	})
	require.Error(t, err)
	read, err := db.Store.Game(t.Context(), g.ID)
	require.NoError(t, err)
	assert.Equal(t, g.Moves, read.Moves)
}

func (conformance) TestErasedNamesAreGoneFromMemory(t *testing.T, db *testkit.Database) {
	_, g := playing(t, db)
	over, _ := ended(t, db, g, resigned(t, db, g))
	require.NotEmpty(t, over.Red.Name)
	deleted(t, db, over.Red.Profile)
	erased(t, db)
	read, err := db.Store.Game(t.Context(), g.ID)
	require.NoError(t, err)
	assert.Empty(t, read.Red.Name)
	assert.True(t, read.Red.Deleted)
}
