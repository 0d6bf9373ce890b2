package fourinarow

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"time"

	"github.com/fourinarow/fourinarow/api/client"
)

// waitSeconds is how long the service is asked to hold an answer, and fallback when to ask again after one that came
// early, changed nothing and doesn't say.
const (
	waitSeconds = 25
	fallback    = time.Second
)

// FollowOption changes how a game or table is followed.
type FollowOption func(*follower)

// OnConnection is told false when the service is out of reach, and true when it is back.
func OnConnection(tell func(connected bool)) FollowOption {
	return func(f *follower) { f.tell = tell }
}

// OnTable is told each state of the table.
func OnTable(tell func(*Table)) FollowOption {
	return func(f *follower) { f.tellTable = tell }
}

// Follow is the states of a game from now to its end, each newer than the one before. It goes on through failures of the network
// and of the service, until the context is cancelled; a failure that it can't go on after is the last thing it yields.
func (c *Client) Follow(ctx context.Context, game UUID, options ...FollowOption) iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		if _, err := c.follower(ctx, options).game(game, yield); err != nil {
			yield(nil, err)
		}
	}
}

// FollowTable is the states of a table's games, one after the other, as Follow has them. It waits for the first game and between
// games, goes along when quick match moves the player to another table, and ends when the table closes.
func (c *Client) FollowTable(ctx context.Context, id UUID, options ...FollowOption) iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		if err := c.follower(ctx, options).games(id, yield); err != nil {
			yield(nil, err)
		}
	}
}

type follower struct {
	c         *Client
	ctx       context.Context
	tell      func(connected bool)
	tellTable func(*Table)

	answered bool // ever
	failures int  // in a row
	lost     bool // it was told
}

func (c *Client) follower(ctx context.Context, options []FollowOption) *follower {
	f := &follower{c: c, ctx: (&manner{}).in(ctx), tell: func(bool) {}, tellTable: func(*Table) {}}
	for _, o := range options {
		o(f)
	}
	return f
}

// game follows one to its end. It returns false when nobody wants more.
func (f *follower) game(id UUID, yield func(*Game, error) bool) (bool, error) {
	w := f.c.watch(id)
	defer f.c.unwatch(id)
	var seen int64 // the version to ask after; 0 before the first answer
	for {
		known := f.c.newest(w)
		game, early, err := poll(f, seen, func(after *client.AfterVersion, wait *client.Wait) (*Game, error) {
			answer, err := f.c.raw.GetGame(f.ctx, id, &client.GetGameParams{AfterVersion: after, Wait: wait})
			return plainGame(f.ctx, answer, err)
		})
		if err != nil {
			return false, err
		}
		if game.Version < max(seen, known) { // reads never go back, but with the database
			f.c.restored(w, game.Version)
		}
		isNew := game.Version != seen
		seen = game.Version
		switch {
		case seen < f.c.newest(w): // a move's answer has overtaken this one
		case isNew && !yield(game, nil):
			return false, nil
		case isNew && game.Over():
			return true, nil
		case !isNew && early:
			if err := f.pause(game.PollAfterMs); err != nil {
				return false, err
			}
		}
	}
}

// place is where the follower of a table is.
type place struct {
	*follower

	table    UUID
	seen     int64 // version of the table; 0 before the first answer
	followed UUID  // the game that was followed to its end
	missing  UUID  // the game that wasn't found
}

// games follows the games of a table until it closes.
func (f *follower) games(id UUID, yield func(*Game, error) bool) error {
	at := place{follower: f, table: id}
	for more := true; more; {
		t, early, err := poll(f, at.seen, func(after *client.AfterVersion, wait *client.Wait) (*Table, error) {
			answer, err := f.c.raw.GetTable(f.ctx, at.table, &client.GetTableParams{AfterVersion: after, Wait: wait})
			return table(f.ctx, answer, err)
		})
		if err == nil {
			more, err = at.arrive(t, early, yield)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// arrive takes the table as it is now, and follows its game if that is another one. It returns false when that was all.
func (at *place) arrive(t *Table, early bool, yield func(*Game, error) bool) (more bool, err error) {
	if t.Version < at.seen {
		at.followed = UUID{} // the service was restored
	}
	isNew := t.Version != at.seen
	if at.seen = t.Version; isNew {
		at.tellTable(t)
	}
	current := t.CurrentGameID
	isOther := current != nil && *current != at.followed
	if isOther {
		if more, err := at.game(*current, yield); err != nil || !more {
			return false, err
		}
	}
	switch {
	case t.MovedToTableID != nil:
		at.table, at.seen = *t.MovedToTableID, 0
	case at.seen > 0 && (t.CloseReason != nil || t.Status == "closed"):
		return false, nil
	case early && !isNew && !isOther:
		return true, at.pause(t.PollAfterMs)
	}
	return true, nil
}

// game follows a game of the table. One that is gone was forgotten with the service's restoring: the table names another then.
func (at *place) game(id UUID, yield func(*Game, error) bool) (bool, error) {
	more, err := at.follower.game(id, yield)
	if p, ok := errors.AsType[*Problem](err); ok && p.Status == http.StatusNotFound && id != at.missing {
		at.missing, at.seen = id, 0
		return true, nil
	}
	if more {
		at.followed = id
	}
	return more, err
}

// poll asks once for something newer than what was seen, again and again while that fails. It says whether the answer came well
// before the end of the wait.
func poll[T any](f *follower, seen int64, ask func(*client.AfterVersion, *client.Wait) (*T, error)) (answer *T, early bool, err error) {
	var after *client.AfterVersion
	var wait *client.Wait
	if seen > 0 {
		seconds := client.Wait(waitSeconds)
		after, wait = &seen, &seconds
	}
	for {
		began := time.Now()
		answer, err := ask(after, wait)
		if err == nil {
			f.connected()
			return answer, wait != nil && time.Since(began) < (waitSeconds-1)*time.Second, nil
		}
		wait = nil // the first answer shall come at once: it says that the service is back
		if err := f.disconnected(problem(f.ctx, err)); err != nil {
			return nil, false, err
		}
	}
}

func (f *follower) connected() {
	f.answered, f.failures = true, 0
	if f.lost {
		f.lost = false
		f.tell(true)
	}
}

// disconnected waits before the next try, or returns the problem if there shall be none.
func (f *follower) disconnected(p *Problem) error {
	isPassing := p.Status >= http.StatusInternalServerError || p.Status == http.StatusTooManyRequests || p.Status == http.StatusRequestTimeout ||
		p.Code == CodeConnectionFailed || p.Code == CodeTimedOut ||
		p.Code == CodeNotTheService && f.answered // a page to sign in to a network, before the service again
	if !isPassing || f.ctx.Err() != nil {
		return p
	}
	if f.failures++; f.failures == 2 { // the first may be a connection that was closed while idle
		f.lost = true
		f.tell(false)
	}
	return sleep(f.ctx, max(backoff(f.failures-1), p.RetryAfter))
}

func (f *follower) pause(pollAfterMs *int32) error {
	if pollAfterMs == nil {
		return sleep(f.ctx, fallback)
	}
	return sleep(f.ctx, time.Duration(*pollAfterMs)*time.Millisecond)
}

// watched is what is known of a game that is followed.
type watched struct {
	newest    int64 // version that an answer to a move and the like has shown
	followers int
}

func (c *Client) watch(game UUID) *watched {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.watched[game]
	if w == nil {
		w = &watched{}
		c.watched[game] = w
	}
	w.followers++
	return w
}

func (c *Client) unwatch(game UUID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.watched[game]; w.followers > 1 {
		w.followers--
	} else {
		delete(c.watched, game)
	}
}

func (c *Client) newest(w *watched) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return w.newest
}

// saw notes the version of a game that was answered outside of a follower.
func (c *Client) saw(game *Game) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.watched[game.ID]; w != nil {
		w.newest = max(w.newest, game.Version)
	}
}

// restored forgets what was known before the service was restored.
func (c *Client) restored(w *watched, version int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w.newest = version
}
