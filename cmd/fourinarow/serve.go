package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/connections"
	"github.com/fourinarow/fourinarow/internal/httpapi"
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
	debug.FreeOSMemory() // reading the contract took five times what is kept of it
	go collectLater(ctx)
	guard, err := clients(cfg, db)
	if err != nil {
		return err
	}
	h.metrics.WatchConnections(guard.Counts)
	servers, err := listen(ctx, cfg, places(cfg, h.api, h.metrics.Handler(), guard), logger)
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

// listeners is the public server and, where they are wanted, those for admins and metrics.
type listeners struct {
	servers []*http.Server
	sockets []net.Listener
	address net.Addr // of the public one
}

// place is an address and what is served there: some of the API, metrics, or both.
type place struct {
	setting      string
	address      config.Address
	api, metrics http.Handler
	guard        *connections.Guard
}

// places returns what is served where: each address once, the public one first, with a guard of its connections.
func places(cfg config.Config, api httpapi.API, metrics http.Handler, public *connections.Guard) []*place {
	all := []*place{{setting: "LISTEN_ADDR", address: cfg.Listen, api: api.Public, metrics: nil, guard: public}}
	if api.Admin != nil {
		all = append(all, &place{setting: "ADMIN_LISTEN_ADDR", address: cfg.Admin, api: api.Admin, metrics: nil, guard: insiders()})
	}
	if cfg.Metrics == "" {
		return all
	}
	for _, p := range all {
		if p.address == cfg.Metrics {
			p.metrics = metrics
			return all
		}
	}
	return append(all, &place{setting: "METRICS_ADDR", address: cfg.Metrics, api: nil, metrics: metrics, guard: insiders()})
}

// handler returns what answers at the place. Beside the API there is no ServeMux: it answers paths like // by itself.
func (p *place) handler() http.Handler {
	switch {
	case p.metrics == nil:
		return p.api
	case p.api == nil:
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", p.metrics)
		return mux
	default:
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/metrics" && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
				p.metrics.ServeHTTP(w, r)
				return
			}
			p.api.ServeHTTP(w, r)
		})
	}
}

// listen opens the sockets, so that a taken address stops the start.
func listen(ctx context.Context, cfg config.Config, all []*place, logger *slog.Logger) (*listeners, error) {
	l := &listeners{servers: nil, sockets: nil, address: nil}
	for _, p := range all {
		if err := l.add(ctx, cfg, p, logger); err != nil {
			for _, socket := range l.sockets {
				err = errors.Join(err, socket.Close())
			}
			return nil, err
		}
		if p.setting == "ADMIN_LISTEN_ADDR" {
			logger.InfoContext(ctx, "admins are served apart", "address", l.sockets[len(l.sockets)-1].Addr().String())
		}
	}
	l.address = l.sockets[0].Addr()
	return l, nil
}

func (l *listeners) add(ctx context.Context, cfg config.Config, p *place, logger *slog.Logger) error {
	var lc net.ListenConfig
	socket, err := lc.Listen(ctx, "tcp", p.address.String())
	if err != nil {
		return fmt.Errorf("%s: %w", p.setting, err)
	}
	l.sockets = append(l.sockets, p.guard.Listener(socket))
	l.servers = append(l.servers, &http.Server{
		Handler: p.handler(), ConnState: p.guard.State,
		ReadHeaderTimeout: cfg.Server.ReadHeaderTimeout, ReadTimeout: cfg.Server.ReadTimeout,
		WriteTimeout: cfg.Server.WriteTimeout, IdleTimeout: cfg.Server.IdleTimeout,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
		DisableGeneralOptionsHandler: true, // OPTIONS * is answered as any path is
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

// drainTime is how long the sockets stay open after the service said that it is not ready: for proxies that ask whether it
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
