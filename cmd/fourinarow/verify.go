package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/store"
)

// saidEvery is how often verify says how far it is.
const saidEvery = 5 * time.Second

// errDiffers says that something stored doesn't follow from the moves.
var errDiffers = errors.New("what is stored doesn't follow from the moves")

// verify runs the command and returns its exit code, which tells a database with differences from one that it couldn't
// look at.
func (p program) verify(ctx context.Context) int {
	differs := false
	code := p.configured(ctx, func(ctx context.Context, p program, cfg config.Config) error {
		err := verify(ctx, p, cfg)
		differs = errors.Is(err, errDiffers)
		return err
	})
	switch {
	case code == exitOK:
		return exitOK
	case differs:
		return exitDiffers
	default:
		return exitUnknown
	}
}

// verify recomputes what is stored and prints what differs, one line each. It changes nothing and may run beside a
// service, of which it sees one moment.
func verify(ctx context.Context, p program, cfg config.Config) (err error) {
	db, err := store.Open(ctx, store.Options{
		Database: cfg.Database, Logger: newLogger(p.stderr, cfg.Log), Clock: time.Now, Observe: nil, ReadOnly: true,
	})
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer func() { err = joinClose(err, db) }()
	if err = db.CheckSchema(ctx); err != nil {
		return err
	}
	differences, said := 0, time.Now()
	seen, err := service.NewVerifier(db, func(d service.Difference) {
		differences++
		fmt.Fprintln(p.stdout, d)
	}, func(far service.Verified) {
		if time.Since(said) >= saidEvery {
			said = time.Now()
			fmt.Fprintf(p.stderr, "%d games and %d players so far, %d differences\n", far.Games, far.Players, differences)
		}
	}).Run(ctx)
	if err != nil {
		return err
	}
	if differences > 0 {
		return fmt.Errorf("%d games and %d players verified: %d differences: %w", seen.Games, seen.Players, differences, errDiffers)
	}
	fmt.Fprintf(p.stdout, "%d games and %d players verified: no difference\n", seen.Games, seen.Players)
	return nil
}
