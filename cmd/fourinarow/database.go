package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/store"
)

const (
	databasePatience = 30 * time.Second // a database that starts together with the service has so long to come up
	databasePause    = 500 * time.Millisecond
)

// openStore opens the database and brings its schema up to date. It waits for one that does not answer yet.
func openStore(ctx context.Context, cfg config.Config, logger *slog.Logger) (*store.Store, error) {
	ctx, cancel := context.WithTimeout(ctx, databasePatience)
	defer cancel()
	for said := false; ; said = true {
		db, err := tryStore(ctx, cfg, logger)
		if store.Refused(err) {
			return nil, fmt.Errorf("DATABASE_URL: the database %s refuses it: %w", cfg.Database.URL.Redacted(), err)
		}
		if !fault.Is(err, fault.Away) {
			return db, err
		}
		if !said {
			logger.WarnContext(ctx, "waiting for the database", "database", cfg.Database.URL.Redacted(), "at_most_s", databasePatience.Seconds())
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("the database %s does not answer: %w", cfg.Database.URL.Redacted(), err)
		case <-time.After(databasePause):
		}
	}
}

func tryStore(ctx context.Context, cfg config.Config, logger *slog.Logger) (*store.Store, error) {
	db, err := store.Open(ctx, store.Options{
		Database: cfg.Database, Logger: logger, Clock: time.Now, Observe: nil,
		Alone: cfg.Database.URL.Dialect() == config.SQLite, // see store.Exclusive; commands beside `serve` touch no games
	})
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	if err = db.Migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("bring the schema up to date: %w", err), db.Close())
	}
	mend, err := db.Exposed(ctx)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("look who may read the database: %w", err), db.Close())
	}
	if mend != "" {
		logger.WarnContext(ctx, "other users of this machine can read the database's file, and the hashes of tokens in it", "mend", mend)
	}
	return db, nil
}

// migrate brings the schema up to date and stops.
func migrate(ctx context.Context, p program, cfg config.Config) error {
	logger := newLogger(p.stderr, cfg.Log)
	db, err := openStore(ctx, cfg, logger)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "The schema of %s is up to date.\n", cfg.Database.URL.Redacted())
	return db.Close()
}
