package store_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// onEachDatabase measures on SQLite, as safe as it is and faster, and on PostgreSQL.
func onEachDatabase(b *testing.B, measure func(b *testing.B, db *testkit.Database)) {
	b.Helper()
	connections := func(o *store.Options) { o.Database.Connections = 8 }
	for _, synchronous := range []config.Synchronous{config.SynchronousFull, config.SynchronousNormal} {
		b.Run("sqlite_"+string(synchronous), func(b *testing.B) {
			db := testkit.SQLite(b)
			db.Store = db.Open(b, connections, func(o *store.Options) { o.Database.SQLiteSynchronous = synchronous })
			measure(b, db)
		})
	}
	b.Run("postgres", func(b *testing.B) {
		db := testkit.Postgres(b)
		db.Store = db.Open(b, connections)
		measure(b, db)
	})
}

// BenchmarkSaveGame measures moves in many games at once.
func BenchmarkSaveGame(b *testing.B) {
	onEachDatabase(b, func(b *testing.B, db *testkit.Database) {
		b.Helper()
		b.SetParallelism(8)
		b.ReportAllocs()
		commitsBefore, writesBefore := db.Store.Commits()
		b.RunParallel(func(pb *testing.PB) {
			g := endless(b, db)
			for pb.Next() {
				if g.Ply() == 40 {
					g = endless(b, db)
				}
				g = saved(b, db, g, full[g.Ply():g.Ply()+1])
			}
		})
		if commits, writes := db.Store.Commits(); commits > commitsBefore {
			b.ReportMetric(float64(writes-writesBefore)/float64(commits-commitsBefore), "writes/commit")
		}
	})
}

// BenchmarkGame measures what a poll reads, in many games at once.
func BenchmarkGame(b *testing.B) {
	onEachDatabase(b, func(b *testing.B, db *testkit.Database) {
		b.Helper()
		const games = 100
		ids := make([]game.ID, games)
		for i := range ids {
			g := endless(b, db)
			ids[i] = saved(b, db, g, full[:i%40]).ID
		}
		var turn atomic.Int64
		b.SetParallelism(8)
		b.ReportAllocs()
		b.ResetTimer()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				_, err := db.Store.Game(b.Context(), ids[turn.Add(1)%games])
				require.NoError(b, err)
			}
		})
	})
}
