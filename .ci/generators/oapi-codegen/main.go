// A game through the client of oapi-codegen.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/oapi-codegen/runtime/types"

	api "fourinarow/generators/oapi-codegen/client"
)

var ctx = context.Background()

func check(ok bool, what ...any) {
	if !ok {
		panic(fmt.Sprintln(what...))
	}
}

func must[T any](value T, err error) T {
	check(err == nil, err)
	return value
}

func connect(url, token string) *api.ClientWithResponses {
	return must(api.NewClientWithResponses(url, api.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		return nil
	})))
}

// response is what all of the generated ones have.
type response interface {
	StatusCode() int
	GetBody() []byte
	GetApplicationproblemJSON4XX() *api.Problem
}

// answer is the body of a success, which the caller picks.
func answer[R response, T any](pick func(R) *T) func(R, error) *T {
	return func(r R, err error) *T {
		check(err == nil, err)
		body := pick(r)
		check(body != nil, r.StatusCode(), string(r.GetBody()))
		return body
	}
}

func problem(r response, status int) *api.Problem {
	check(r.StatusCode() == status, r.StatusCode(), string(r.GetBody()))
	p := r.GetApplicationproblemJSON4XX()
	check(p != nil && int(p.Status) == status, string(r.GetBody()))
	return p
}

var (
	openProfile = answer(func(r *api.OpenProfileResponse) *api.OpenedProfile { return r.JSON201 })
	openTable   = answer(func(r *api.OpenTableResponse) *api.GameTable { return r.JSON201 })
	getTable    = answer(func(r *api.GetTableResponse) *api.GameTable { return r.JSON200 })
	getInvite   = answer(func(r *api.GetInviteResponse) *api.GameTable { return r.JSON200 })
	takeSeat    = answer(func(r *api.TakeSeatResponse) *api.GameTable { return r.JSON200 })
	playMove    = answer(func(r *api.PlayMoveResponse) *api.Game { return r.JSON200 })
	getGame     = answer(func(r *api.GetGameResponse) *api.Game { return r.JSON200 })
	resignGame  = answer(func(r *api.ResignGameResponse) *api.Game { return r.JSON200 })
	getAnalysis = answer(func(r *api.GetAnalysisResponse) *api.GameAnalysis { return r.JSON200 })
	listGames   = answer(func(r *api.ListProfileGamesResponse) *api.PlayedGameList { return r.JSON200 })
	listTypes   = answer(func(r *api.ListProblemsResponse) *api.ProblemKindList { return r.JSON200 })
)

func move(c *api.ClientWithResponses, game types.UUID, column, ply int32) (*api.PlayMoveResponse, error) {
	return c.PlayMoveWithResponse(ctx, game, api.PlayMoveRequest{Column: column, Ply: ply})
}

func plain(url string) {
	red := connect(url, openProfile(connect(url, "").OpenProfileWithResponse(ctx, nil, api.OpenProfileRequest{})).Token)
	name := "Ola"
	opened := openProfile(connect(url, "").OpenProfileWithResponse(ctx, nil, api.OpenProfileRequest{DisplayName: &name}))
	yellow := connect(url, opened.Token)

	private := api.Private
	table := openTable(red.OpenTableWithResponse(ctx, api.OpenTableRequest{Visibility: &private}))
	check(getInvite(yellow.GetInviteWithResponse(ctx, *table.InviteCode)).Id == table.Id)
	seated := takeSeat(yellow.TakeSeatWithResponse(ctx, table.Id, api.TakeSeatRequest{InviteCode: table.InviteCode}))
	id := *seated.CurrentGameId

	check(playMove(move(red, id, 1, 1)).Ply == 1)
	check(playMove(move(red, id, 1, 1)).Ply == 1)
	stale := problem(must(move(yellow, id, 3, 1)), http.StatusConflict)
	check(stale.Code == "stale_ply" && stale.Game.Ply == 1)
	players := [2]*api.ClientWithResponses{yellow, red}
	for ply := range int32(7) {
		if ply > 1 {
			check(playMove(move(players[ply%2], id, 1, ply)).Moves == strings.Repeat("1", int(ply)))
		}
	}
	check(problem(must(move(red, id, 1, 7)), http.StatusUnprocessableEntity).Code == "column_full")
	check((*problem(must(move(red, id, 9, 7)), http.StatusBadRequest).Errors)[0].Pointer == "/column")

	first, wait := int64(1), int32(25)
	polled := must(red.GetGameWithResponse(ctx, id, &api.GetGameParams{AfterVersion: &first, Wait: &wait}))
	version, second := getGame(polled, nil).Version, int32(1)
	check(getGame(red.GetGameWithResponse(ctx, id, &api.GetGameParams{AfterVersion: &version, Wait: &second})).Ply == 6)
	etag := polled.HTTPResponse.Header.Get("ETag")
	unchanged := must(red.GetGameWithResponse(ctx, id, &api.GetGameParams{IfNoneMatch: &etag}))
	check(unchanged.StatusCode() == http.StatusNotModified)

	for i, column := range []int32{2, 7, 3, 7, 4} {
		playMove(move(players[(7+i)%2], id, column, int32(7+i)))
	}
	over := getGame(yellow.GetGameWithResponse(ctx, id, nil))
	check(over.Status == "finished" && *over.Result.Winner == api.Red)

	picture := must(yellow.GetPictureWithResponse(ctx, id, nil))
	check(picture.StatusCode() == http.StatusOK && strings.Contains(string(picture.Body), "<svg"))
	games := listGames(yellow.ListProfileGamesWithResponse(ctx, opened.Profile.Id, nil))
	check(games.Items[0].GameId == id)
	check(slices.ContainsFunc(listTypes(red.ListProblemsWithResponse(ctx, nil)).Items, func(t api.ProblemKind) bool { return t.Code == "stale_ply" }))
	check(problem(must(connect(url, "fir_wrong").GetMeWithResponse(ctx)), http.StatusUnauthorized).Code == "unauthenticated")
	check(must(yellow.LeaveSeatWithResponse(ctx, table.Id)).StatusCode() == http.StatusNoContent)
}

func strange(url string) {
	red := connect(url, openProfile(connect(url, "").OpenProfileWithResponse(ctx, nil, api.OpenProfileRequest{})).Token)
	opened := openProfile(connect(url, "").OpenProfileWithResponse(ctx, nil, api.OpenProfileRequest{}))
	yellow := connect(url, opened.Token)
	table := openTable(red.OpenTableWithResponse(ctx, api.OpenTableRequest{}))
	id := *takeSeat(yellow.TakeSeatWithResponse(ctx, table.Id, api.TakeSeatRequest{InviteCode: table.InviteCode})).CurrentGameId
	playMove(move(red, id, 4, 1))
	check(problem(must(move(yellow, id, 3, 1)), http.StatusConflict).Game.Ply == 1)
	check(getGame(red.GetGameWithResponse(ctx, id, nil)).Id == id)
	resignGame(yellow.ResignGameWithResponse(ctx, id))
	check(len(getAnalysis(red.GetAnalysisWithResponse(ctx, id)).Plies) == 1)
	listGames(yellow.ListProfileGamesWithResponse(ctx, opened.Profile.Id, nil))
	listTypes(red.ListProblemsWithResponse(ctx, nil))
	problem(must(connect(url, "fir_wrong").GetMeWithResponse(ctx)), http.StatusUnauthorized)
	check(must(red.LeaveSeatWithResponse(ctx, table.Id)).StatusCode() == http.StatusNoContent)
	check(getTable(yellow.GetTableWithResponse(ctx, table.Id, nil)).Id == table.Id)

	bad := must(red.GetServiceWithResponse(ctx, nil))
	check(bad.StatusCode() == http.StatusBadGateway && bad.JSON200 == nil)
}

func main() {
	plain(os.Getenv("PLAIN_URL"))
	strange(os.Getenv("STRANGE_URL"))
}
