package store_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func TestTagsNameTheStatesThatReadersSee(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		room, g := playing(t, db)
		g = saved(t, db, g, "443")
		alone := waiting(t, db, guest(t, db, "李雷"), table.Private)
		host, other := g.Red.Profile, g.Yellow.Profile
		for range 2 { // the other sits at three tables
			p, err := db.Store.Profile(t.Context(), other)
			require.NoError(t, err)
			taken(t, db, waiting(t, db, guest(t, db, "Ola"), table.Public), p)
		}
		nobody := guest(t, db, "Nobody")
		gone := closed(t, db, waiting(t, db, guest(t, db, "Gone"), table.Public).ID, table.HostLeft)

		topics := []string{
			service.TopicGame + string(g.ID), service.TopicTable + string(room.ID), service.TopicTable + string(alone.ID),
			service.TopicTable + string(gone.ID), service.TopicTables + string(host), service.TopicTables + string(other),
			service.TopicTables + string(nobody.ID), service.TopicTables + string(gone.Host()),
			// What there is none of:
			service.TopicGame + string(room.ID), service.TopicTable + string(g.ID), service.TopicTables + newID(t),
			service.TopicGame, service.TopicGame + "'; --", service.TopicTable + "no-uuid", service.TopicTables + strings.ToUpper(string(host)), "", "x " + newID(t),
		}
		db.Statements.Reset()
		got, err := db.Store.Tags(t.Context(), topics)
		require.NoError(t, err)
		assert.Equal(t, testkit.Counts{Reads: 3}, db.Statements.Reset())

		want := map[string]string{service.TopicGame + string(g.ID): g.Tag()}
		for _, id := range []table.ID{room.ID, alone.ID, gone.ID} {
			read, err := db.Store.Table(t.Context(), id)
			require.NoError(t, err)
			want[service.TopicTable+string(id)] = read.Tag()
		}
		for id, open := range map[string]int{string(host): 1, string(other): 3, string(nobody.ID): 0, string(gone.Host()): 0} {
			list, err := db.Store.TablesOf(t.Context(), profile.ID(id))
			require.NoError(t, err)
			require.Len(t, list, open)
			want[service.TopicTables+id] = service.StateOf(list)
		}
		assert.Equal(t, want, got)
		assert.NotEqual(t, got[service.TopicTables+string(host)], got[service.TopicTables+string(nobody.ID)])
	})
}

func TestTagsOfNothingAskNothing(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		db.Statements.Reset()
		for _, topics := range [][]string{nil, {"g no-uuid"}} {
			got, err := db.Store.Tags(t.Context(), topics)
			require.NoError(t, err)
			assert.Empty(t, got)
		}
		assert.Zero(t, db.Statements.Reset())
	})
}
