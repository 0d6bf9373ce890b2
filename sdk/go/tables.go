package fourinarow

import (
	"context"
	"io"
	"iter"
	"net/http"

	"github.com/google/uuid"

	"github.com/fourinarow/fourinarow/api/client"
)

// Tables is where games are played.
type Tables struct{ c *Client }

// Open opens a table, for a friend, strangers or the CPU. Without a ClientRef it is given one, so that no second table is opened
// when the answer gets lost.
func (t Tables) Open(ctx context.Context, wanted client.OpenTableRequest) (*Table, error) {
	if wanted.ClientRef == nil {
		ref := uuid.New()
		wanted.ClientRef = &ref
	}
	answer, err := t.c.raw.OpenTable(repeated(ctx), wanted)
	return table(ctx, answer, err)
}

// Get is the table as it is now.
func (t Tables) Get(ctx context.Context, id UUID) (*Table, error) {
	answer, err := t.c.raw.GetTable(ctx, id, nil)
	return table(ctx, answer, err)
}

// Waiting is the public tables with a free seat.
func (t Tables) Waiting(ctx context.Context, filters *client.ListTablesParams) iter.Seq2[Table, error] {
	var params client.ListTablesParams
	if filters != nil {
		params = *filters
	}
	return Pages(func(cursor *string) ([]Table, *string, error) {
		params.Cursor = cursor
		answer, err := t.c.raw.ListTables(ctx, &params)
		page, err := received[client.TableList](ctx, answer, err)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// Mine is the tables where the player has a seat, those that wait for it first.
func (t Tables) Mine(ctx context.Context) ([]Table, error) {
	answer, err := t.c.raw.ListMyTables(ctx, nil)
	mine, err := received[client.MyTables](ctx, answer, err)
	if err != nil {
		return nil, err
	}
	return mine.Items, nil
}

// Join takes the free seat of a public table, or comes back to the player's own.
func (t Tables) Join(ctx context.Context, id UUID) (*Table, error) {
	return t.take(ctx, id, client.TakeSeatRequest{})
}

// JoinByCode takes the free seat of a private table. The code may be as a person types it.
func (t Tables) JoinByCode(ctx context.Context, inviteCode string) (*Table, error) {
	answer, err := t.c.raw.GetInvite(ctx, inviteCode)
	invited, err := table(ctx, answer, err)
	if err != nil {
		return nil, err
	}
	return t.take(ctx, invited.ID, client.TakeSeatRequest{InviteCode: &inviteCode})
}

func (t Tables) take(ctx context.Context, id UUID, seat client.TakeSeatRequest) (*Table, error) {
	answer, err := t.c.raw.TakeSeat(repeated(ctx), id, seat)
	return table(ctx, answer, err)
}

// Leave gives the seat up.
func (t Tables) Leave(ctx context.Context, id UUID) error {
	answer, err := t.c.raw.LeaveSeat(ctx, id)
	return done(ctx, answer, err)
}

// SetPresence says that the player is here, or away; it is here again when it does something at the table.
func (t Tables) SetPresence(ctx context.Context, id UUID, state client.PresenceChoice) (*Table, error) {
	answer, err := t.c.raw.SetPresence(ctx, id, client.SetPresenceRequest{State: state})
	return table(ctx, answer, err)
}

// Rematch agrees to another game after the finished one.
func (t Tables) Rematch(ctx context.Context, finished *Game) (*Table, error) {
	answer, err := t.c.raw.AgreeRematch(ctx, finished.TableID, client.AgreeRematchRequest{GameID: finished.ID})
	return table(ctx, answer, err)
}

// Devices is what holds a token of the player.
type Devices struct{ c *Client }

// Code lets another device in: once, within ten minutes.
func (d Devices) Code(ctx context.Context) (*client.DeviceCode, error) {
	answer, err := d.c.raw.CreateDeviceCode(repeated(ctx))
	return received[client.DeviceCode](ctx, answer, err)
}

// Use makes this client a device of the player whose code it is, and keeps the token. When the answer gets lost the code is used
// up, and the problem is connection_failed: ask for another code.
func (d Devices) Use(ctx context.Context, code, deviceName string) (*OwnProfile, error) {
	d.c.signing.Lock()
	defer d.c.signing.Unlock()
	answer, err := d.c.raw.CreateDeviceToken(ctx, client.CreateDeviceTokenRequest{Code: code, DeviceName: optional(deviceName)})
	return d.c.opened(ctx, answer, err)
}

func table(ctx context.Context, answer *http.Response, err error) (*Table, error) {
	t, err := received[Table](ctx, answer, err)
	if err == nil && t.ID == (UUID{}) {
		return nil, notTheService(answer.StatusCode, nil)
	}
	return t, err
}

// done reads an answer without a body.
func done(ctx context.Context, answer *http.Response, err error) error {
	if err != nil {
		return problem(ctx, err)
	}
	if answer.StatusCode == http.StatusNoContent {
		return nil
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return problem(ctx, err)
	}
	return refusal(answer.StatusCode, answer.Header, body)
}
