// Package served serves the whole service over HTTP, for tests of what its clients make of it.
package served

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/httpapi"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// Service is a service on a database of its own, without limits on requests. Its clock stands still.
type Service struct {
	URL string

	db     *testkit.Database
	hub    *live.Hub
	server *http.Server
}

// New serves until the test ends.
func New(tb testing.TB) *Service {
	tb.Helper()
	s := &Service{db: testkit.SQLite(tb)}
	s.start(tb, "127.0.0.1:0")
	tb.Cleanup(s.Stop)
	return s
}

// Restart starts it again at the same address after it was stopped, with nothing but its database.
func (s *Service) Restart(tb testing.TB) {
	tb.Helper()
	s.start(tb, s.URL[len("http://"):])
}

// Stop ends all connections and refuses new ones.
func (s *Service) Stop() {
	s.hub.Stop()
	_ = s.server.Close() // it is gone either way
}

func (s *Service) start(tb testing.TB, address string) {
	tb.Helper()
	settings, err := config.Load([]string{"RATE_LIMIT=off"})
	require.NoError(tb, err)
	s.hub = live.NewHub(1000, testkit.Waiters(), s.db.Clock.Now)
	made, err := httpapi.New(httpapi.Deps{
		Service: testkit.Wire(tb, s.db, s.hub).Parts, Config: settings, Version: "1.2.3", Logger: slog.New(slog.DiscardHandler),
		Clock: s.db.Clock.Now, Random: rand.Reader, Metrics: httpapi.NewMetrics(s.hub.Waiting, s.db.Store.Pools(), s.db.Store.Commits),
		Ready: func() error { return nil },
	})
	require.NoError(tb, err)
	var network net.ListenConfig
	listener, err := network.Listen(context.Background(), "tcp", address)
	require.NoError(tb, err)
	s.URL = "http://" + listener.Addr().String()
	s.server = &http.Server{Handler: made.Public, ReadHeaderTimeout: settings.Server.ReadHeaderTimeout}
	go func(server *http.Server) { assert.ErrorIs(tb, server.Serve(listener), http.ErrServerClosed) }(s.server)
}
