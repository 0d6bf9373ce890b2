package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// reader opens another replica, which reads news from now on.
func reader(t *testing.T, db *testkit.Database, options ...func(*store.Options)) *store.Store {
	t.Helper()
	s := db.Open(t, options...)
	first, err := s.News(t.Context())
	require.NoError(t, err)
	require.True(t, first.Lost, "nobody knows what came before")
	return s
}

// news reads what is new, of which nothing may be lost.
func news(t *testing.T, s *store.Store) []string {
	t.Helper()
	read, err := s.News(t.Context())
	require.NoError(t, err)
	require.False(t, read.Lost)
	return read.IDs
}

// published is what other replicas read of a change of a game.
func published(g game.Game) []string {
	return []string{string(g.ID), string(g.Table), string(g.Red.Profile), string(g.Yellow.Profile)}
}

func TestNewsAreReadOnceAndByOthersAlone(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	_, g := playing(t, db)
	other := reader(t, db)
	_, err := db.Store.News(t.Context())
	require.NoError(t, err)
	g = saved(t, db, g, "4")
	assert.ElementsMatch(t, published(g), news(t, other))
	assert.Empty(t, news(t, other))
	assert.Empty(t, news(t, db.Store), "its own")
}

func TestNewsAreOfRemovedDevicesToo(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	p, d := stranger(t, db, "Ola")
	require.NoError(t, db.Store.OpenProfile(t.Context(), p, d))
	other := reader(t, db)
	_, err := db.Store.RemoveDevice(t.Context(), p.ID, d.ID)
	require.NoError(t, err)
	read, err := other.News(t.Context())
	require.NoError(t, err)
	assert.Equal(t, service.News{Removed: []profile.DeviceID{d.ID}}, read)
}

func TestOnSQLiteThereAreNoNews(t *testing.T) {
	t.Parallel()
	db := testkit.SQLite(t)
	_, g := playing(t, db)
	saved(t, db, g, "4")
	db.Statements.Reset()
	assert.Empty(t, news(t, db.Store))
	require.NoError(t, db.Store.TrimNews(t.Context()))
	assert.Zero(t, db.Statements.Reset())
}

// A transaction that begins before others and commits after them is read when it has.
func TestATransactionThatIsOvertakenIsRead(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	slow, fast := endless(t, db), endless(t, db)
	other := reader(t, db)
	overtaken, err := db.SQL(t).BeginTx(t.Context(), nil)
	require.NoError(t, err)
	defer overtaken.Rollback() //nolint:errcheck // it is committed by then, unless the test has failed
	_, err = overtaken.ExecContext(t.Context(), insertInto("changes_a"), string(slow.ID))
	require.NoError(t, err)
	for i := range 20 {
		fast = saved(t, db, fast, full[i:i+1])
		assert.ElementsMatch(t, published(fast), news(t, other), "those that overtake are read once")
	}
	require.NoError(t, overtaken.Commit())
	assert.Equal(t, []string{string(slow.ID)}, news(t, other))
	assert.Empty(t, news(t, other))
}

func TestOldNewsAreThrownAwayWhenEverybodyHadTheTimeToReadThem(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	g, around := endless(t, db), db.SQL(t)
	trim := func(after time.Duration) {
		t.Helper()
		db.Clock.Advance(after)
		require.NoError(t, db.Store.TrimNews(t.Context()))
	}
	saved(t, db, g, full[:3])
	kept := rowsOf(t, db)
	require.Positive(t, kept)
	trim(0)
	trim(20 * time.Second)
	assert.Equal(t, kept, rowsOf(t, db), "this table is still written")
	trim(41 * time.Second)
	assert.Zero(t, rowsOf(t, db), "it is another one's turn, and what was there was seen a while ago")

	saved(t, db, endless(t, db), full[:1])
	kept = rowsOf(t, db)
	writer, err := around.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = writer.ExecContext(t.Context(), insertInto("changes_b"), string(g.ID))
	require.NoError(t, err)
	trim(time.Minute)
	trim(20 * time.Second)
	assert.Equal(t, kept, rowsOf(t, db), "somebody writes to it")
	require.NoError(t, writer.Commit())
	trim(14 * time.Second)
	assert.Equal(t, kept+1, rowsOf(t, db), "not everybody had the time to read that")
	trim(20 * time.Second)
	assert.Equal(t, kept+1, rowsOf(t, db), "nor now: it wasn't there when somebody looked last")
	trim(time.Minute)
	trim(time.Minute)
	assert.Zero(t, rowsOf(t, db))
}

// Two replicas read, and throw old news away, while others write to both tables: each change is read once.
func TestTurnsOfTheTablesLoseNothing(t *testing.T) {
	t.Parallel()
	const writers, each = 4, 150
	db, clock := testkit.Postgres(t), testkit.NewClock()
	byClock := func(o *store.Options) { o.Clock = clock.Now }
	readers := []*store.Store{reader(t, db, byClock), reader(t, db, byClock)}
	seen := []map[string]int{{}, {}}
	around := db.SQL(t)
	var writing sync.WaitGroup
	for writer := range writers {
		writing.Go(func() {
			for i := range each {
				_, err := around.ExecContext(t.Context(), insertInto([]string{"changes_a", "changes_b"}[(writer+i/10)%2]), newID(t))
				assert.NoError(t, err)
			}
		})
	}
	done := make(chan struct{})
	go func() {
		writing.Wait()
		close(done)
	}()
	for last := false; !last; {
		select {
		case <-done:
			last = true
		default:
		}
		for i, reader := range readers {
			count(t, reader, seen[i])
			require.NoError(t, reader.TrimNews(t.Context()))
		}
		clock.Advance(4 * time.Second)
	}
	for range 2 * 60 / 4 { // both tables have had their turn
		clock.Advance(4 * time.Second)
		require.NoError(t, readers[0].TrimNews(t.Context()))
	}
	for _, seen := range seen {
		assert.Len(t, seen, writers*each)
		assert.Equal(t, writers*each, total(seen), "each once")
	}
	assert.Zero(t, rowsOf(t, db))
}

// count counts the news by id.
func count(t *testing.T, s *store.Store, seen map[string]int) {
	t.Helper()
	for _, id := range news(t, s) {
		seen[id]++
	}
}

func total(seen map[string]int) (sum int) {
	for _, times := range seen {
		sum += times
	}
	return sum
}

// insertInto tells of an id as another process would.
func insertInto(name string) string {
	return "INSERT INTO " + name + " (topics, origin) VALUES (ARRAY[$1::uuid], 1)"
}

// rowsOf counts the rows of the feed.
func rowsOf(t *testing.T, db *testkit.Database) (n int) {
	t.Helper()
	const count = "SELECT (SELECT count(*) FROM changes_a) + (SELECT count(*) FROM changes_b)"
	require.NoError(t, db.SQL(t).QueryRowContext(t.Context(), count).Scan(&n))
	return n
}

func TestAReplicaThatMayHaveMissedNewsSaysSoOnce(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	g, around := endless(t, db), db.SQL(t)
	other := reader(t, db)
	for what, miss := range map[string]func(){
		"its connection was lost": func() {
			_, err := around.ExecContext(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND query LIKE '%pg_walfile_name%' AND pid <> pg_backend_pid()`)
			require.NoError(t, err)
			_, err = other.News(t.Context())
			require.Error(t, err)
		},
		"it hasn't read for long": func() { db.Clock.Advance(6 * time.Second) },
	} {
		miss()
		g = saved(t, db, g, fmt.Sprint(full[g.Ply():g.Ply()+1]))
		read, err := other.News(t.Context())
		require.NoError(t, err)
		assert.True(t, read.Lost, what)
		g = saved(t, db, g, fmt.Sprint(full[g.Ply():g.Ply()+1]))
		assert.ElementsMatch(t, published(g), news(t, other), what)
	}
}

// What a dump brought along was written by transactions of another database, perhaps ones that are still to come here.
func TestRowsOfARestoredDatabaseAreNoNews(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	other := reader(t, db)
	exec(t, db.SQL(t), "INSERT INTO changes_b (topics, origin, xid) SELECT ARRAY[gen_random_uuid()], 1, xid FROM (VALUES (xid8 '99999999999'), ('3')) v(xid)")
	assert.Empty(t, news(t, other))
	for range 3 {
		db.Clock.Advance(20 * time.Second)
		require.NoError(t, other.TrimNews(t.Context()))
	}
	assert.Zero(t, rowsOf(t, db))
}

// A server that was restored, or took over from another one, has a history of its own: its transactions may have numbers
// that were read before.
func TestAReplicaOnAnotherHistoryOfTheDatabaseSaysSoOnce(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	g := endless(t, db)
	other := reader(t, db)
	for what, before := range map[string]func(snapshot, timeline string) (string, string){
		"another timeline":                    func(snapshot, _ string) (string, string) { return snapshot, "0000FFFF" },
		"transactions that are still to come": func(_, timeline string) (string, string) { return "99999999998:99999999999:", timeline },
	} {
		other.RemembersNews(before)
		read, err := other.News(t.Context())
		require.NoError(t, err)
		assert.Equal(t, service.News{Lost: true}, read, what)
		g = saved(t, db, g, full[g.Ply():g.Ply()+1])
		assert.ElementsMatch(t, published(g), news(t, other), what)
	}
	other.RemembersNews(func(snapshot, timeline string) (string, string) { return snapshot, timeline })
	assert.Empty(t, news(t, other), "nor is anything lost where the last reading ended")
}
