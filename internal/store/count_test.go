package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// redWins is the shortest game.
const redWins = "1213141"

// rankedWin stores a ranked game that the host wins.
func rankedWin(tb testing.TB, db *testkit.Database, host, other profile.Profile) game.Game {
	tb.Helper()
	g := rankedGame(tb, db, host, other)
	g = saved(tb, db, g, redWins[:6])
	over, _ := ended(tb, db, g, played(tb, db, g, redWins[6:]))
	return over
}

func standing(tb testing.TB, db *testkit.Database, p profile.Profile) profile.Standing {
	tb.Helper()
	now, err := db.Store.Profile(tb.Context(), p.ID)
	require.NoError(tb, err)
	return now.Standing
}

func (conformance) TestAnEndChangesBothRatingsOnce(t *testing.T, db *testkit.Database) {
	ola, ivan := guest(t, db, "Ola"), guest(t, db, "Иван")

	first := rankedWin(t, db, ola, ivan)

	const up, down = 1516_000_000, 1484_000_000
	assert.Equal(t, game.Rating{
		Reason: game.Rated, Red: game.RatingChange{Before: profile.FirstRating, After: up},
		Yellow: game.RatingChange{Before: profile.FirstRating, After: down},
	}, first.Rating)
	won := profile.Tally{Wins: 1}
	assert.Equal(t, profile.Standing{
		Games: 1, People: won, Ranked: won, Streak: profile.Streak{Current: 1, Longest: 1}, Rating: up, Rated: 1, Opponents: 1,
	}, standing(t, db, ola))
	assert.Equal(t, profile.Standing{
		Games: 1, People: profile.Tally{Losses: 1}, Ranked: profile.Tally{Losses: 1}, Rating: down, Rated: 1, Opponents: 1,
	}, standing(t, db, ivan))

	second := rankedGame(t, db, ola, ivan)
	assert.Equal(t, []profile.Rating{up, down}, []profile.Rating{second.Red.Rating, second.Yellow.Rating}, "ratings of the moment")
	assert.Equal(t, profile.FirstRating, first.Red.Rating, "and as they were in an old game")
	second = saved(t, db, second, "1213")
	over, _ := ended(t, db, second, second.Expire(db.Clock.Advance(time.Hour))) // red runs out of time
	assert.Equal(t, game.RatingChange{Before: up, After: up - 17_469_502}, over.Rating.Red)
	assert.Equal(t, 2, standing(t, db, ola).Rated)
	assert.Equal(t, 1, standing(t, db, ola).Opponents)
	assert.Equal(t, profile.Streak{Current: 0, Longest: 1}, standing(t, db, ola).Streak)
}

func (conformance) TestATableShowsTheRatingsAfterItsLastGame(t *testing.T, db *testkit.Database) {
	ola, ivan, zofia := guest(t, db, "Ola"), guest(t, db, "Иван"), guest(t, db, "Zofia")
	shown := func(id table.ID) [2]profile.Rating {
		found, err := db.Store.Table(t.Context(), id)
		require.NoError(t, err)
		return [2]profile.Rating{found.Seats[0].Rating, found.Seats[1].Rating}
	}
	alone := waiting(t, db, ola, table.Public)
	slow := *taken(t, db, waiting(t, db, ivan, table.Public), ola).Game

	first := rankedGame(t, db, ola, ivan)
	before, err := db.Store.Table(t.Context(), first.Table)
	require.NoError(t, err)
	first = saved(t, db, first, redWins[:6])
	_, after := ended(t, db, first, played(t, db, first, redWins[6:]))

	const up, down = 1516_000_000, 1484_000_000
	assert.Equal(t, [2]profile.Rating{up, down}, [2]profile.Rating{after.Seats[0].Rating, after.Seats[1].Rating})
	assert.Equal(t, [2]profile.Rating{up, down}, shown(first.Table))
	assert.Equal(t, before.Version+1, after.Version, "the end of the game is the change that tells of it")
	assert.Equal(t, [2]profile.Rating{profile.FirstRating, 0}, shown(alone.ID), "no game has ended there")
	assert.Equal(t, [2]profile.Rating{profile.FirstRating, profile.FirstRating}, shown(slow.Table), "nor there")

	ended(t, db, slow, resigned(t, db, slow))
	assert.Equal(t, [2]profile.Rating{down, up}, shown(slow.Table), "an unranked game shows them too")
	rankedWin(t, db, ola, zofia)
	assert.Equal(t, [2]profile.Rating{up, down}, shown(first.Table), "a game at another table changes nothing")
}

func (conformance) TestATableThatIsLeftShowsTheRatingsAfterThatGame(t *testing.T, db *testkit.Database) {
	g := saved(t, db, rankedGame(t, db, guest(t, db, "Ola"), guest(t, db, "Иван")), "12131455")

	after := change(t, db, g.Table, func(t table.Table) service.TableChange {
		over, _, _ := t.Game.Resign(g.Red.Profile, db.Clock.Now())
		t = t.Mark(game.HostSeat, true).GameOver(over, over.Finished)
		return service.TableChange{Table: t, Game: t.Game}
	})

	kept, err := db.Store.Table(t.Context(), g.Table)
	require.NoError(t, err)
	for _, found := range []table.Table{after, kept} {
		assert.Equal(t, table.Closed, found.Status)
		assert.EqualValues(t, 1484_000_000, found.Seats[0].Rating)
		assert.EqualValues(t, 1516_000_000, found.Seats[1].Rating)
	}
}

func (conformance) TestAPairIsRatedTenTimesADay(t *testing.T, db *testkit.Database) {
	ola, ivan, zofia := guest(t, db, "Ola"), guest(t, db, "Иван"), guest(t, db, "Zofia")
	for range game.PairGames {
		assert.Equal(t, game.Rated, rankedWin(t, db, ola, ivan).Rating.Reason)
	}
	assert.Equal(t, game.PairLimit, rankedWin(t, db, ivan, ola).Rating.Reason, "whoever is the host")
	assert.Equal(t, game.Rated, rankedWin(t, db, ola, zofia).Rating.Reason, "another pair")
	after := standing(t, db, ola)
	assert.Equal(t, 11, after.Rated)
	assert.Equal(t, 12, after.Ranked.Games())
	assert.Equal(t, 2, after.Opponents)
	db.Clock.Advance(game.PairSpan)
	assert.Equal(t, game.Rated, rankedWin(t, db, ivan, ola).Rating.Reason, "a day later")
}

func (conformance) TestAGameAgainstTheCPUCountsApart(t *testing.T, db *testkit.Database) {
	_, g := versusCPU(t, db, db.Clock.Now())
	assert.Zero(t, g.Yellow.Rating)
	over, _ := ended(t, db, g, resigned(t, db, g))
	assert.Equal(t, game.Rating{Reason: game.CPUOpponent}, over.Rating)
	assert.Equal(t, profile.Standing{Games: 1, CPU: profile.Tally{Losses: 1}, Rating: profile.FirstRating},
		standing(t, db, profile.Profile{ID: g.Red.Profile}))
}

func (conformance) TestAnUnattendedGameCountsNowhere(t *testing.T, db *testkit.Database) {
	ola, ivan := guest(t, db, "Ola"), guest(t, db, "Иван")
	g := saved(t, db, rankedGame(t, db, ola, ivan), "44")
	over, err := g.FinishSleep(leftmost, db.Clock.Advance(24*time.Hour))
	require.NoError(t, err)
	over, _ = ended(t, db, g, over)
	assert.Equal(t, game.Rating{Reason: game.NotAttended}, over.Rating)
	assert.Equal(t, profile.Standing{Games: 1, Rating: profile.FirstRating}, standing(t, db, ola))
}

// A game may end by a change of its table: by somebody who leaves where nobody would play on.
func (conformance) TestAnEndByAChangeOfTheTableCountsToo(t *testing.T, db *testkit.Database) {
	ola, ivan := guest(t, db, "Ola"), guest(t, db, "Иван")
	g := saved(t, db, rankedGame(t, db, ola, ivan), "12121234")
	for range 2 {
		room := change(t, db, g.Table, func(found table.Table) service.TableChange {
			if found.Status != table.Playing {
				return service.TableChange{Table: found}
			}
			over := resigned(t, db, *found.Game)
			gone := found.Mark(game.HostSeat, true).GameOver(over, over.Finished)
			return service.TableChange{Table: gone, Game: gone.Game}
		})
		assert.Equal(t, game.Rated, room.Game.Rating.Reason)
		requireStored(t, db, room)
	}
	assert.Equal(t, profile.Rating(1484_000_000), standing(t, db, ola).Rating)
	assert.Equal(t, profile.Rating(1516_000_000), standing(t, db, ivan).Rating)
	assert.Equal(t, 1, standing(t, db, ivan).Rated)
}

func (conformance) TestADrawOfEqualsChangesNoRatingButIsNumbered(t *testing.T, db *testkit.Database) {
	ola, ivan := guest(t, db, "Ola"), guest(t, db, "Иван")
	g := rankedGame(t, db, ola, ivan)
	g = saved(t, db, g, "44")
	over := g
	over.Status, over.Result, over.Finished, over.Deadline = game.Finished, game.Result{Outcome: game.Draw}, db.Clock.Now(), time.Time{}
	over.Version++
	over, _ = ended(t, db, g, over)
	assert.Equal(t, over.Rating.Red.Before, over.Rating.Red.After)
	for _, p := range []profile.Profile{ola, ivan} {
		drawn := profile.Tally{Draws: 1}
		assert.Equal(t, profile.Standing{
			Games: 1, People: drawn, Ranked: drawn, Rating: profile.FirstRating, Rated: 1, Opponents: 1,
		}, standing(t, db, p))
	}
}

// Fifty games of one player end at once: each starts where the one before ended.
func (conformance) TestManyEndsAtOnceAreCountedOneAfterTheOther(t *testing.T, db *testkit.Database) {
	const many = 50
	ola := guest(t, db, "Ola")
	games, overs := make([]game.Game, many), make([]game.Game, many)
	for i := range games {
		games[i] = saved(t, db, rankedGame(t, db, ola, guest(t, db, "Иван")), redWins[:6])
		if overs[i] = played(t, db, games[i], redWins[6:]); i%3 == 0 {
			overs[i] = resignedBy(t, db, saveable(&games[i], saved(t, db, games[i], "56")))
		}
	}
	for _, err := range race(many, func(i int) error {
		_, _, err := db.Store.SaveEnd(t.Context(), games[i], overs[i])
		return err
	}) {
		require.NoError(t, err)
	}
	rows, err := db.SQL(t).QueryContext(t.Context(),
		"SELECT n, before, after FROM rating_changes WHERE profile_id = '"+string(ola.ID)+"' ORDER BY n")
	require.NoError(t, err)
	defer rows.Close()
	n, rating := 0, profile.FirstRating
	for rows.Next() {
		var number int
		var before, after profile.Rating
		require.NoError(t, rows.Scan(&number, &before, &after))
		n++
		require.Equal(t, n, number)
		require.Equal(t, rating, before)
		rating = after
	}
	require.NoError(t, rows.Err())
	now := standing(t, db, ola)
	assert.Equal(t, many, n)
	assert.Equal(t, rating, now.Rating)
	assert.Equal(t, [4]int{many, many, many, 17}, [4]int{now.Games, now.Rated, now.Opponents, now.Ranked.Losses})
}

// saveable sets a game to what it has become.
func saveable(g *game.Game, now game.Game) game.Game {
	*g = now
	return now
}

// resignedBy is a game that red gives up.
func resignedBy(tb testing.TB, db *testkit.Database, g game.Game) game.Game {
	tb.Helper()
	over, _, err := g.Resign(g.Red.Profile, db.Clock.Advance(time.Second))
	require.NoError(tb, err)
	return over
}
