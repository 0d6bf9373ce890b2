package fourinarow

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/fourinarow/fourinarow/api/client"
)

// Game is a game as it was when the answer came. Its fields are those of the contract.
type Game struct {
	client.Game

	arrived time.Time
}

// Over says whether it has ended.
func (g *Game) Over() bool { return g.Result != nil || g.FinishedAt != nil }

// Remaining is what is left of a side's clock now, whatever the device's clock says. It is false when none runs for that side.
func (g *Game) Remaining(side client.Side) (left time.Duration, runs bool) {
	if g.RemainingMs == nil || g.Turn == nil || *g.Turn != side {
		return 0, false
	}
	left = time.Duration(*g.RemainingMs)*time.Millisecond - time.Since(g.arrived)
	return max(left, 0), true
}

// Move plays a column, 1 to 7, in a game as it was seen. It is sent again until it is known what became of it, and never plays
// twice. A refusal is a *Problem whose Game is the game as it is now.
func (c *Client) Move(ctx context.Context, seen *Game, column int) (*Game, error) {
	if column < 0 || column > 99 {
		column = 0 // the service says what is wrong with it
	}
	move := client.PlayMoveRequest{Column: int32(column), Ply: seen.Ply + 1}
	answer, err := c.raw.PlayMove(repeated(ctx), seen.ID, move)
	return c.game(ctx, answer, err)
}

// Games is what can be done with a game besides following it and moving.
type Games struct{ c *Client }

// Get is the game as it is now.
func (g Games) Get(ctx context.Context, game UUID) (*Game, error) {
	answer, err := g.c.raw.GetGame(ctx, game, nil)
	return g.c.game(ctx, answer, err)
}

// Resign gives the game to the other side.
func (g Games) Resign(ctx context.Context, game UUID) (*Game, error) {
	answer, err := g.c.raw.ResignGame(repeated(ctx), game)
	return g.c.game(ctx, answer, err)
}

// Hint is what perfect play knows about the position, at the player's turn in an unranked game.
func (g Games) Hint(ctx context.Context, game UUID) (*client.BoardPosition, error) {
	answer, err := g.c.raw.RequestHint(repeated(ctx), game)
	return received[client.BoardPosition](ctx, answer, err)
}

// Picture is an SVG of the position, 1200 by 630. What it shows may be nil: the last ply, in the classic palette.
func (g Games) Picture(ctx context.Context, game UUID, shown *client.GetPictureParams) ([]byte, error) {
	answer, err := g.c.raw.GetPicture(ctx, game, shown)
	if err != nil {
		return nil, problem(ctx, err)
	}
	picture, err := io.ReadAll(answer.Body)
	switch {
	case err != nil:
		return nil, problem(ctx, err)
	case answer.StatusCode >= http.StatusBadRequest:
		return nil, refusal(answer.StatusCode, answer.Header, picture)
	case answer.Header.Get("Content-Type") != "image/svg+xml":
		return nil, notTheService(answer.StatusCode, nil)
	}
	return picture, nil
}

// game reads one, and lets those who follow it know how new it is.
func (c *Client) game(ctx context.Context, answer *http.Response, err error) (*Game, error) {
	game, err := plainGame(ctx, answer, err)
	now := game
	if p, ok := errors.AsType[*Problem](err); ok {
		now = p.Game
	}
	if now != nil {
		c.saw(now)
	}
	return game, err
}

func plainGame(ctx context.Context, answer *http.Response, err error) (*Game, error) {
	game, err := received[Game](ctx, answer, err)
	if err != nil {
		return nil, err
	}
	if game.ID == (UUID{}) {
		return nil, notTheService(answer.StatusCode, nil)
	}
	game.arrived = time.Now()
	return game, nil
}
