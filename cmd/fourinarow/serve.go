package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/store"
)

// serve runs the service until ctx is done.
func serve(ctx context.Context, p program, cfg config.Config) error {
	logger := newLogger(p.stderr, cfg.Log)
	release, err := store.Exclusive(cfg.Database.URL)
	if err != nil {
		return err
	}
	defer closing(logger, "the lock on the database", release)
	db, err := openStore(ctx, cfg, logger)
	if err != nil {
		return err
	}
	defer closing(logger, "the database", db.Close)
	h, err := build(ctx, cfg, db, logger)
	if err != nil {
		return fmt.Errorf("wire the service: %w", err)
	}
	servers, err := listen(ctx, cfg, h.handler, h.metrics.Handler(), logger)
	if err != nil {
		return err
	}
	working, finish := context.WithCancel(ctx)
	wait := h.work(working)
	announce(p.stdout, logger, cfg, servers.address)
	err = servers.run(ctx, cfg.Server.ShutdownTimeout, h.stop)
	finish()
	wait()
	return err
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
	l.drain(deadline)
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

// drainTime is how long the sockets stay open after the service said that it is not ready: for whoever asks whether it
// is, and for clients that send another request on a connection they keep.
const drainTime = 500 * time.Millisecond

// drain answers on, but keeps no connection, until those in front of the service have had time to notice.
func (l *listeners) drain(ctx context.Context) {
	for _, server := range l.servers {
		server.SetKeepAlivesEnabled(false)
	}
	select {
	case <-ctx.Done():
	case <-time.After(drainTime):
	}
}
