package service_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// fullDisk is a database that stores no game and no beat once it is full.
type fullDisk struct {
	service.GameStore
	service.HeartbeatStore

	full  bool
	beats int // that it was asked to store since
}

func (f *fullDisk) SaveGame(ctx context.Context, before, after game.Game, due time.Time) (game.Game, error) {
	if f.full {
		return game.Game{}, fault.New(fault.Away, "the disk is full")
	}
	return f.GameStore.SaveGame(ctx, before, after, due)
}

func (f *fullDisk) Beat(ctx context.Context, now time.Time, gap time.Duration, since time.Time) (game.Outages, error) {
	if f.full {
		f.beats++
		return nil, fault.New(fault.Away, "the disk is full")
	}
	return f.HeartbeatStore.Beat(ctx, now, gap, since)
}

func TestGamesAndTablesAreShownWhileNothingIsStored(t *testing.T) {
	t.Parallel()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) {
		disk := &fullDisk{GameStore: db.Store, HeartbeatStore: db.Store, full: false, beats: 0}
		w := newWorld(t, db, func(o *service.Outside) { o.Games, o.Heartbeat = disk, disk })
		ola, ivan := w.guest(t, "Ola"), w.guest(t, "Иван")
		m := w.rivals(t, ola, ivan, service.NewTable{})
		w.Pass(t, 40*time.Second)
		silent, err := db.Store.Game(t.Context(), m.game)
		require.NoError(t, err)
		require.Equal(t, game.Silent, silent.Red.Presence)
		disk.full = true
		db.Clock.Advance(10 * time.Second)

		for range 5 {
			for _, owner := range []service.Caller{ola, ivan} { // who would be back by it
				shown, _, err := w.Games.Follow(t.Context(), owner, m.game, service.Poll{})
				require.NoError(t, err)
				assert.Equal(t, silent.Version, shown.Game.Version)
				_, _, err = w.Tables.Follow(t.Context(), owner, m.table, service.Poll{})
				require.NoError(t, err)
				_, err = w.Tables.List(t.Context(), owner, service.Lobby{Status: "playing", Limit: 10}, "")
				require.NoError(t, err)
			}
		}
		assert.LessOrEqual(t, disk.beats, 1+5*2*2, "reading tries once, besides those who would be back")
		disk.full = false
		shown, _, err := w.Games.Follow(t.Context(), ivan, m.game, service.Poll{})
		require.NoError(t, err)
		assert.Greater(t, shown.Game.Version, silent.Version)
	})
}
