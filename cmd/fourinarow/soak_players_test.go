//go:build soak

package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// who says who plays a match.
type who int

const (
	twoPeople who = iota // both are there and move
	covered              // the second has said away, and the CPU moves for it
	versusCPU
)

// tables are the bodies that open a table for each, with a clock; games that it could end are lost by it, or not.
var tables = [...]string{
	twoPeople: `{"visibility":"public","client_ref":%q,"settings":{"move_time_limit_seconds":30,"on_timeout":"loss"}}`,
	covered:   `{"visibility":"public","client_ref":%q,"settings":{"move_time_limit_seconds":30,"on_timeout":"cpu_move"}}`,
	versusCPU: `{"opponent":"cpu","client_ref":%q,"settings":{"move_time_limit_seconds":30,"on_timeout":"loss"}}`,
}

const (
	// stuck is how long nothing may happen in a running game, whatever is killed: less than its clock.
	stuck = 25 * time.Second
	// insistFor is how long a client sends a request again that nobody answers.
	insistFor = time.Minute
	// insistEvery is its pause after a failed try.
	insistEvery = 50 * time.Millisecond
)

// crowd is people who play one game after another at replicas that may be killed.
type crowd struct {
	replicas []*replica
	lines    line
	stop     atomic.Bool  // games are left as they are
	acked    atomic.Int64 // moves
	refused  atomic.Int64 // answers 503
	broken   atomic.Int64 // tries without an answer
	cpu      figures      // from the acknowledged move to the CPU's answer

	mu     sync.Mutex
	played []*record
}

// record is what the service has acknowledged of a game.
type record struct {
	who    who
	reader guest
	game   string
	mu     sync.Mutex
	moves  map[int]int // column by ply
}

// insist sends a request to one replica after another until it is answered for good.
func (c *crowd) insist(ctx context.Context, source *rand.Rand, token, method, path, body string) (answer, error) {
	began := time.Now()
	for try := source.IntN(2); ; try++ {
		a, err := c.lines.ask(ctx, token, method, c.replicas[try%len(c.replicas)].base()+path, body)
		switch {
		case ctx.Err() != nil:
			return a, ctx.Err()
		case err == nil && a.status == http.StatusServiceUnavailable && a.header.Get("Retry-After") == "":
			return a, fmt.Errorf("%s %s: 503 without Retry-After: %s", method, path, a.body)
		case err == nil && a.status == http.StatusServiceUnavailable:
			c.refused.Add(1)
		case err == nil && a.status >= http.StatusInternalServerError:
			return a, fmt.Errorf("%s %s: %d: %s", method, path, a.status, a.body)
		case err == nil:
			return a, nil
		default:
			c.broken.Add(1)
		}
		if time.Since(began) > insistFor {
			return a, fmt.Errorf("%s %s: no answer for %v, at last %d %s %w", method, path, insistFor, a.status, a.body, err)
		}
		if err := rest(ctx, insistEvery); err != nil {
			return a, err
		}
	}
}

// must insists and wants a status below 300.
func (c *crowd) must(ctx context.Context, source *rand.Rand, token, method, path, body string, into any) error {
	a, err := c.insist(ctx, source, token, method, path, body)
	if err != nil {
		return err
	}
	if a.status >= http.StatusMultipleChoices {
		return fmt.Errorf("%s %s: %d: %s", method, path, a.status, a.body)
	}
	return json.Unmarshal(a.body, into)
}

// playMatch plays one game after another until the crowd stops.
func (c *crowd) playMatch(ctx context.Context, w who, owners [2]guest, source *rand.Rand) error {
	for !c.stop.Load() {
		r, err := c.sitDown(ctx, w, owners, source)
		if err != nil {
			return err
		}
		fails := make([]error, 2)
		var seats sync.WaitGroup
		for i, owner := range owners {
			if i == 1 && w != twoPeople {
				continue
			}
			own := rand.New(rand.NewPCG(source.Uint64(), source.Uint64()))
			seats.Go(func() { fails[i] = c.playGame(ctx, r, owner, own) })
		}
		seats.Wait()
		if i := slices.IndexFunc(fails, func(err error) bool { return err != nil }); i >= 0 {
			return fmt.Errorf("game %s, seat %d: %w", r.game, i+1, fails[i])
		}
	}
	return nil
}

// sitDown begins a game.
func (c *crowd) sitDown(ctx context.Context, w who, owners [2]guest, source *rand.Rand) (*record, error) {
	var t tableSeen
	err := c.must(ctx, source, owners[0].token, http.MethodPost, "/v1/tables", fmt.Sprintf(tables[w], uuid.NewString()), &t)
	if err == nil && w != versusCPU {
		err = c.must(ctx, source, owners[1].token, http.MethodPost, "/v1/tables/"+t.ID+"/seats", `{}`, &t)
	}
	if err == nil && w == covered {
		err = c.must(ctx, source, owners[1].token, http.MethodPut, "/v1/tables/"+t.ID+"/presence", `{"state":"away"}`, &t)
	}
	if err != nil {
		return nil, err
	}
	r := &record{who: w, reader: owners[0], game: t.GameID, mu: sync.Mutex{}, moves: map[int]int{}}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.played = append(c.played, r)
	return r, nil
}

// playGame makes an owner's moves until the game is over or the crowd stops.
func (c *crowd) playGame(ctx context.Context, r *record, owner guest, source *rand.Rand) error {
	seen, since := gameSeen{}, time.Now()
	var moved time.Time // when the last own move was acknowledged
	for !c.stop.Load() && !seen.over() {
		var now gameSeen
		path := fmt.Sprintf("/v1/games/%s?after_version=%d&wait=3", r.game, seen.Version)
		if err := c.must(ctx, source, owner.token, http.MethodGet, path, "", &now); err != nil {
			return err
		}
		if err := seen.goesOn(now, time.Since(since)); err != nil {
			return err
		}
		if now.Ply > seen.Ply {
			since = time.Now()
			c.answered(r, now, moved)
		}
		if seen = now; seen.CanMove {
			after, err := c.move(ctx, r, owner, seen, source)
			if err != nil {
				return err
			}
			seen, since, moved = after, time.Now(), time.Now()
		}
	}
	return nil
}

// goesOn checks that what was seen later is the same game, no earlier than before, and that something happens.
func (g gameSeen) goesOn(now gameSeen, quiet time.Duration) error {
	if now.Ply == g.Ply && quiet > stuck && !now.over() {
		return fmt.Errorf("nothing has happened for %v since %q", quiet, g.Moves)
	}
	if now.Version < g.Version || !strings.HasPrefix(now.Moves, g.Moves) {
		return fmt.Errorf("it went back from %q (version %d) to %q (version %d)", g.Moves, g.Version, now.Moves, now.Version)
	}
	return nil
}

// answered notes how long the CPU took, if the newest disc is its answer to an own move.
func (c *crowd) answered(r *record, now gameSeen, moved time.Time) {
	if r.who != twoPeople && now.Movers[now.Ply-1] == 'c' && !moved.IsZero() {
		c.cpu.add(time.Since(moved))
	}
}

// move thinks for up to two seconds and moves.
func (c *crowd) move(ctx context.Context, r *record, owner guest, g gameSeen, source *rand.Rand) (gameSeen, error) {
	if err := rest(ctx, 200*time.Millisecond+time.Duration(source.Int64N(int64(1800*time.Millisecond)))); err != nil {
		return g, err
	}
	ply, column := g.Ply+1, g.LegalColumns[source.IntN(len(g.LegalColumns))]
	var after gameSeen
	if err := c.must(ctx, source, owner.token, http.MethodPost, "/v1/games/"+r.game+"/moves", move(ply, column), &after); err != nil {
		return g, err
	}
	c.acked.Add(1)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.moves[ply] = column
	return after, nil
}

// verify looks whether everything that was acknowledged is there, and nothing that nobody did.
func (c *crowd) verify(t *testing.T) {
	t.Helper()
	movers := map[who]string{twoPeople: `^h*$`, covered: `^(hc)*h?$`, versusCPU: `^(hc)*h?$`}
	over := 0
	for _, r := range c.played {
		g, _, err := asked(t, c.lines, r.reader, c.replicas[0].base()+"/v1/games/"+r.game).read()
		require.NoError(t, err)
		for ply, column := range r.moves {
			if assert.LessOrEqual(t, ply, g.Ply, "game %s has lost ply %d", r.game, ply) {
				assert.Equal(t, column, int(g.Moves[ply-1]-'0'), "game %s, ply %d", r.game, ply)
			}
		}
		assert.Len(t, g.Moves, g.Ply, "game %s", r.game)
		assert.Regexp(t, movers[r.who], g.Movers, "game %s: nobody let a clock run out, and nobody else was away", r.game)
		assert.NotEqual(t, "timeout", g.Result.EndedBy, "game %s", r.game)
		if g.over() {
			over++
		}
	}
	t.Logf("%d games, %d of them over, %d moves acknowledged, %d tries without an answer, %d answers 503. The CPU's answers took %v",
		len(c.played), over, c.acked.Load(), c.broken.Load(), c.refused.Load(), &c.cpu)
}
