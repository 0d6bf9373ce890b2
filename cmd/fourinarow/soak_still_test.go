//go:build soak

package main_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

// still is a game in which it is yellow's turn and yellow takes its time, while both wait for news.
type still struct {
	pair
	crowd *crowd
	luck  soak.Luck
}

// sitStill begins such a game; its owners wait there until the test ends.
func sitStill(t *testing.T, c *crowd, l soak.Luck) *still {
	t.Helper()
	p := c.replicas[0].pairs(t, 1, `{"visibility":"public","settings":{"move_time_limit_seconds":30,"on_timeout":"loss"}}`)[0]
	s := &still{pair: p, crowd: c, luck: l}
	var g gameSeen
	require.NoError(t, c.must(t.Context(), l.Source(-1), p.owners[0].token, http.MethodPost, "/v1/games/"+p.game+"/moves", move(1, 4), &g))
	ctx, stop := context.WithCancel(t.Context())
	left := make(chan error, len(p.owners))
	for i, owner := range p.owners {
		go func() { left <- s.waitAlways(ctx, i, owner) }()
	}
	t.Cleanup(func() {
		stop()
		for range p.owners {
			require.ErrorIs(t, <-left, context.Canceled)
		}
	})
	return s
}

func (s *still) waitAlways(ctx context.Context, i int, owner guest) error {
	source, seen := s.luck.Source(-2-i), gameSeen{}
	for {
		path := fmt.Sprintf("/v1/games/%s?after_version=%d&wait=10", s.game, seen.Version)
		if err := s.crowd.must(ctx, source, owner.token, http.MethodGet, path, "", &seen); err != nil {
			return err
		}
	}
}

// remaining is what yellow's clock has left, and makes sure that it still is yellow's turn.
func (s *still) remaining(t *testing.T) time.Duration {
	t.Helper()
	var g gameSeen
	require.NoError(t, s.crowd.must(t.Context(), s.luck.Source(-1), s.owners[1].token, http.MethodGet, "/v1/games/"+s.game, "", &g))
	require.Equal(t, "in_progress", g.Status)
	require.Equal(t, "h", g.Movers)
	require.True(t, g.CanMove)
	return time.Duration(g.RemainingMs) * time.Millisecond
}

// assertUnavailable asks for this and that while the database is away.
func (s *still) assertUnavailable(t *testing.T) {
	t.Helper()
	for _, r := range s.crowd.replicas {
		for _, q := range []struct{ token, method, path, body string }{
			{s.owners[0].token, http.MethodGet, "/v1/games/" + s.game, ""},
			{s.owners[1].token, http.MethodPost, "/v1/games/" + s.game + "/moves", move(2, 4)},
			{"", http.MethodPost, "/v1/profiles", `{}`},
			{"", http.MethodGet, "/v1/tables", ""},
		} {
			a, err := s.crowd.lines.ask(t.Context(), q.token, q.method, r.base()+q.path, q.body)
			require.NoError(t, err, "%s %s", q.method, q.path)
			assert.Equal(t, http.StatusServiceUnavailable, a.status, "%s %s: %s", q.method, q.path, a.body)
			assert.NotEmpty(t, a.header.Get("Retry-After"), "%s %s", q.method, q.path)
		}
	}
}

// playOn makes yellow's move at last.
func (s *still) playOn(t *testing.T) {
	t.Helper()
	var g gameSeen
	require.NoError(t, s.crowd.must(t.Context(), s.luck.Source(-1), s.owners[1].token, http.MethodPost, "/v1/games/"+s.game+"/moves", move(2, 4), &g))
	require.Equal(t, "44", g.Moves)
}
