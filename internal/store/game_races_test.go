package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

func (conformance) TestOnlyOneOfManyMakesAPly(t *testing.T, db *testkit.Database) {
	_, g := playing(t, db)
	for ply := range 20 {
		requests := make([]game.Game, 7)
		for i := range requests {
			requests[i] = played(t, db, g, string(rune('1'+(i+ply)%7)))
		}
		winner := requireOneWinner(t, race(len(requests), func(i int) error {
			_, err := db.Store.SaveGame(t.Context(), g, requests[i], noTimer)
			return err
		}))
		stored, err := db.Store.Game(t.Context(), g.ID)
		require.NoError(t, err)
		require.Equal(t, requests[winner].Moves, stored.Moves)
		require.Equal(t, g.Version+1, stored.Version)
		if stored.Ply() == 6 { // before a line is possible, begin another game
			_, stored = playing(t, db)
		}
		g = stored
	}
}

// An owner who is away comes back, moves, and the CPU moves for it, all at once: exactly one thing happens at a time,
// and never a CPU's move after a return.
func (conformance) TestReturnMoveAndCoverAreDecidedOneAfterAnother(t *testing.T, db *testkit.Database) {
	_, g := playing(t, db)
	for round := range rounds(t, 60) {
		if g.Ply() > 4 { // before a line is possible
			_, g = playing(t, db)
		}
		side := g.Turn()
		away, err := db.Store.SaveGame(t.Context(), g, flipped(db, g, side, game.Silent), db.Clock.Now())
		require.NoError(t, err)
		require.True(t, away.CPUToMove())
		cpu, err := away.PlayCPU(1, db.Clock.Advance(time.Second))
		require.NoError(t, err)
		requests := []game.Game{flipped(db, away, side, game.Here), cpu, played(t, db, away, "2")}

		winner := requireOneWinner(t, race(len(requests), func(i int) error {
			due := db.Clock.Now()
			if i == 2 {
				due = noTimer
			}
			_, err := db.Store.SaveGame(t.Context(), away, requests[i], due)
			return err
		}))

		stored, err := db.Store.Game(t.Context(), g.ID)
		require.NoError(t, err)
		require.Equal(t, requests[winner].Moves, stored.Moves, "round %d", round)
		require.Equal(t, away.Version+1, stored.Version)
		if stored.Player(side).Presence != game.Here {
			stored = kept(t, db, stored, flipped(db, stored, side, game.Here))
		}
		g = saved(t, db, stored, "3456712"[stored.Ply():stored.Ply()+1])
	}
}

func (conformance) TestOnlyOneOfManyEndsAGame(t *testing.T, db *testkit.Database) {
	for range 10 {
		room, g := playing(t, db)
		g = saved(t, db, g, "121212")
		g, err := db.Store.SaveGame(t.Context(), g, flipped(db, g, board.Yellow, game.Silent), db.Clock.Now())
		require.NoError(t, err)
		wins, resigns, moves := played(t, db, g, "1"), resigned(t, db, g), played(t, db, g, "7")
		expires := g.Expire(db.Clock.Now())
		end := func(over game.Game) func() error {
			return func() error { _, _, err := db.Store.SaveEnd(t.Context(), g, over); return err }
		}
		actions := []func() error{
			end(wins), end(resigns), end(expires),
			func() error { _, err := db.Store.SaveGame(t.Context(), g, moves, db.Clock.Now()); return err },
		}
		failures := race(2*len(actions), func(i int) error { return actions[i%len(actions)]() })

		stored, err := db.Store.Game(t.Context(), g.ID)
		require.NoError(t, err)
		winner := requireOneWinner(t, failures) % len(actions)
		assert.Equal(t, []game.Game{wins, resigns, expires, moves}[winner].Result, stored.Result)
		assert.Equal(t, g.Version+1, stored.Version)
		after, err := db.Store.Table(t.Context(), room.ID)
		require.NoError(t, err)
		_, set := timers(t, db)[g.ID]
		if !stored.Over() {
			assert.Equal(t, room.Version, after.Version)
			assert.True(t, set)
			continue
		}
		assert.Equal(t, table.BetweenGames, after.Status)
		assert.Equal(t, room.Version+1, after.Version, "once")
		assert.Equal(t, 1, after.Score.Games)
		assert.False(t, set, "what is over has no timer")
	}
}

func (conformance) TestTwoAgreementsAtOnceStartOneGame(t *testing.T, db *testkit.Database) {
	room, g := playing(t, db)
	many := rounds(t, 200)
	for round := range many {
		over, between := ended(t, db, g, resigned(t, db, g))
		require.NoError(t, db.Store.SeeOwners(t.Context(), []service.SeatSeen{
			{Table: room.ID, Seat: game.HostSeat, At: db.Clock.Now()}, {Table: room.ID, Seat: game.GuestSeat, At: db.Clock.Now()},
		}))
		ids := []game.ID{game.ID(newID(t)), game.ID(newID(t)), game.ID(newID(t)), game.ID(newID(t))}
		for _, err := range race(len(ids), func(i int) error { // each agrees twice
			by := []game.Player{over.Red, over.Yellow}[i%2].Profile
			_, err := db.Store.ChangeTable(t.Context(), room.ID, agreeing(db, by, over.ID, ids[i]))
			if fault.Is(err, fault.StaleGame) { // the next has begun
				return nil
			}
			return err
		}) {
			require.NoError(t, err)
		}
		now, err := db.Store.Table(t.Context(), room.ID)
		require.NoError(t, err)
		last, err := db.Store.Game(t.Context(), over.ID)
		require.NoError(t, err)
		require.Equal(t, table.Playing, now.Status)
		require.Equal(t, round+2, now.Game.Number)
		require.Equal(t, between.Version+1, now.Version)
		require.Equal(t, last.Next, now.Game.ID)
		require.Contains(t, ids, now.Game.ID)
		require.Equal(t, over.Version+2, last.Version, "an agreement, and the other with the next game")
		g = *now.Game
	}
	var games int
	require.NoError(t, db.SQL(t).QueryRowContext(t.Context(), "SELECT count(*) FROM games").Scan(&games))
	assert.Equal(t, many+1, games)
}

// Who leaves while the other moves: neither is lost.
func (conformance) TestLeavingAndMovingAtOnceAreBothKept(t *testing.T, db *testkit.Database) {
	for round := range rounds(t, 60) {
		room, g := playing(t, db)
		moved := played(t, db, g, "4")
		leave := func() error {
			_, err := db.Store.ChangeTable(t.Context(), room.ID, func(found table.Table) (service.TableChange, error) {
				after := flipped(db, *found.Game, board.Yellow, game.Gone)
				return service.TableChange{
					Table: found.Mark(game.GuestSeat, true), Game: &after, Due: db.Clock.Now(),
					Presence: &service.PresenceSaid{Seat: game.GuestSeat, Away: true, At: db.Clock.Now()},
				}, nil
			})
			return err
		}
		failures := race(2, func(i int) error {
			if i == 0 {
				return leave()
			}
			_, err := db.Store.SaveGame(t.Context(), g, moved, noTimer)
			return err
		})
		require.NoError(t, failures[0])
		stored, err := db.Store.Table(t.Context(), room.ID)
		require.NoError(t, err)
		require.True(t, stored.Seats[1].Left)
		require.Equal(t, game.Gone, stored.Game.Yellow.Presence)
		if failures[1] == nil {
			require.Equal(t, "4", stored.Game.Moves, "round %d: what was acknowledged is there", round)
			require.Equal(t, g.Version+2, stored.Game.Version)
			continue
		}
		require.ErrorIs(t, failures[1], service.ErrChanged)
		require.Empty(t, stored.Game.Moves)
	}
}

// Who leaves while the game ends: the table closes by one of them, and is never left open without its leaver.
func (conformance) TestLeavingAndEndingAtOnceCloseTheTableOnce(t *testing.T, db *testkit.Database) {
	for range rounds(t, 40) {
		room, g := playing(t, db)
		over := resigned(t, db, g)
		leave := func(found table.Table) (service.TableChange, error) {
			if found.Status == table.BetweenGames {
				gone := found.Close(table.PlayerLeft)
				return service.TableChange{Table: gone, Game: gone.Game}, nil
			}
			return service.TableChange{Table: found.Mark(game.GuestSeat, true)}, nil
		}
		for _, err := range race(2, func(i int) error {
			if i == 0 {
				_, err := db.Store.ChangeTable(t.Context(), room.ID, leave)
				return err
			}
			_, _, err := db.Store.SaveEnd(t.Context(), g, over)
			return err
		}) {
			require.NoError(t, err)
		}
		stored, err := db.Store.Table(t.Context(), room.ID)
		require.NoError(t, err)
		require.Equal(t, table.Closed, stored.Status)
		require.Equal(t, table.PlayerLeft, stored.Reason)
		require.True(t, stored.Game.TableDone)
		require.Equal(t, 1, stored.Score.Games)
	}
}
