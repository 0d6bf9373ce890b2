package main

import (
	"context"
	"errors"
	"net/http"

	"github.com/fourinarow/fourinarow/api/client"
	fourinarow "github.com/fourinarow/fourinarow/sdk/go"
)

// strangers meet by quick match, three times, and read their history by pages.
func strangers(ctx context.Context, w world) {
	kim, lea := w.guest(ctx, "Kim"), w.guest(ctx, "Lea")
	for range 3 {
		must(kim.QuickMatch(ctx, client.QuickMatchRequest{}))
		table := must(lea.QuickMatch(ctx, client.QuickMatchRequest{}))
		for game, err := range kim.FollowTable(ctx, table.ID) {
			check(err)
			if !game.Over() {
				must(lea.Games.Resign(ctx, game.ID))
			} else {
				check(kim.Tables.Leave(ctx, table.ID))
			}
		}
	}
	one := int32(1)
	numbers := map[fourinarow.UUID]bool{}
	for played, err := range kim.History(ctx, must(kim.Me(ctx)).ID, &client.ListProfileGamesParams{Limit: &one}) {
		check(err)
		numbers[played.GameID] = true
	}
	want(len(numbers) == 3, "three games", numbers)
}

// devices lets a second device in, which plays on; then the player leaves for good.
func devices(ctx context.Context, w world) {
	phone, tablet := w.guest(ctx, "Mia"), w.client(w.url, "Mia's tablet")
	game := againstCPU(ctx, phone)
	for {
		_, err := tablet.Devices.Use(ctx, must(phone.Devices.Code(ctx)).Code, "tablet")
		if err == nil {
			break
		}
		if p, ok := errors.AsType[*fourinarow.Problem](err); !ok || p.Code != fourinarow.CodeConnectionFailed {
			panic(err) // else the code is used up: another one
		}
	}
	want(must(tablet.Me(ctx)).ID == must(phone.Me(ctx)).ID, "the same player")
	must(tablet.Move(ctx, game, 4))
	for game, err := range phone.Follow(ctx, game.ID) {
		check(err)
		if game.Ply > 0 {
			want(game.Moves[0] == '4', "the tablet's move")
			break
		}
	}
	check(phone.DeleteMe(ctx))
	refuse(http.StatusUnauthorized, "unauthenticated", second(tablet.SignIn(ctx, fourinarow.Guest{})))
	again := must(tablet.SignIn(ctx, fourinarow.Guest{DisplayName: "Noa", ReplaceRevoked: true}))
	want(again.DisplayName == "Noa", "a new player")
}

// admin edits a house rule, and is refused an edit of another version.
func admin(ctx context.Context, w world) {
	four := must(fourinarow.New(w.url))
	bearer := fourinarow.Bearer(w.ask(ctx, "/admin-token")["token"])
	rule := must(four.API.GetHouseRuleWithResponse(ctx, "cover_level", nil, bearer))
	check(fourinarow.ProblemOf(rule))
	edit := client.EditHouseRuleRequest{
		Default: "hard", Options: rule.JSON200.Options, Changeable: rule.JSON200.Changeable, Reason: "Stronger cover.",
	}
	tag := rule.HTTPResponse.Header.Get("ETag")
	params := &client.EditHouseRuleParams{IfMatch: &tag}
	edited := must(four.API.EditHouseRuleWithResponse(ctx, "cover_level", params, edit, bearer))
	check(fourinarow.ProblemOf(edited))
	want(edited.JSON200.After.Default == "hard", "the rule after the edit")
	edit.Default = "easy"
	stale := must(four.API.EditHouseRuleWithResponse(ctx, "cover_level", params, edit, bearer))
	p := problem(http.StatusPreconditionFailed, "precondition_failed", fourinarow.ProblemOf(stale))
	want(p.HouseRule.Default == "hard", "the rule as it is now")
}

// later plays against a service that says what nobody knows yet.
func later(ctx context.Context, w world) {
	four := w.client(w.later, "Ola of tomorrow")
	me := must(four.SignIn(ctx, fourinarow.Guest{DisplayName: "Ola"}))
	want(me.Kind == "of_tomorrow", "an unknown kind", me.Kind)
	game := againstCPU(ctx, four)
	moves := 0
	for game, err := range four.Follow(ctx, game.ID) {
		check(err)
		want(game.Status == "of_tomorrow", "an unknown status")
		switch {
		case game.Over():
			want(moves >= 3, "moves")
		case game.CanMove && moves == 3:
			p := problem(http.StatusConflict, "of_tomorrow", second(four.Move(ctx, ahead(game), 4)))
			want(p.Game.Ply == game.Ply, "the game as it is now")
			must(four.Games.Resign(ctx, game.ID))
		case game.CanMove:
			moves++
			must(four.Move(ctx, game, int(game.LegalColumns[0])))
		}
	}
}

// ahead is a game as it isn't yet.
func ahead(game *fourinarow.Game) *fourinarow.Game {
	later := *game
	later.Ply += 2
	return &later
}
