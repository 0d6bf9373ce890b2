package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

const ranked = `{"visibility":"public","ranked":true}`

// meet lets two players play a game at a table opened with a request, the first one as red.
func (w *world) meet(t *testing.T, red, yellow player, request string) match {
	t.Helper()
	table := yellow.joins(t, red.opens(t, request))
	return match{red: red, yellow: yellow, table: table, game: *table.CurrentGameID}
}

func profilePath(p player, of string) string { return "/v1/profiles/" + p.id.String() + of }

func (p player) profile(t *testing.T) api.Profile {
	t.Helper()
	return decode[api.Profile](t, p.world.get(t, profilePath(p, "")), http.StatusOK)
}

// listed returns a list of games as somebody reads it.
func listed(t *testing.T, a answer) []api.PlayedGame {
	t.Helper()
	return decode[api.PlayedGameList](t, a, http.StatusOK).Items
}

func TestARankedGameChangesBothRatings(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, ivan := w.guest(t, "Ola"), w.guest(t, "Иван")
		m := w.meet(t, ola, ivan, ranked)
		assert.InDelta(t, 1500, *m.now(t).Red.Rating, 0)
		assert.Nil(t, m.now(t).Rating, "there is none yet")

		over := m.play(t, redWins)

		change := func(before, after float64) *api.RatingChange { return &api.RatingChange{Before: before, After: after} }
		assert.Equal(t, &api.GameRating{Rated: true, Reason: "rated", Red: change(1500, 1516), Yellow: change(1500, 1484)}, over.Rating)
		assert.Equal(t, over, m.now(t))
		me := decode[api.OwnProfile](t, ola.get(t, "/v1/me"), http.StatusOK)
		won := api.Tally{Games: 1, Wins: 1, Losses: 0, Draws: 0}
		assert.Equal(t, api.PlayerRecord{People: won, Ranked: won, CPU: api.Tally{}}, me.Record)
		assert.Equal(t, api.Streak{Current: 1, Longest: 1}, me.Streak)
		assert.EqualValues(t, 1, me.RatedGames)
		assert.Nil(t, me.Rank)
		assert.InDelta(t, 1484, ivan.profile(t).Rating, 0)

		seats := ola.looks(t, m.table.ID).Seats
		assert.InDelta(t, 1516, *seats[0].Rating, 0, "the table shows them as after its last game")
		assert.InDelta(t, 1484, *seats[1].Rating, 0)
		again := w.meet(t, ola, ivan, ranked)
		assert.InDelta(t, 1516, *again.table.Seats[0].Rating, 0, "of the moment the seat was taken")
		assert.InDelta(t, 1516, *again.now(t).Red.Rating, 0)
		again.play(t, redWins)
		third := w.meet(t, ola, ivan, ranked)
		assert.Contains(t, string(ola.get(t, gamePath(third.game)).body), `"rating":1530.530498`, "exactly the millionths")

		steps := decode[api.RatingStepList](t, w.get(t, profilePath(ola, "/ratings")), http.StatusOK)
		require.Len(t, steps.Items, 2)
		assert.Equal(t, []int32{2, 1}, []int32{steps.Items[0].Number, steps.Items[1].Number})
		assert.InDelta(t, steps.Items[1].After, steps.Items[0].Before, 0)
		assert.Equal(t, again.game, *steps.Items[0].GameID)
		first := decode[api.RatingStepList](t, w.get(t, profilePath(ola, "/ratings?limit=1")), http.StatusOK)
		rest := decode[api.RatingStepList](t, w.get(t, profilePath(ola, "/ratings?limit=1&cursor="+*first.NextCursor)), http.StatusOK)
		assert.Equal(t, steps.Items[1:], rest.Items)
		assert.Nil(t, rest.NextCursor)
	})
}

func TestADrawIsADrawForBothAtOnce(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, ivan := w.guest(t, "Ola"), w.guest(t, "Иван")
		m := w.meet(t, ola, ivan, ranked)
		over := m.play(t, "7764264462462224664277153153311355")
		require.Equal(t, api.GameOutcomeDraw, over.Result.Outcome)
		assert.InDelta(t, over.Rating.Red.Before, over.Rating.Red.After, 0, "equals who draw")
		for _, p := range []player{ola, ivan} {
			drawn := api.Tally{Games: 1, Wins: 0, Losses: 0, Draws: 1}
			assert.Equal(t, api.PlayerRecord{People: drawn, Ranked: drawn, CPU: api.Tally{}}, p.profile(t).Record)
			games := listed(t, w.get(t, profilePath(p, "/games")))
			require.Len(t, games, 1)
			assert.Equal(t, api.PlayedResultDraw, *games[0].Result)
			assert.Nil(t, games[0].EndedBy)
			assert.Len(t, listed(t, w.get(t, profilePath(p, "/games?result=draw"))), 1)
			assert.Empty(t, listed(t, w.get(t, profilePath(p, "/games?result=win"))))
			assert.Empty(t, listed(t, w.get(t, profilePath(p, "/games?result=loss"))))
		}
	})
}

func TestGamesAgainstTheCPUCountApartAndUnattendedOnesNowhere(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, ivan := w.guest(t, "Ola"), w.guest(t, "Иван")
		versus := ola.opens(t, versusCPU)
		ola.post(t, gamePath(*versus.CurrentGameID)+"/resignation", "")
		deserted := w.meet(t, ola, ivan, ranked)
		deserted.play(t, "44")
		ola.says(t, deserted.table.ID, api.PresenceChoiceAway)
		ivan.says(t, deserted.table.ID, api.PresenceChoiceAway)
		w.db.Clock.Advance(24*time.Hour + time.Second)
		w.Work(t)
		over := deserted.now(t)
		require.True(t, over.Unattended)
		assert.Equal(t, &api.GameRating{Rated: false, Reason: "unattended", Red: nil, Yellow: nil}, over.Rating)
		me := ola.profile(t)
		assert.Equal(t, api.PlayerRecord{People: api.Tally{}, Ranked: api.Tally{}, CPU: api.Tally{Games: 1, Wins: 0, Losses: 1, Draws: 0}}, me.Record)
		assert.InDelta(t, 1500, me.Rating, 0)
		assert.Equal(t, api.PlayerRecord{}, ivan.profile(t).Record)
		games := listed(t, w.get(t, profilePath(ola, "/games")))
		require.Len(t, games, 1, "the one against the CPU is private")
		assert.Nil(t, games[0].Result)
		games = listed(t, ola.get(t, profilePath(ola, "/games")))
		require.Len(t, games, 2)
		assert.Equal(t, "cpu", games[1].Opponent.Kind)
		assert.Equal(t, "cpu_opponent", games[1].Rating.Reason)
	}, calm)
}

func TestPrivateGamesAreInOnesOwnListAlone(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, ivan, zofia := w.guest(t, "Ola"), w.guest(t, "Иван"), w.guest(t, "Zofia")
		hidden := w.meet(t, ola, ivan, `{"visibility":"private","ranked":true}`)
		hidden.play(t, redWins)
		shown := w.meet(t, ola, ivan, public)
		shown.play(t, redWins)
		games, ratings := profilePath(ola, "/games"), profilePath(ola, "/ratings")
		assert.Len(t, listed(t, ola.get(t, games)), 2)
		for _, filter := range []string{"", "?result=win", "?ranked=false", "?opponent=" + ivan.id.String()} {
			for _, stranger := range []func() answer{
				func() answer { return w.get(t, games+filter) },
				func() answer { return zofia.get(t, games+filter) },
				func() answer { return ivan.get(t, games+filter) },
			} {
				found := listed(t, stranger())
				require.Len(t, found, 1, filter)
				assert.Equal(t, shown.game, found[0].GameID)
			}
		}
		assert.Empty(t, listed(t, w.get(t, games+"?ranked=true")))
		assert.Len(t, listed(t, ola.get(t, games+"?ranked=true&result=win&opponent="+ivan.id.String())), 1)
		assert.EqualValues(t, 2, ola.profile(t).Record.People.Games, "counts include it")
		for who, seen := range map[string]struct {
			answer answer
			id     bool
		}{
			"its owner":    {ola.get(t, ratings), true},
			"its opponent": {ivan.get(t, ratings), true},
			"another":      {zofia.get(t, ratings), false},
			"nobody":       {w.get(t, ratings), false},
		} {
			steps := decode[api.RatingStepList](t, seen.answer, http.StatusOK).Items
			require.Len(t, steps, 1, who)
			assert.Equal(t, seen.id, steps[0].GameID != nil, who)
		}
	})
}

func TestTwoPlayersHaveARecordWithEachOther(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, ivan, zofia := w.guest(t, "Ola"), w.guest(t, "Иван"), w.guest(t, "Zofia")
		w.meet(t, ola, ivan, ranked).play(t, redWins)
		w.meet(t, ivan, ola, public).play(t, redWins)
		w.meet(t, ola, ivan, private).play(t, redWins)
		w.meet(t, ola, zofia, public).play(t, redWins)
		record := profilePath(ola, "/record?against=")
		got := decode[api.HeadToHead](t, w.get(t, record+ivan.id.String()), http.StatusOK)
		assert.Equal(t, api.HeadToHead{
			ProfileID: ola.id, Against: ivan.id, People: api.Tally{Games: 3, Wins: 2, Losses: 1, Draws: 0},
			Ranked: api.Tally{Games: 1, Wins: 1, Losses: 0, Draws: 0},
		}, got)
		assert.Equal(t, http.StatusNotFound, w.get(t, record+uuid.NewString()).status)
		self := w.get(t, record+ola.id.String())
		assert.Equal(t, http.StatusBadRequest, self.status)
		assert.Equal(t, "/query/against", self.problem(t).Errors[0].Pointer)
		assert.Equal(t, http.StatusBadRequest, w.get(t, profilePath(ola, "/record")).status)
	})
}

func TestListsOfAPlayerRefuseWhatTheyCannotMean(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, ivan := w.guest(t, "Ola"), w.guest(t, "Иван")
		for range 2 {
			w.meet(t, ola, ivan, ranked).play(t, redWins)
		}
		cursor := func(path string) string {
			return *decode[api.PlayedGameList](t, w.get(t, path), http.StatusOK).NextCursor
		}
		games := cursor(profilePath(ola, "/games?limit=1"))
		ratings := cursor(profilePath(ola, "/ratings?limit=1"))
		require.Equal(t, http.StatusOK, w.get(t, profilePath(ola, "/games?limit=1&cursor="+games)).status)
		for path, pointer := range map[string]string{
			profilePath(ola, "/games?cursor="+ratings):          "/query/cursor",
			profilePath(ola, "/ratings?cursor="+games):          "/query/cursor",
			profilePath(ivan, "/games?cursor="+games):           "/query/cursor",
			profilePath(ola, "/games?result=win&cursor="+games): "/query/cursor",
			"/v1/leaderboard?cursor=" + games:                   "/query/cursor",
			profilePath(ola, "/games?cursor=nix"):               "/query/cursor",
			profilePath(ola, "/games?limit=0"):                  "/query/limit",
			profilePath(ola, "/ratings?limit=101"):              "/query/limit",
			profilePath(ola, "/games?result=lost"):              "/query/result",
			profilePath(ola, "/games?ranked=yes"):               "/query/ranked",
			profilePath(ola, "/games?opponent=ivan"):            "/query/opponent",
			profilePath(ola, "/games?winner=red"):               "/query/winner",
			"/v1/leaderboard?around=ola":                        "/query/around",
		} {
			a := w.get(t, path)
			require.Equal(t, http.StatusBadRequest, a.status, path)
			assert.Equal(t, "invalid_request", a.problem(t).Code, path)
			assert.Equal(t, pointer, a.problem(t).Errors[0].Pointer, path)
		}
		nobody := "/v1/profiles/" + uuid.NewString()
		for _, path := range []string{nobody + "/games", nobody + "/ratings", nobody + "/record?against=" + ola.id.String(), "/v1/leaderboard?around=" + ola.id.String()} {
			assert.Equal(t, http.StatusNotFound, w.get(t, path).status, path)
		}
		assert.Empty(t, listed(t, w.get(t, profilePath(ola, "/games?opponent="+uuid.NewString()))))
	})
}

func TestTheLeaderboardIsReadInPagesAndAroundAPlayer(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		board := func(query string) api.Leaderboard {
			return decode[api.Leaderboard](t, w.get(t, "/v1/leaderboard"+query), http.StatusOK)
		}
		assert.Nil(t, board("").AsOf, "it was never made")
		around := w.db.SQL(t)
		players := make([]player, 10)
		for i := range players {
			players[i] = w.guest(t, fmt.Sprintf("Player %d", i))
			games, opponents := 10, 5
			switch i {
			case 0:
				opponents = 4 // has met too few
			case 9:
				games = 9 // has played too little
			}
			_, err := around.ExecContext(t.Context(), fmt.Sprintf("UPDATE profiles SET rated = %d, opponents = %d, rating = %d WHERE id = '%s'",
				games, opponents, (1600-10*(i/2))*1_000_000, players[i].id)) // two each have the same
			require.NoError(t, err)
		}
		w.db.Clock.Advance(time.Hour)
		require.NoError(t, w.History.MakeLeaderboard(t.Context()))

		all := board("")
		require.NotNil(t, all.AsOf)
		ranks := make([]int32, 0, len(all.Items))
		for _, l := range all.Items {
			ranks = append(ranks, l.Rank)
		}
		assert.Equal(t, []int32{1, 2, 2, 4, 4, 6, 6, 8}, ranks)
		assert.Equal(t, "Player 1", all.Items[0].DisplayName)
		assert.Nil(t, all.NextCursor)
		var paged []api.Leader
		for page := board("?limit=3"); ; page = board("?limit=3&cursor=" + *page.NextCursor) {
			if paged = append(paged, page.Items...); page.NextCursor == nil {
				break
			}
		}
		assert.Equal(t, all.Items, paged)
		middle := board("?limit=3&around=" + all.Items[4].ProfileID.String())
		assert.Equal(t, all.Items[3:6], middle.Items)
		assert.Equal(t, all.Items[6:], board("?limit=3&cursor="+*middle.NextCursor).Items)
		assert.Equal(t, all.Items[:2], board("?limit=3&around="+all.Items[0].ProfileID.String()).Items)
		assert.Equal(t, all.Items[6:], board("?limit=3&around="+all.Items[7].ProfileID.String()).Items)
		me := decode[api.OwnProfile](t, players[1].get(t, "/v1/me"), http.StatusOK)
		assert.EqualValues(t, 1, *me.Rank)
		assert.Nil(t, players[0].profile(t).Rank)
		both := w.get(t, "/v1/leaderboard?cursor="+*middle.NextCursor+"&around="+players[1].id.String())
		assert.Equal(t, http.StatusBadRequest, both.status)

		_, err := around.ExecContext(t.Context(), "UPDATE profiles SET rating = 2000000000 WHERE id = '"+players[7].id.String()+"'")
		require.NoError(t, err)
		w.db.Clock.Advance(30 * time.Second)
		require.NoError(t, w.History.MakeLeaderboard(t.Context()))
		assert.Equal(t, all, board(""), "it was made a moment ago")
		w.db.Clock.Advance(30 * time.Second)
		require.NoError(t, w.History.MakeLeaderboard(t.Context()))
		assert.Equal(t, players[7].id, board("").Items[0].ProfileID)
		assert.EqualValues(t, 2, *players[1].profile(t).Rank)
	}, standingStill)
}
