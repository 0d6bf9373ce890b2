//go:build soak

package main_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

// drawnGame fills the board without a line and, until its last disc, without ending by a dead position.
const drawnGame = "121212121212343434343434565656656565777777"

// followed is a game whose owners wait for its moves, each at a replica of its own. The next move is made when both
// have seen the last one, so that no later move makes up for a lost wake-up.
type followed struct {
	pair
	heard chan struct{} // once for each owner and move

	mu      sync.Mutex
	version int64 // before the next move
	ply     int
	at      int                 // the replica of the last move
	sent    map[int64]time.Time // by the version a move made
	acked   map[int64]time.Time
}

// stations is what the clients of the test share.
type stations struct {
	replicas    []*replica
	lines       line
	same, other figures // from sending the move to the answer of a waiting poll, at the same and at the other replica
	moving      figures // from sending the move to its own answer
}

// The targets, on a machine of one's own, are 25 ms at the same replica and 400 ms at the other for the last hundredth.
func TestSoakNewsTravels(t *testing.T) {
	l := soak.Drawn(t)
	clients, ticks := soak.Scaled(t, 500), soak.Scaled(t, 1000)
	s := &stations{replicas: replicas(t, testkit.Postgres(t).Config.URL.DSN()), lines: newLine(clients + 50)}
	games := make([]*followed, 0, clients/2)
	for _, p := range s.replicas[0].pairs(t, max(1, clients/2), public) {
		games = append(games, &followed{pair: p, heard: make(chan struct{}, 2), sent: map[int64]time.Time{}, acked: map[int64]time.Time{}})
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var waiting sync.WaitGroup
	fails := make(chan error, 2*len(games)+ticks)
	for _, g := range games {
		begun, _, err := asked(t, s.lines, g.owners[0], s.replicas[0].base()+"/v1/games/"+g.game).read()
		require.NoError(t, err)
		version := begun.Version
		g.version = version
		for owner := range g.owners {
			waiting.Go(func() {
				if err := s.wait(ctx, g, owner, version); err != nil && ctx.Err() == nil {
					fails <- err
				}
			})
		}
	}
	require.Eventually(t, func() bool {
		return s.replicas[0].metric(t, "fourinarow_waiting_requests")+s.replicas[1].metric(t, "fourinarow_waiting_requests") == float64(2*len(games))
	}, time.Minute, 100*time.Millisecond)
	s.play(t, l.Source(0), games, ticks, fails)
	for _, g := range games {
		g.awaitHeard(t, fails)
	}
	stop()
	waiting.Wait()
	t.Logf("%d clients, %d moves, 50 a second. From sending the move to the answer of a waiting poll, same replica: %v; other replica: %v. A move itself: %v",
		2*len(games), ticks, &s.same, &s.other, &s.moving)
}

// play makes 50 moves a second, each in another game, until there are enough or something has failed.
func (s *stations) play(t *testing.T, source *rand.Rand, games []*followed, number int, fails chan error) {
	t.Helper()
	tick := time.NewTicker(time.Second / 50)
	defer tick.Stop()
	var moving sync.WaitGroup
	for i := range number {
		g, at := games[i%len(games)], source.IntN(2)
		g.awaitHeard(t, fails)
		<-tick.C
		ply := s.next(g, at)
		moving.Go(func() {
			if err := s.move(t.Context(), g, ply, at); err != nil {
				fails <- err
			}
		})
	}
	moving.Wait()
}

// awaitHeard waits until both owners have seen the last move.
func (g *followed) awaitHeard(t *testing.T, fails <-chan error) {
	t.Helper()
	for heard := 0; g.ply > 0 && heard < len(g.owners); {
		select {
		case <-g.heard:
			heard++
		case err := <-fails:
			require.NoError(t, err)
		}
	}
}

// next notes that a move is about to be sent, and returns its ply.
func (s *stations) next(g *followed, at int) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ply++
	g.version++
	g.at = at
	g.sent[g.version] = time.Now()
	return g.ply
}

func (s *stations) move(ctx context.Context, g *followed, ply, at int) error {
	var after gameSeen
	column := int(drawnGame[ply-1] - '0')
	err := s.lines.want(ctx, http.StatusOK, g.owners[(ply-1)%2].token, http.MethodPost, moves(s.replicas[at].base(), g.game), move(ply, column), &after)
	if err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if after.Version != g.version {
		return fmt.Errorf("game %s: ply %d made version %d, not %d", g.game, ply, after.Version, g.version)
	}
	g.acked[after.Version] = time.Now()
	s.moving.add(time.Since(g.sent[after.Version]))
	return nil
}

// wait follows a game with one waiting request after another.
func (s *stations) wait(ctx context.Context, g *followed, owner int, version int64) error {
	for {
		var seen gameSeen
		url := fmt.Sprintf("%s/v1/games/%s?after_version=%d&wait=25", s.replicas[owner].base(), g.game, version)
		if err := s.lines.want(ctx, http.StatusOK, g.owners[owner].token, http.MethodGet, url, "", &seen); err != nil {
			return err
		}
		if err := s.heard(g, owner, version, seen.Version); err != nil {
			return err
		}
		version = seen.Version
	}
}

// grossly is how long before the end of a wait a move must have been made to say that the waiter was not told of it.
const grossly = 5 * time.Second

func (s *stations) heard(g *followed, owner int, before, now int64) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case now == before:
		if acked, made := g.acked[before+1]; made && time.Since(acked) > grossly {
			return fmt.Errorf("game %s: who waits at replica %d was not told of version %d", g.game, owner, before+1)
		}
		return nil
	case now != before+1:
		return fmt.Errorf("game %s went from version %d to %d by itself", g.game, before, now)
	case g.at == owner:
		s.same.add(time.Since(g.sent[now]))
	default:
		s.other.add(time.Since(g.sent[now]))
	}
	g.heard <- struct{}{}
	return nil
}
