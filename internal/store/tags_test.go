package store_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func (conformance) TestTagsNameTheStatesThatReadersSee(t *testing.T, db *testkit.Database) {
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

	topics := unread(
		service.GameTopic(g.ID), service.TableTopic(room.ID), service.TableTopic(alone.ID), service.TableTopic(gone.ID),
		service.TablesTopic(host), service.TablesTopic(other), service.TablesTopic(nobody.ID), service.TablesTopic(gone.Host()),
		// What there is none of:
		service.GameTopic(game.ID(room.ID)), service.TableTopic(table.ID(g.ID)), service.TablesTopic(profile.ID(newID(t))),
		service.GameTopic(""), service.GameTopic("'; --"), service.TableTopic("no-uuid"),
		service.TablesTopic(profile.ID(strings.ToUpper(string(host)))),
		live.Topic{},
		live.Topic{Kind: 99, ID: newID(t)},
	)
	db.Statements.Reset()
	got, err := db.Store.Tags(t.Context(), topics)
	require.NoError(t, err)
	assert.Equal(t, testkit.Counts{Reads: 3}, db.Statements.Reset())

	want := map[live.Topic]string{service.GameTopic(g.ID): g.Tag()}
	for _, id := range []table.ID{room.ID, alone.ID, gone.ID} {
		read, err := db.Store.Table(t.Context(), id)
		require.NoError(t, err)
		want[service.TableTopic(id)] = read.Tag()
	}
	for id, open := range map[profile.ID]int{host: 1, other: 3, nobody.ID: 0, gone.Host(): 0} {
		list, err := db.Store.TablesOf(t.Context(), id)
		require.NoError(t, err)
		require.Len(t, list, open)
		want[service.TablesTopic(id)] = service.StateOf(list)
	}
	assert.Equal(t, want, got)
	assert.NotEqual(t, got[service.TablesTopic(host)], got[service.TablesTopic(nobody.ID)])

	nothing, err := db.Store.Tags(t.Context(), got)
	require.NoError(t, err)
	assert.Empty(t, nothing, "all is as known")
	for topic := range got {
		known := maps.Clone(got)
		known[topic] += "1"
		other, err := db.Store.Tags(t.Context(), known)
		require.NoError(t, err)
		assert.Equal(t, map[live.Topic]string{topic: got[topic]}, other)
	}
}

// unread are topics of which no state is known.
func unread(topics ...live.Topic) map[live.Topic]string {
	known := make(map[live.Topic]string, len(topics))
	for _, topic := range topics {
		known[topic] = ""
	}
	return known
}

func (conformance) TestTagsOfNothingAskNothing(t *testing.T, db *testkit.Database) {
	db.Statements.Reset()
	for _, topics := range []map[live.Topic]string{nil, unread(service.GameTopic("no-uuid"))} {
		got, err := db.Store.Tags(t.Context(), topics)
		require.NoError(t, err)
		assert.Empty(t, got)
	}
	assert.Zero(t, db.Statements.Reset())
}
