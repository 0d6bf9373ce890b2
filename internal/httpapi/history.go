package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// ListProfileGames returns a page of a player's finished games.
func (s *server) ListProfileGames(ctx context.Context, r api.ListProfileGamesRequestObject) (api.ListProfileGamesResponseObject, error) {
	who := profile.ID(r.ProfileID.String())
	filter := service.GameFilter{Of: who, Opponent: "", Result: resultOf(r.Params.Result), Ranked: r.Params.Ranked, Private: false}
	if r.Params.Opponent != nil {
		filter.Opponent = profile.ID(r.Params.Opponent.String())
	}
	page, err := s.history.Games(ctx, callerOf(ctx), filter, pageSize(r.Params.Limit), valueOf(r.Params.Cursor))
	if err != nil {
		return nil, err
	}
	list := api.PlayedGameList{Items: make([]api.PlayedGame, 0, len(page.Games)), NextCursor: optional(page.Next)}
	for _, g := range page.Games {
		list.Items = append(list.Items, toPlayedGame(g, g.SideOf(who)))
	}
	return api.ListProfileGames200JSONResponse(list), nil
}

// resultOf reads which results are wanted; nil: any.
func resultOf(r *api.ResultChoice) profile.Result {
	switch valueOf(r) {
	case api.ResultChoiceWin:
		return profile.Won
	case api.ResultChoiceLoss:
		return profile.Lost
	case api.ResultChoiceDraw:
		return profile.Drawn
	default:
		return profile.NoResult
	}
}

func toPlayedResult(r profile.Result) *api.PlayedResult {
	switch r {
	case profile.Won:
		return new(api.PlayedResultWin)
	case profile.Lost:
		return new(api.PlayedResultLoss)
	case profile.Drawn:
		return new(api.PlayedResultDraw)
	case profile.NoResult:
	}
	return nil
}

// toPlayedGame converts a finished game as one of its sides sees it.
func toPlayedGame(g game.Game, side board.Side) api.PlayedGame {
	shown := api.PlayedGame{
		GameID: idOf(g.ID), TableID: idOf(g.Table), Visibility: api.TableVisibility(table.Public), Ranked: g.Ranked, Unattended: g.Unattended,
		Side: *toSide(side), Result: toPlayedResult(g.ResultOf(side)), EndedBy: optional(string(g.Result.EndedBy)), Ply: int32Of(g.Ply()),
		Opponent:  toPlayedOpponent(g.Player(side.Other())),
		Rating:    api.PlayedRating{Rated: g.Rating.Reason == game.Rated, Reason: string(g.Rating.Reason), Before: nil, After: nil},
		StartedAt: timeOf(g.Started), FinishedAt: timeOf(g.Finished),
	}
	if g.Private {
		shown.Visibility = api.TableVisibility(table.Private)
	}
	if shown.Rating.Rated {
		change := g.Rating.Of(side)
		shown.Rating.Before, shown.Rating.After = new(ratingOf(change.Before)), new(ratingOf(change.After))
	}
	return shown
}

func toPlayedOpponent(p game.Player) api.PlayedOpponent {
	shown := api.PlayedOpponent{Kind: string(p.Kind), ProfileID: nil, DisplayName: nil, Rating: nil, CPULevel: nil}
	if p.Kind == game.CPU {
		shown.CPULevel = new(p.Level)
		return shown
	}
	shown.Rating = new(ratingOf(p.Rating))
	if p.Deleted {
		shown.Kind = kindDeleted
	} else {
		shown.ProfileID, shown.DisplayName = new(idOf(p.Profile)), new(string(p.Name))
	}
	return shown
}

// ListProfileRatings returns a page of the changes of a player's rating.
func (s *server) ListProfileRatings(ctx context.Context, r api.ListProfileRatingsRequestObject) (api.ListProfileRatingsResponseObject, error) {
	page, err := s.history.Ratings(ctx, callerOf(ctx), profile.ID(r.ProfileID.String()), pageSize(r.Params.Limit), valueOf(r.Params.Cursor))
	if err != nil {
		return nil, err
	}
	list := api.RatingStepList{Items: make([]api.RatingStep, 0, len(page.Steps)), NextCursor: optional(page.Next)}
	for _, step := range page.Steps {
		shown := api.RatingStep{
			Number: int32Of(step.N), Before: ratingOf(step.Change.Before), After: ratingOf(step.Change.After), GameID: nil, ChangedAt: timeOf(step.At),
		}
		if step.Game != "" {
			shown.GameID = new(idOf(step.Game))
		}
		list.Items = append(list.Items, shown)
	}
	return api.ListProfileRatings200JSONResponse(list), nil
}

// GetHeadToHead counts the games of two players.
func (s *server) GetHeadToHead(ctx context.Context, r api.GetHeadToHeadRequestObject) (api.GetHeadToHeadResponseObject, error) {
	counted, err := s.history.Record(ctx, profile.ID(r.ProfileID.String()), profile.ID(r.Params.Against.String()))
	if err != nil {
		return nil, err
	}
	return api.GetHeadToHead200JSONResponse(api.HeadToHead{
		ProfileID: r.ProfileID, Against: r.Params.Against, People: toTally(counted.People), Ranked: toTally(counted.Ranked),
	}), nil
}

// GetLeaderboard returns a page of the leaderboard.
func (s *server) GetLeaderboard(ctx context.Context, r api.GetLeaderboardRequestObject) (api.GetLeaderboardResponseObject, error) {
	around := profile.ID("")
	if r.Params.Around != nil {
		around = profile.ID(r.Params.Around.String())
	}
	page, err := s.history.Leaderboard(ctx, around, pageSize(r.Params.Limit), valueOf(r.Params.Cursor))
	if err != nil {
		return nil, err
	}
	shown := api.Leaderboard{Items: make([]api.Leader, 0, len(page.Leaders)), NextCursor: optional(page.Next), AsOf: nil}
	if !page.Made.IsZero() {
		shown.AsOf = new(timeOf(page.Made))
	}
	for _, l := range page.Leaders {
		shown.Items = append(shown.Items, api.Leader{
			Rank: int32Of(l.Rank), ProfileID: idOf(l.Profile), DisplayName: string(l.Name), Rating: ratingOf(l.Rating), RatedGames: int32Of(l.Rated),
		})
	}
	return api.GetLeaderboard200JSONResponse(shown), nil
}
