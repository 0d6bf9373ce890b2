//go:build soak

package main_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

// request is a move that a client of the ply's side asked for.
type request struct{ ply, column int }

// said is what became of it as far as the client knows.
type said struct {
	status int // 0: nobody knows
	code   string
	moves  string // of the game that came with the answer
}

// sequential is the game as if moves came one after another; its state is the moves string. A request of which nobody
// knows what became of it is open until the end, where it can't do harm any more.
var sequential = porcupine.Model{
	Init: func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		moves, w, s := state.(string), input.(request), output.(said) //nolint:forcetypeassert // what it was given, it hands back
		after, status, code := apply(moves, w)
		return s.status == 0 || s == said{status: status, code: code, moves: after}, after
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v -> %+v", input, output) },
}

// apply is what the contract says about a move by the side whose ply it is.
func apply(moves string, w request) (after string, status int, code string) {
	digit := strconv.Itoa(w.column)
	p, err := board.Parse(moves)
	if err != nil {
		panic(err)
	}
	switch {
	case w.ply <= len(moves) && moves[w.ply-1:w.ply] == digit:
		return moves, http.StatusOK, ""
	case w.ply <= len(moves):
		return moves, http.StatusConflict, "stale_ply"
	case p.Over() || p.Dead():
		return moves, http.StatusConflict, "game_finished"
	case w.ply > len(moves)+1:
		return moves, http.StatusConflict, "stale_ply"
	case !p.CanPlay(board.Column(w.column)):
		return moves, http.StatusUnprocessableEntity, "column_full"
	default:
		return moves + digit, http.StatusOK, ""
	}
}

// history is one game that several devices of both owners play at once over bad networks.
type history struct {
	pair
	networks []*badNetwork
	began    time.Time

	mu    sync.Mutex
	moves []porcupine.Operation
}

func TestSoakHistories(t *testing.T) {
	l := soak.Drawn(t)
	at := replicas(t, testkit.Postgres(t).Config.URL.DSN())
	networks := []*badNetwork{badly(t, at[0], l), badly(t, at[1], l)}
	games := at[0].pairs(t, soak.Scaled(t, 100), public)
	requests := make([]int, len(games))
	inParallel(t, len(games), func(i int) error {
		h := &history{pair: games[i], networks: networks, began: time.Now(), mu: sync.Mutex{}, moves: nil}
		if err := h.play(t.Context(), l, i); err != nil {
			return fmt.Errorf("history %d: %w", i, err)
		}
		requests[i] = len(h.moves)
		if result := porcupine.CheckOperationsTimeout(sequential, h.moves, time.Minute); result != porcupine.Ok {
			return fmt.Errorf("history %d is not linearizable (%v): %+v", i, result, h.moves)
		}
		return nil
	})
	sum := 0
	for _, n := range requests {
		sum += n
	}
	t.Logf("%d histories, %d moves asked for, %d connections cut", len(games), sum, networks[0].cuts.Load()+networks[1].cuts.Load())
}

// play lets two or three devices of each owner play until the game is over.
func (h *history) play(ctx context.Context, l soak.Luck, number int) error {
	devices := 4 + l.Source(number).IntN(3)
	fails := make([]error, devices)
	var clients sync.WaitGroup
	for i := range devices {
		clients.Go(func() {
			c := &historian{history: h, id: i, owner: h.owners[i%2], line: newLine(1), source: l.Source(-1000*number - i - 1), seen: 0, written: 0}
			fails[i] = c.play(ctx)
		})
	}
	clients.Wait()
	for _, err := range fails {
		if err != nil {
			return err
		}
	}
	return nil
}

// historian is one device, which remembers what it has seen.
type historian struct {
	history *history
	id      int
	owner   guest
	line    line
	source  *rand.Rand
	seen    int64 // the newest version it was shown
	written int64 // the version of its last acknowledged move
}

func (c *historian) play(ctx context.Context) error {
	for {
		g, err := c.read(ctx)
		if err != nil {
			return err
		}
		if g.over() {
			return nil
		}
		if g.CanMove {
			w := request{ply: g.Ply + 1, column: g.LegalColumns[c.source.IntN(len(g.LegalColumns))]}
			if err = c.insist(ctx, w); err != nil {
				return err
			}
		}
	}
}

// read asks until there is an answer: sometimes for what is newer than it has seen, sometimes just so. Reads go to
// any replica.
func (c *historian) read(ctx context.Context) (gameSeen, error) {
	for {
		url, least := c.network().base()+"/v1/games/"+c.history.game, c.written
		if c.source.IntN(3) > 0 {
			url, least = fmt.Sprintf("%s?after_version=%d&wait=1", url, c.seen), c.seen
		}
		a, err := c.line.ask(ctx, c.owner.token, http.MethodGet, url, "")
		if ctx.Err() != nil {
			return gameSeen{}, ctx.Err()
		}
		if err != nil {
			continue
		}
		g, _, err := a.read()
		switch {
		case err != nil || a.status != http.StatusOK:
			return g, fmt.Errorf("%s: %d %s", url, a.status, a.body)
		case g.Version < least:
			return g, fmt.Errorf("%s: version %d was shown to who had seen or made %d", url, g.Version, least)
		}
		c.seen = max(c.seen, g.Version)
		return g, nil
	}
}

// insist asks for a move until it knows what became of it. Each try is an operation of its own.
func (c *historian) insist(ctx context.Context, w request) error {
	for {
		called := time.Since(c.history.began)
		a, err := c.line.ask(ctx, c.owner.token, http.MethodPost, moves(c.network().base(), c.history.game), move(w.ply, w.column))
		returned := time.Since(c.history.began)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			c.history.add(c.id, w, said{}, called, math.MaxInt64)
			continue
		}
		g, p, err := a.read()
		if err != nil || a.status >= http.StatusInternalServerError {
			return fmt.Errorf("move %+v: %d %s", w, a.status, a.body)
		}
		c.history.add(c.id, w, said{status: a.status, code: p.Code, moves: g.Moves}, called, returned)
		if a.status == http.StatusOK {
			c.seen, c.written = max(c.seen, g.Version), g.Version
		}
		return nil
	}
}

func (c *historian) network() *badNetwork { return c.history.networks[c.source.IntN(2)] }

func (h *history) add(client int, w request, s said, called, returned time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.moves = append(h.moves, porcupine.Operation{
		ClientId: client, Input: w, Output: s, Call: int64(called), Return: int64(returned), Metadata: nil,
	})
}

// The checker itself is checked: it must not take everything for right.
func TestSoakHistoriesAreJudged(t *testing.T) {
	for name, row := range map[string]struct {
		second said
		want   porcupine.CheckResult
	}{
		"both were accepted for one ply":         {said{status: http.StatusOK, code: "", moves: "2"}, porcupine.Illegal},
		"one was refused":                        {said{status: http.StatusConflict, code: "stale_ply", moves: "1"}, porcupine.Ok},
		"nobody knows of one":                    {said{}, porcupine.Ok},
		"one was refused with a game before it":  {said{status: http.StatusConflict, code: "stale_ply", moves: ""}, porcupine.Illegal},
		"one was accepted after the other, lost": {said{status: http.StatusOK, code: "", moves: "12"}, porcupine.Illegal},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, row.want, porcupine.CheckOperationsTimeout(sequential, []porcupine.Operation{
				{ClientId: 0, Input: request{ply: 1, column: 1}, Output: said{status: http.StatusOK, code: "", moves: "1"}, Call: 0, Return: 10},
				{ClientId: 1, Input: request{ply: 1, column: 2}, Output: row.second, Call: 5, Return: 15},
			}, time.Minute))
		})
	}
}
