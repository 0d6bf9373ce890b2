package httpapi_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/httpapi"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// world is a service that serves over real HTTP, and what tests look at behind it.
type world struct {
	testkit.Service

	db       *testkit.Database
	config   config.Config
	metrics  *httpapi.Metrics
	log      *lines
	url      string
	http     *http.Client  // checks every answer against the contract
	stopping atomic.Bool   // what the readiness says
	tick     time.Duration // the clock moves on by this much before each request
	wrap     func(http.Handler) http.Handler
	outside  []func(*service.Outside) // changes what the service is wired to
	apart    http.Handler             // the operations of admins, where they are served apart
	readers  *solver.Pool             // see bookless
	level    slog.Level               // from which on lines are logged
	meddler  *meddler                 // see TestAMoveBetweenReadAndWaitIsAnswered
}

// unhurried is as fast as one may always play: five moves a second.
const unhurried = 250 * time.Millisecond

// option changes a world before it is served.
type option func(*world)

// configured sets variables of the environment.
func configured(environ ...string) option {
	return func(w *world) {
		changed, err := config.Load(environ)
		if err != nil {
			panic(err)
		}
		w.config = changed
	}
}

// standingStill leaves the clock to the test.
func standingStill(w *world) { w.tick = 0 }

// serve starts a service on a database. It is gone when the test ends.
func serve(t *testing.T, db *testkit.Database, options ...option) *world {
	t.Helper()
	w := &world{db: db, log: &lines{}, tick: unhurried, wrap: func(h http.Handler) http.Handler { return h }}
	configured()(w)
	for _, o := range options {
		o(w)
	}
	hub := live.NewHub(w.config.Limits.WaitersTotal, w.waiterLimits(), w.db.Clock.Now)
	w.metrics = httpapi.NewMetrics(hub.Waiting, db.Store.Pools(), db.Store.Commits)
	server := httptest.NewUnstartedServer(w.wrap(w.handler(t, hub)))
	server.Config.ReadTimeout = w.config.Server.ReadTimeout
	server.Config.WriteTimeout = w.config.Server.WriteTimeout
	server.Config.DisableGeneralOptionsHandler = true
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.Start()
	t.Cleanup(func() {
		hub.Stop()
		server.Close()
	})
	w.url = server.URL
	w.http = &http.Client{
		Transport: newCheckedTransport(t, server.Client().Transport),
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
	return w
}

func (w *world) handler(tb testing.TB, hub *live.Hub) http.Handler {
	tb.Helper()
	w.Service = testkit.Wire(tb, w.db, hub, append([]func(*service.Outside){w.configure}, w.outside...)...)
	made, err := httpapi.New(httpapi.Deps{
		Service: w.Parts, Config: w.config, Version: "1.2.3",
		Logger: slog.New(slog.NewJSONHandler(w.log, &slog.HandlerOptions{Level: w.level})), Clock: w.db.Clock.Now, Random: rand.Reader, Metrics: w.metrics,
		Ready: func() error {
			if w.stopping.Load() {
				return errors.New("the service is stopping")
			}
			return nil
		},
	})
	require.NoError(tb, err)
	w.apart = made.Admin
	return made.Public
}

// wired changes what the service is wired to.
func (w *world) wired(change func(*service.Outside)) { w.outside = append(w.outside, change) }

// configure lets the service be as the world's configuration and metrics are.
func (w *world) configure(o *service.Outside) {
	limits := w.config.Limits
	o.Observe = w.metrics
	o.Settings.PublicURL, o.Settings.OpenTables = w.config.PublicURL.String(), limits.OpenTablesPerProfile
	o.Settings.WaitAtMost = time.Duration(limits.WaitMaxSeconds) * time.Second
}

func (w *world) waiterLimits() live.Limits {
	l := w.config.Limits
	return live.Limits{
		Device: l.WaitersPerTokenAndGame, Profile: l.WaitersPerProfile, Address: l.WaitersWithTokenPerAddress, Strangers: l.WaitersPerAddress,
	}
}

// onEither runs a test against a service where either database will do: what differs between them ends in the store, whose
// tests run on both.
func onEither(t *testing.T, test func(t *testing.T, w *world), options ...option) {
	t.Helper()
	test(t, serve(t, testkit.SQLite(t), options...))
}

// onBoth runs a test against a service on each database: for what replicas, races and counts of statements make of it.
func onBoth(t *testing.T, test func(t *testing.T, w *world), options ...option) {
	t.Helper()
	testkit.OnBothDatabases(t, func(t *testing.T, db *testkit.Database) { test(t, serve(t, db, options...)) })
}

// lines is a log that tests read.
type lines struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write adds to the log.
func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

// String returns the whole log.
func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}
