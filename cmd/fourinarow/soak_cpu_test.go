//go:build soak

package main_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

const (
	// challengeFor is how long people play against the CPU.
	challengeFor = 90 * time.Second
	// cpuPace is what the CPU waits for so that people see two drops; the default.
	cpuPace = 400 * time.Millisecond
	// hardMemory is what the service may need for all of it.
	hardMemory = 256 << 20
)

// lowered finds how many turns were played at a lower level.
var lowered = regexp.MustCompile(`(?m)^fourinarow_cpu_lowered_turns_total.*$`)

// challengers are people who play against the CPU, one game after another, each thinking two seconds, give or take one.
type challengers struct {
	base    string
	level   string
	lines   line
	player  *cpu.CPU // chooses their moves, at medium: games go on for a while
	moves   atomic.Int64
	games   atomic.Int64
	answers figures // from sending a move to the CPU's disc, without its pace
}

// The targets for 200 people on two cores are 300 ms in the middle and 1.5 s for the last hundredth.
func TestSoakManyPlayAgainstHard(t *testing.T) {
	r := serving(t, "DATABASE_URL="+testkit.Postgres(t).Config.URL.DSN())
	number := soak.Scaled(t, 200)
	c := &challengers{
		base: r.base(), level: "hard", lines: newLine(2 * number),
		player: cpu.New(solver.NewPool(1, solver.Options{EarlyTableBits: 16})),
	}
	guests, l := r.guests(t, number), soak.Drawn(t)
	ctx, stop := context.WithTimeout(t.Context(), challengeFor)
	defer stop()
	var people sync.WaitGroup
	fails := make(chan error, number)
	for i, g := range guests {
		people.Go(func() { fails <- c.play(ctx, g, l.Source(i)) })
	}
	memory := 0.0
	for ctx.Err() == nil {
		memory = max(memory, r.metric(t, "process_resident_memory_bytes"))
		_ = rest(ctx, time.Second)
	}
	people.Wait()
	close(fails)
	for err := range fails {
		require.NoError(t, err)
	}
	_, metrics := r.running.Load().get(t, "/metrics")
	t.Logf("%d people against %s for %v: %d games ended, %d moves; after its pace the CPU's disc took %v; at most %.0f MB; %.0f searches cut short",
		number, c.level, challengeFor, c.games.Load(), c.moves.Load(), &c.answers, memory/1e6, r.metric(t, "fourinarow_cpu_cut_short_turns_total"))
	for _, line := range lowered.FindAllString(metrics, -1) {
		t.Log(line)
	}
	assert.LessOrEqual(t, c.answers.at(.5), 300*time.Millisecond)
	assert.LessOrEqual(t, c.answers.at(.99), 1500*time.Millisecond)
	assert.Less(t, memory, float64(hardMemory))
}

// play plays one game after another until ctx is done. What is under way then is left as it is.
func (c *challengers) play(ctx context.Context, g guest, source *rand.Rand) error {
	if err := rest(ctx, time.Duration(source.Int64N(int64(3*time.Second)))); err != nil {
		return nil //nolint:nilerr // the time is up
	}
	for ctx.Err() == nil {
		var t tableSeen
		body := fmt.Sprintf(`{"opponent":"cpu","cpu_level":%q}`, c.level)
		err := c.lines.want(ctx, http.StatusCreated, g.token, http.MethodPost, c.base+"/v1/tables", body, &t)
		if err == nil {
			err = c.playGame(ctx, g, t.GameID, source)
		}
		if err == nil {
			c.games.Add(1)
			_, err = c.lines.ask(ctx, g.token, http.MethodDelete, c.base+"/v1/tables/"+t.ID+"/seats/me", "")
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// playGame plays a game to its end.
func (c *challengers) playGame(ctx context.Context, g guest, id string, source *rand.Rand) error {
	var seen gameSeen
	if err := c.lines.want(ctx, http.StatusOK, g.token, http.MethodGet, c.base+"/v1/games/"+id, "", &seen); err != nil {
		return err
	}
	for !seen.over() {
		if err := rest(ctx, time.Second+time.Duration(source.Int64N(int64(2*time.Second)))); err != nil {
			return err
		}
		column, err := c.choose(ctx, seen, source.Uint64())
		if err != nil {
			return err
		}
		sent := time.Now()
		if err = c.lines.want(ctx, http.StatusOK, g.token, http.MethodPost, moves(c.base, id), move(seen.Ply+1, column), &seen); err != nil {
			return err
		}
		c.moves.Add(1)
		if seen.over() {
			return nil
		}
		if seen, err = c.await(ctx, g, seen, sent); err != nil {
			return err
		}
	}
	return nil
}

// choose chooses a column as a person of medium strength would.
func (c *challengers) choose(ctx context.Context, seen gameSeen, seed uint64) (int, error) {
	p, err := board.Parse(seen.Moves)
	if err != nil {
		return 0, err
	}
	column, err := c.player.Choose(ctx, p, p.LegalColumns(), level.Medium, seed)
	return int(column), err
}

// await waits for the CPU's disc after a move that was sent at a time.
func (c *challengers) await(ctx context.Context, g guest, seen gameSeen, sent time.Time) (gameSeen, error) {
	for ply := seen.Ply + 1; seen.Ply < ply; {
		var now gameSeen
		url := fmt.Sprintf("%s/v1/games/%s?after_version=%d&wait=10", c.base, seen.ID, seen.Version)
		if err := c.lines.want(ctx, http.StatusOK, g.token, http.MethodGet, url, "", &now); err != nil {
			return seen, err
		}
		if err := seen.goesOn(now, time.Since(sent)); err != nil {
			return seen, err
		}
		seen = now
	}
	c.answers.add(max(time.Since(sent)-cpuPace, 0))
	return seen, nil
}
