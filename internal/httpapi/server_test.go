package httpapi_test

import (
	"bytes"
	"context"
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
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/httpapi"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// world is a service that serves over real HTTP, and what tests look at behind it.
type world struct {
	db       *testkit.Database
	config   config.Config
	hub      *live.Hub
	metrics  *httpapi.Metrics
	log      *lines
	url      string
	http     *http.Client // checks every answer against the contract
	stopping atomic.Bool  // what the readiness says
	games    *service.Games
	tables   *service.Tables
	duty     *service.Duty // what a worker would do; see pass
	calm     bool          // see calm
	tick     time.Duration // the clock moves on by this much before each request
	wrap     func(http.Handler) http.Handler
	stores   func(*service.Deps) // puts others in front of the stores
	apart    http.Handler        // the operations of admins, where they are served apart
	readers  *solver.Pool        // see bookless
	meddler  *meddler            // see TestAMoveBetweenLookAndWaitIsHeard
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
	w := &world{db: db, log: &lines{}, tick: unhurried, wrap: func(h http.Handler) http.Handler { return h }, stores: func(*service.Deps) {}}
	configured()(w)
	for _, o := range options {
		o(w)
	}
	w.hub = live.NewHub(w.config.Limits.WaitersTotal, w.db.Clock.Now)
	w.metrics = httpapi.NewMetrics(w.hub.Waiting, db.Store.Stats)
	server := httptest.NewUnstartedServer(w.wrap(w.handler(t)))
	server.Config.ReadTimeout = w.config.Server.ReadTimeout
	server.Config.WriteTimeout = w.config.Server.WriteTimeout
	server.Config.DisableGeneralOptionsHandler = true
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.Start()
	t.Cleanup(func() {
		w.hub.Stop()
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

func (w *world) handler(t *testing.T) http.Handler {
	t.Helper()
	limits := w.config.Limits
	var duties service.DutyStore = w.db.Store
	if w.calm {
		duties = unbroken{duties}
	}
	deps := service.Deps{
		Profiles: w.db.Store, Tables: w.db.Store, Games: w.db.Store, Duties: duties, History: w.db.Store, Insights: w.db.Store, Waiters: w.hub,
		Attendance: service.NewAttendance(), Uptime: service.NewUptime(duties, w.db.Clock.Now), Chooser: cpu.New(solver.NewPool(1, solver.Options{})),
		Readers: solver.NewPool(1, solver.Options{EarlyTableBits: 16, Book: testkit.Book(t)}),
		Rules:   service.NewCatalogue(w.db.Store, w.db.Clock.Now), Clock: w.db.Clock.Now, Random: rand.Reader, Observe: w.metrics, Due: func(time.Time) {},
		Settings: service.Settings{
			PublicURL: w.config.PublicURL.String(), OpenTables: limits.OpenTablesPerProfile,
			WaitAtMost:     time.Duration(limits.WaitMaxSeconds) * time.Second,
			WaitersPerGame: limits.WaitersPerTokenAndGame, WaitersPerAddress: limits.WaitersPerAddress,
			TokenCacheLifetime: 2 * time.Second, CPUPace: pace,
		},
	}
	w.stores(&deps)
	profiles, err := service.NewProfiles(deps)
	require.NoError(t, err)
	insights, err := service.NewInsights(deps)
	require.NoError(t, err)
	w.games, w.tables, w.duty = service.NewGames(deps), service.NewTables(deps), service.NewDuty(deps)
	made, err := httpapi.New(httpapi.Deps{
		Games: w.games, Tables: w.tables, Profiles: profiles, Insights: insights, Rules: service.NewHouseRules(deps), Admins: w.admins(), Config: w.config, Version: "1.2.3",
		Logger: slog.New(slog.NewJSONHandler(w.log, nil)), Clock: w.db.Clock.Now, Random: rand.Reader, Metrics: w.metrics,
		Ready: func(ctx context.Context) error {
			if w.stopping.Load() {
				return errors.New("the service is stopping")
			}
			return w.db.Store.Ping(ctx)
		},
	})
	require.NoError(t, err)
	w.apart = made.Admin
	return made.Public
}

// onBoth runs a test against a service on each database.
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
