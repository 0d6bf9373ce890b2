package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/httpapi"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/service"
)

// tokenLifetime is how long a token that was right is taken as right without asking the database: the longest a
// revoked one still works.
const tokenLifetime = 2 * time.Second

// serve runs the service until ctx is done.
func serve(ctx context.Context, p program, cfg config.Config) error {
	logger := newLogger(p.stderr, cfg.Log)
	db, err := openStore(ctx, cfg, logger)
	if err != nil {
		return err
	}
	defer closing(logger, "the database", db.Close)

	hub := live.NewHub(cfg.Limits.WaitersTotal)
	metrics := httpapi.NewMetrics(hub.Waiting, db.Stats)
	deps := service.Deps{
		Profiles: db, Tables: db, Games: db, Waiters: hub, Rules: houserule.Standard(),
		Clock: time.Now, Random: rand.Reader, Settings: serviceSettings(cfg), Observe: metrics,
	}
	profiles, err := service.NewProfiles(deps)
	if err != nil {
		return fmt.Errorf("wire the service: %w", err)
	}
	var stopping atomic.Bool
	handler, err := httpapi.New(httpapi.Deps{
		Profiles: profiles, Tables: service.NewTables(deps), Games: service.NewGames(deps),
		Config: cfg, Version: buildVersion(), Logger: logger, Clock: time.Now, Random: rand.Reader, Metrics: metrics,
		Ready: func(ctx context.Context) error {
			if stopping.Load() {
				return errors.New("the service is stopping")
			}
			return db.Ping(ctx)
		},
	})
	if err != nil {
		return fmt.Errorf("wire the service: %w", err)
	}
	servers, err := listen(ctx, cfg, handler, metrics.Handler(), logger)
	if err != nil {
		return err
	}
	announce(p.stdout, logger, cfg, servers.address)
	return servers.run(ctx, cfg.Server.ShutdownTimeout, func() {
		stopping.Store(true)
		hub.Stop()
	})
}

// serviceSettings returns what the configuration says to the service.
func serviceSettings(cfg config.Config) service.Settings {
	return service.Settings{
		PublicURL: cfg.PublicURL.String(), OpenTables: cfg.Limits.OpenTablesPerProfile,
		WaitAtMost:     time.Duration(cfg.Limits.WaitMaxSeconds) * time.Second,
		WaitersPerGame: cfg.Limits.WaitersPerTokenAndGame, WaitersPerAddress: cfg.Limits.WaitersPerAddress,
		TokenCacheLifetime: tokenLifetime,
	}
}

// announce says in one line where the service is, where its games are and where to read on.
func announce(w io.Writer, logger *slog.Logger, cfg config.Config, address net.Addr) {
	base := "http://" + config.Address(address.String()).Reachable()
	if cfg.Log.Format == config.LogJSON {
		logger.Info("ready", "address", base, "database", cfg.Database.URL.Redacted(), "documentation", base+"/docs")
		return
	}
	fmt.Fprintf(w, "Four in a Row is ready at %s (games in %s, documentation at %s/docs)\n", base, cfg.Database.URL.Redacted(), base)
}

// listeners is the public server and, where it is wanted, the one for metrics.
type listeners struct {
	servers []*http.Server
	sockets []net.Listener
	address net.Addr // of the public one
}

// listen opens the sockets, so that a taken address stops the start.
func listen(ctx context.Context, cfg config.Config, public, metrics http.Handler, logger *slog.Logger) (*listeners, error) {
	l := &listeners{servers: nil, sockets: nil, address: nil}
	if cfg.Metrics != "" && cfg.Metrics == cfg.Listen {
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", metrics)
		mux.Handle("/", public)
		public = mux
	}
	if err := l.add(ctx, cfg, "LISTEN_ADDR", cfg.Listen, public, logger); err != nil {
		return nil, err
	}
	l.address = l.sockets[0].Addr()
	if cfg.Metrics != "" && cfg.Metrics != cfg.Listen {
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", metrics)
		if err := l.add(ctx, cfg, "METRICS_ADDR", cfg.Metrics, mux, logger); err != nil {
			return nil, errors.Join(err, l.sockets[0].Close())
		}
	}
	return l, nil
}

func (l *listeners) add(ctx context.Context, cfg config.Config, name string, at config.Address, h http.Handler, logger *slog.Logger) error {
	var lc net.ListenConfig
	socket, err := lc.Listen(ctx, "tcp", at.String())
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	l.sockets = append(l.sockets, socket)
	l.servers = append(l.servers, &http.Server{
		Handler:           h,
		ReadHeaderTimeout: cfg.Server.ReadHeaderTimeout, ReadTimeout: cfg.Server.ReadTimeout,
		WriteTimeout: cfg.Server.WriteTimeout, IdleTimeout: cfg.Server.IdleTimeout,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	})
	return nil
}

// run serves until ctx is done, then stops: first it tells everybody by stop, then it lets running requests finish
// for as long as patience lasts.
func (l *listeners) run(ctx context.Context, patience time.Duration, stop func()) error {
	failed := make(chan error, len(l.servers))
	for i, server := range l.servers {
		go func() { failed <- server.Serve(l.sockets[i]) }()
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
		err = fmt.Errorf("serve: %w", err)
	}
	stop()
	deadline, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	for _, server := range l.servers {
		if shutdown := server.Shutdown(deadline); errors.Is(shutdown, context.DeadlineExceeded) {
			shutdown = server.Close()
			err = errors.Join(err, shutdown)
		} else {
			err = errors.Join(err, shutdown)
		}
	}
	return err
}
