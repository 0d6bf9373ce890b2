package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/httpapi"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/solver"
	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/worker"
)

// tokenLifetime is how long a token that was right is taken as right without asking the database: the longest a
// revoked one still works.
const tokenLifetime = 2 * time.Second

// house is the rooms wired together.
type house struct {
	cfg      config.Config
	db       *store.Store
	clock    *clock
	hub      *live.Hub
	metrics  *httpapi.Metrics
	worker   *worker.Worker
	uptime   *service.Uptime
	api      httpapi.API
	logger   *slog.Logger
	stopping atomic.Bool
}

// build wires the rooms and touches the heartbeat, so that no game is judged before an outage is known.
func build(ctx context.Context, cfg config.Config, db *store.Store, logger *slog.Logger) (*house, error) {
	h := &house{cfg: cfg, db: db, clock: &clock{}, logger: logger}
	h.hub = live.NewHub(cfg.Limits.WaitersTotal, waiterLimits(cfg.Limits), h.clock.now)
	ahead, err := h.measure(ctx)
	if err != nil {
		return nil, fmt.Errorf("ask the database for the time: %w", err)
	}
	h.clock.ahead.Store(int64(ahead))
	h.metrics = httpapi.NewMetrics(h.hub.Waiting, db.Pools(), db.Commits)
	book, err := solver.EmbeddedBook()
	if err != nil {
		return nil, fmt.Errorf("unpack the opening book: %w", err)
	}
	parts, err := h.wire(book)
	if err != nil {
		return nil, err
	}
	h.uptime = parts.Uptime
	if err = errors.Join(parts.Uptime.Beat(ctx), parts.Catalogue.Start(ctx)); err != nil {
		return nil, err
	}
	h.worker = worker.New(worker.Deps{
		Duties: worker.DutiesOf(parts), Hub: h.hub, Replicas: cfg.Database.URL.Dialect() == config.Postgres,
		Thinkers: cfg.CPU.Thinkers, Clock: h.clock.now, Observe: h.metrics, Logger: logger,
	})
	h.api, err = httpapi.New(httpapi.Deps{
		Service: parts, Config: cfg, Version: buildVersion(), Logger: logger, Clock: h.clock.now, Random: rand.Reader,
		Metrics: h.metrics, Ready: h.ready,
	})
	return h, err
}

// wire makes the service.
func (h *house) wire(book *solver.Book) (service.Parts, error) {
	thinkers := solver.NewPool(h.cfg.CPU.Thinkers, solver.Options{Book: book})
	return service.Wire(service.Outside{
		Stores: service.StoresOf(h.db), Waiters: h.hub, Chooser: cpu.New(thinkers),
		Readers: solver.NewPool(1, solver.Options{Book: book, Behind: thinkers}), Clock: h.clock.now, Random: rand.Reader,
		Settings: serviceSettings(h.cfg), Observe: h.metrics, Due: func(at time.Time) { h.worker.Due(at) },
	})
}

// serviceSettings returns what the configuration says to the service.
func serviceSettings(cfg config.Config) service.Settings {
	return service.Settings{
		PublicURL: cfg.PublicURL.String(), OpenTables: cfg.Limits.OpenTablesPerProfile,
		WaitAtMost: time.Duration(cfg.Limits.WaitMaxSeconds) * time.Second, TokenCacheLifetime: tokenLifetime, CPUPace: cfg.CPU.Pace, PresenceLag: presenceLag(cfg),
	}
}

// waiterLimits returns what the configuration says to the hub.
func waiterLimits(l config.Limits) live.Limits {
	return live.Limits{
		Device: l.WaitersPerTokenAndGame, Profile: l.WaitersPerProfile, Address: l.WaitersWithTokenPerAddress, Strangers: l.WaitersPerAddress,
	}
}

// presenceLag returns how long it takes a replica to store whom it has seen: a round of the worker and a little.
func presenceLag(cfg config.Config) time.Duration {
	if cfg.Database.URL.Dialect() == config.SQLite {
		return 0
	}
	return 1500 * time.Millisecond
}

// ready returns why the service cannot work, or nil.
func (h *house) ready() error {
	if h.stopping.Load() {
		return errors.New("the service is stopping")
	}
	return h.uptime.Ready()
}

// measure returns how far the database's clock is ahead of the process's.
func (h *house) measure(ctx context.Context) (time.Duration, error) {
	return h.db.ClockOffset(ctx, h.cfg.Database.URL, time.Now)
}

// workersPatience is how long the workers may take to stop; a write to a database that hangs would take longer, and
// what it was about is found again by whoever works next.
const workersPatience = 700 * time.Millisecond

// work does what falls due by itself until ctx is done; the returned function waits for its end, but not for long.
func (h *house) work(ctx context.Context) (wait func()) {
	var all sync.WaitGroup
	all.Go(func() { h.worker.Run(ctx) })
	all.Go(func() {
		h.clock.follow(ctx, h.measure, func(err error) { h.logger.WarnContext(ctx, "could not compare clocks", "error", err) })
	})
	done := make(chan struct{})
	go func() {
		all.Wait()
		close(done)
	}()
	return func() {
		select {
		case <-done:
		case <-time.After(workersPatience):
			h.logger.WarnContext(ctx, "the workers did not stop in time")
		}
	}
}

// stop answers waiting requests and makes the service not ready.
func (h *house) stop() {
	h.stopping.Store(true)
	h.hub.Stop()
}
