package table_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

// forgetting is a public table of ola, at which iwan sits if it says so.
func forgetting(t *testing.T, status table.Status, change func(*game.Settings)) table.Table {
	t.Helper()
	noon := time.Date(2026, 9, 22, 12, 0, 0, 0, time.UTC)
	settings := game.Defaults(houserule.Standard())
	change(&settings)
	person := func(id profile.ID) table.Seat {
		return table.Seat{Kind: game.Human, Profile: id, Name: profile.Name(id), Seen: noon}
	}
	opened := table.Open(table.Opening{ID: "table", Host: person("ola"), Visibility: table.Public, Settings: settings}, noon)
	if status == table.Waiting {
		return opened
	}
	seated := opened.Sit(person("iwan"), "game", false, time.Time{}, noon)
	if status == table.BetweenGames {
		over, _, err := seated.Game.Resign("iwan", noon)
		require.NoError(t, err)
		seated = seated.GameOver(over, noon)
	}
	require.Equal(t, status, seated.Status)
	return seated
}

func TestWhoLeavesForGoodIsForgotten(t *testing.T) {
	t.Parallel()
	later := time.Date(2026, 9, 22, 12, 5, 0, 0, time.UTC)
	asIs := func(*game.Settings) {}
	for _, row := range []struct {
		what     string
		status   table.Status
		settings func(*game.Settings)
		closes   bool
	}{
		{"a table that waits closes", table.Waiting, asIs, true},
		{"a table between games closes", table.BetweenGames, asIs, true},
		{"a running game goes on", table.Playing, asIs, false},
		{"without cover it is resigned", table.Playing, func(s *game.Settings) { s.CPUCover = false }, true},
	} {
		t.Run(row.what, func(t *testing.T) {
			t.Parallel()
			before := forgetting(t, row.status, row.settings)
			after := before.Forget("ola", later)
			assert.Equal(t, game.NoSeat, after.SeatOf("ola"), "the seat is nobody's")
			assert.True(t, after.Seats[0].Deleted)
			assert.Empty(t, after.Seats[0].Name)
			assert.Equal(t, profile.ID("ola"), after.Seats[0].Profile, "but games still add up")
			assert.Equal(t, before.Version+1, after.Version)
			assert.Equal(t, row.closes, after.Status == table.Closed)
			if row.closes {
				assert.Equal(t, table.ProfileDeleted, after.Reason)
			}
			if before.Game != nil {
				assert.Equal(t, before.Game.Version+1, after.Game.Version)
				assert.True(t, after.Game.Red.Deleted)
				assert.Empty(t, after.Game.Red.Name)
				assert.Equal(t, board.NoSide, after.Game.SideOf("ola"))
				assert.Equal(t, row.closes, after.Game.TableDone)
			}
			assert.Equal(t, after, after.Forget("ola", later))
		})
	}
}

func TestTheTableOfADeletedPlayerClosesWithItsGame(t *testing.T) {
	t.Parallel()
	later := time.Date(2026, 9, 22, 12, 5, 0, 0, time.UTC)
	playing := forgetting(t, table.Playing, func(*game.Settings) {}).Forget("ola", later)
	assert.Equal(t, game.ByCPU, playing.Game.Controller(board.Red), "the CPU covers it")
	over, _, err := playing.Game.Resign("iwan", later)
	require.NoError(t, err)
	closed := playing.GameOver(over, later)
	assert.Equal(t, table.ProfileDeleted, closed.Reason)
	assert.Equal(t, 1, closed.Score.Wins[0])
}
