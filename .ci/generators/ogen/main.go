// A game through the client of ogen.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/google/uuid"

	api "fourinarow/generators/ogen/client"
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

// answer is the success among what an operation can answer.
func answer[T any](res any, err error) T {
	check(err == nil, err)
	value, ok := res.(T)
	check(ok, fmt.Sprintf("%T %+v", res, res))
	return value
}

func problem(status int) func(any, error) api.Problem {
	return func(res any, err error) api.Problem {
		p := answer[*api.ClientProblemStatusCodeWithHeaders](res, err)
		check(p.StatusCode == status && int(p.Response.Status) == status, p)
		return p.Response
	}
}

type token string

func (t token) DeviceToken(context.Context, api.OperationName) (api.DeviceToken, error) {
	return api.DeviceToken{Token: string(t)}, nil
}

func (t token) AdminToken(context.Context, api.OperationName) (api.AdminToken, error) {
	return api.AdminToken{Token: string(t)}, nil
}

// guest has no token: the generated client sends what it is given, so the header goes again.
type guest struct{}

func (guest) Do(r *http.Request) (*http.Response, error) {
	r.Header.Del("Authorization")
	return http.DefaultClient.Do(r)
}

func connect(url, t string) *api.Client {
	if t == "" {
		return must(api.NewClient(url, token(""), api.WithClient(guest{})))
	}
	return must(api.NewClient(url, token(t)))
}

func open(url string, request api.OptOpenProfileRequest) api.OpenedProfile {
	return answer[*api.OpenedProfileHeaders](connect(url, "").OpenProfile(ctx, request, api.OpenProfileParams{})).Response
}

func move(c *api.Client, game uuid.UUID, column, ply int32) (api.PlayMoveRes, error) {
	return c.PlayMove(ctx, &api.PlayMoveRequest{Column: api.ColumnNumber(column), Ply: ply}, api.PlayMoveParams{GameID: game})
}

func moved(res api.PlayMoveRes, err error) api.Game {
	return answer[*api.GameHeaders](res, err).Response
}

func takeSeat(c *api.Client, table api.GameTable) uuid.UUID {
	request := api.NewOptTakeSeatRequest(api.TakeSeatRequest{InviteCode: table.InviteCode})
	return answer[*api.GameTable](c.TakeSeat(ctx, request, api.TakeSeatParams{TableID: table.ID})).CurrentGameID.Value
}

func plain(url string) {
	red := connect(url, open(url, api.OptOpenProfileRequest{}).Token)
	opened := open(url, api.NewOptOpenProfileRequest(api.OpenProfileRequest{DisplayName: api.NewOptDisplayNameChoice("Ola")}))
	yellow := connect(url, opened.Token)

	request := api.NewOptOpenTableRequest(api.OpenTableRequest{Visibility: api.NewOptVisibilityChoice(api.VisibilityChoicePrivate)})
	table := answer[*api.GameTableHeaders](red.OpenTable(ctx, request)).Response
	invite := answer[*api.GameTable](yellow.GetInvite(ctx, api.GetInviteParams{InviteCode: table.InviteCode.Value}))
	check(invite.ID == table.ID)
	id := takeSeat(yellow, table)

	check(moved(move(red, id, 1, 1)).Ply == 1)
	check(moved(move(red, id, 1, 1)).Ply == 1)
	stale := problem(http.StatusConflict)(move(yellow, id, 3, 1))
	check(stale.Code == "stale_ply" && stale.Game.Value.Ply == 1)
	players := [2]*api.Client{yellow, red}
	for ply := int32(2); ply <= 6; ply++ {
		check(moved(move(players[ply%2], id, 1, ply)).Moves == strings.Repeat("1", int(ply)))
	}
	check(problem(http.StatusUnprocessableEntity)(move(red, id, 1, 7)).Code == "column_full")
	_, err := move(red, id, 9, 7)
	check(err != nil) // it checks before it sends

	params := api.GetGameParams{GameID: id, AfterVersion: api.NewOptInt64(1), Wait: api.NewOptInt32(25)}
	polled := answer[*api.GameHeaders](red.GetGame(ctx, params))
	params = api.GetGameParams{GameID: id, AfterVersion: api.NewOptInt64(int64(polled.Response.Version)), Wait: api.NewOptInt32(1)}
	check(answer[*api.GameHeaders](red.GetGame(ctx, params)).Response.Ply == 6)
	params = api.GetGameParams{GameID: id, IfNoneMatch: api.NewOptString(polled.ETag)}
	check(answer[*api.NotModified](red.GetGame(ctx, params)).ETag == polled.ETag)

	for i, column := range []int32{2, 7, 3, 7, 4} {
		moved(move(players[(7+i)%2], id, column, int32(7+i)))
	}
	over := answer[*api.GameHeaders](yellow.GetGame(ctx, api.GetGameParams{GameID: id})).Response
	check(over.Status == "finished" && over.Result.Value.Winner.Value == api.SideRed)

	picture := answer[*api.GetPictureOKHeaders](yellow.GetPicture(ctx, api.GetPictureParams{GameID: id}))
	check(strings.Contains(string(must(io.ReadAll(picture.Response))), "<svg"))
	games := answer[*api.PlayedGameList](yellow.ListProfileGames(ctx, api.ListProfileGamesParams{ProfileID: opened.Profile.ID}))
	check(games.Items[0].GameID == id)
	kinds := answer[*api.ProblemKindList](red.ListProblems(ctx, api.ListProblemsParams{}))
	check(slices.ContainsFunc(kinds.Items, func(k api.ProblemKind) bool { return k.Code == "stale_ply" }))
	check(problem(http.StatusUnauthorized)(connect(url, "fir_wrong").GetMe(ctx)).Code == "unauthenticated")
	answer[*api.LeaveSeatNoContent](yellow.LeaveSeat(ctx, api.LeaveSeatParams{TableID: table.ID}))
}

func strange(url string) {
	red := connect(url, open(url, api.OptOpenProfileRequest{}).Token)
	opened := open(url, api.NewOptOpenProfileRequest(api.OpenProfileRequest{}))
	yellow := connect(url, opened.Token)
	table := answer[*api.GameTableHeaders](red.OpenTable(ctx, api.OptOpenTableRequest{})).Response
	id := takeSeat(yellow, table)
	moved(move(red, id, 4, 1))
	check(problem(http.StatusConflict)(move(yellow, id, 3, 1)).Game.Value.Ply == 1)
	check(answer[*api.GameHeaders](red.GetGame(ctx, api.GetGameParams{GameID: id})).Response.ID == id)
	answer[*api.GameHeaders](yellow.ResignGame(ctx, api.ResignGameParams{GameID: id}))
	check(len(answer[*api.GameAnalysis](red.GetAnalysis(ctx, api.GetAnalysisParams{GameID: id})).Plies) == 1)
	answer[*api.PlayedGameList](yellow.ListProfileGames(ctx, api.ListProfileGamesParams{ProfileID: opened.Profile.ID}))
	answer[*api.ProblemKindList](red.ListProblems(ctx, api.ListProblemsParams{}))
	problem(http.StatusUnauthorized)(connect(url, "fir_wrong").GetMe(ctx))
	answer[*api.LeaveSeatNoContent](red.LeaveSeat(ctx, api.LeaveSeatParams{TableID: table.ID}))
	check(answer[*api.GetTableOKHeaders](yellow.GetTable(ctx, api.GetTableParams{TableID: table.ID})).Response.ID == table.ID)

	_, err := red.GetService(ctx, api.GetServiceParams{})
	check(err != nil && strings.Contains(err.Error(), "502"), err) // the status is in its text alone
}

func main() {
	plain(os.Getenv("PLAIN_URL"))
	strange(os.Getenv("STRANGE_URL"))
}
