package fourinarow

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/oapi-codegen/runtime/types"

	"github.com/fourinarow/fourinarow/api/client"
)

// Version is that of the contract this package goes with.
const Version = "1.0.0"

// UUID is what names games, tables and players.
type UUID = types.UUID

// Table is a room with two seats.
type Table = client.GameTable

// OwnProfile is the player who asks.
type OwnProfile = client.OwnProfile

// Client is one player on one device. Goroutines may share it.
type Client struct {
	// Tables, Games and Devices are what there is besides the player.
	Tables  Tables
	Games   Games
	Devices Devices
	// API is the generated client, for everything else. It sends the same token; GET, PUT and DELETE are repeated.
	API *client.ClientWithResponses

	raw    *client.Client
	sender *sender
	store  TokenStore
	key    string // of the token in the store

	signing sync.Mutex // one sign-in at a time
	mu      sync.Mutex
	token   *string // nil until the store was asked
	watched map[UUID]*watched
}

// Option changes what New makes.
type Option func(*Client)

// Tokens says where the player's token is kept; otherwise it is forgotten with the client.
func Tokens(store TokenStore) Option { return func(c *Client) { c.store = store } }

// ProfileName tells players apart whose tokens are in the same store.
func ProfileName(name string) Option { return func(c *Client) { c.key += "#" + name } }

// HTTPClient is used instead of one of its own. It must have no Timeout below 35 s, since an answer may be waited for that long.
func HTTPClient(h *http.Client) Option { return func(c *Client) { c.sender.http = h } }

// AnswerWithin is how long to wait for an answer, 10 s unless said. What a request asks the service to wait comes on top.
func AnswerWithin(d time.Duration) Option { return func(c *Client) { c.sender.within = d } }

// RepeatFor is how long moves and other requests are sent again when there is no answer or the service is away, 60 s unless
// said. A client that was never answered gives up after 5 s.
func RepeatFor(d time.Duration) Option { return func(c *Client) { c.sender.repeatFor = d } }

// New makes a client of the service at a base URL, like https://four.example. It asks for nothing yet.
func New(baseURL string, options ...Option) (*Client, error) {
	base, err := url.Parse(baseURL)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return nil, fmt.Errorf("fourinarow: %q is no base URL: it begins with http:// or https://", baseURL)
	}
	at := strings.TrimRight(base.String(), "/")
	c := &Client{store: MemoryTokens(), key: at, watched: map[UUID]*watched{}}
	c.sender = &sender{http: &http.Client{}, within: 10 * time.Second, repeatFor: time.Minute, token: c.kept}
	for _, o := range options {
		o(c)
	}
	c.raw, err = client.NewClient(at, client.WithHTTPClient(c.sender), client.WithRequestEditorFn(c.sender.authorize))
	if err != nil {
		return nil, err
	}
	c.API = &client.ClientWithResponses{ClientInterface: c.raw}
	c.Tables, c.Games, c.Devices = Tables{c}, Games{c}, Devices{c}
	return c, nil
}

// Bearer sends another token than the player's with a request of Client.API, like that of an admin.
func Bearer(token string) client.RequestEditorFn {
	return func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
}

// kept is the player's token, or "".
func (c *Client) kept() (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token == nil {
		token, err := c.store.Get(c.key)
		if err != nil {
			return "", tokensFailed(err)
		}
		c.token = &token
	}
	return *c.token, nil
}

// keep remembers a token, or forgets it if it is "".
func (c *Client) keep(token string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.token = &token
	set := func() error { return c.store.Set(c.key, token) }
	if token == "" {
		set = func() error { return c.store.Clear(c.key) }
	}
	if err := set(); err != nil {
		return tokensFailed(err)
	}
	return nil
}

func tokensFailed(err error) *Problem {
	return &Problem{Code: CodeTokensFailed, Detail: err.Error(), cause: err}
}

// Guest is who signs in.
type Guest struct {
	DisplayName string // of a new profile; the service finds one if it is ""
	Locale      string // of a new profile: the language of texts for people
	// ReplaceRevoked opens a new profile when the stored token no longer counts. Otherwise that is a problem: unauthenticated.
	ReplaceRevoked bool
}

// SignIn is the player whose token is stored, or a new guest.
func (c *Client) SignIn(ctx context.Context, g Guest) (*OwnProfile, error) {
	c.signing.Lock()
	defer c.signing.Unlock()
	token, err := c.kept()
	if err != nil {
		return nil, err
	}
	if token != "" {
		me, err := c.Me(ctx)
		if p, refused := errors.AsType[*Problem](err); !refused || p.Status != http.StatusUnauthorized || !g.ReplaceRevoked {
			return me, err
		}
	}
	body := client.OpenProfileRequest{DisplayName: optional(g.DisplayName), Locale: optional(g.Locale)}
	answer, err := c.raw.OpenProfile(repeated(ctx), nil, body)
	return c.opened(ctx, answer, err)
}

// opened keeps the token of an opened profile.
func (c *Client) opened(ctx context.Context, answer *http.Response, err error) (*OwnProfile, error) {
	opened, err := received[client.OpenedProfile](ctx, answer, err)
	if err != nil {
		return nil, err
	}
	if opened.Token == "" {
		return nil, notTheService(answer.StatusCode, nil)
	}
	if err := c.keep(opened.Token); err != nil {
		return nil, err
	}
	return &opened.Profile, nil
}

// Me is the player as the service knows it.
func (c *Client) Me(ctx context.Context) (*OwnProfile, error) {
	answer, err := c.raw.GetMe(ctx)
	me, err := received[OwnProfile](ctx, answer, err)
	if err == nil && me.ID == (UUID{}) {
		return nil, notTheService(answer.StatusCode, nil)
	}
	return me, err
}

// DeleteMe leaves for good, and forgets the token.
func (c *Client) DeleteMe(ctx context.Context) error {
	how := manner{repeat: true}
	answer, err := c.raw.DeleteMe(how.in(ctx))
	if err = done(ctx, answer, err); err != nil {
		if p := problem(ctx, err); !how.lost || p.Status != http.StatusUnauthorized { // the token may have gone with the lost answer
			return err
		}
	}
	return c.keep("")
}

// QuickMatch seats the player with a stranger who wants the same, or at a table where it waits for one: follow the table.
func (c *Client) QuickMatch(ctx context.Context, wanted client.QuickMatchRequest) (*Table, error) {
	answer, err := c.raw.StartQuickMatch(repeated(ctx), wanted)
	return table(ctx, answer, err)
}

// StopQuickMatch gives up waiting.
func (c *Client) StopQuickMatch(ctx context.Context) error {
	answer, err := c.raw.StopQuickMatch(ctx)
	return done(ctx, answer, err)
}

// History is the finished games of a player, the last first. The filters may be nil.
func (c *Client) History(ctx context.Context, profile UUID, filters *client.ListProfileGamesParams) iter.Seq2[client.PlayedGame, error] {
	var params client.ListProfileGamesParams
	if filters != nil {
		params = *filters
	}
	return Pages(func(cursor *string) ([]client.PlayedGame, *string, error) {
		params.Cursor = cursor
		answer, err := c.raw.ListProfileGames(ctx, profile, &params)
		page, err := received[client.PlayedGameList](ctx, answer, err)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// Pages is all items of a list. It asks for a page with the cursor, nil for the first one, when an item of it is wanted. A
// failure is the last thing it yields.
func Pages[T any](page func(cursor *string) (items []T, next *string, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var cursor *string
		for {
			items, next, err := page(cursor)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if cursor = next; cursor == nil {
				return
			}
		}
	}
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
