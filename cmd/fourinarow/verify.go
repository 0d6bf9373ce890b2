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

var (
	errDiffers = errors.New("what is stored doesn't follow from the moves")
	errUnread  = errors.New("the database could not be read whole; the lines that begin with \"not read\" say where")
)

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
	r := report{p: p, differences: 0, unread: 0, said: time.Now()}
	seen, err := service.NewVerifier(db, r.differs, r.notRead, r.progress).Run(ctx)
	if err != nil {
		return err
	}
	return r.sum(seen)
}

// report is what verify has found so far.
type report struct {
	p                   program
	differences, unread int
	said                time.Time // how far it is
}

func (r *report) differs(d service.Difference) {
	r.differences++
	fmt.Fprintln(r.p.stdout, d)
}

func (r *report) notRead(what string) {
	r.unread++
	fmt.Fprintln(r.p.stdout, "not read: "+what)
}

func (r *report) progress(far service.Verified) {
	if time.Since(r.said) >= saidEvery {
		r.said = time.Now()
		fmt.Fprintf(r.p.stderr, "%d games and %d players so far, %d differences\n", far.Games, far.Players, r.differences)
	}
}

// sum says what was found in all.
func (r *report) sum(seen service.Verified) error {
	found := fmt.Sprintf("%d games and %d players verified", seen.Games, seen.Players)
	switch {
	case r.unread > 0:
		return fmt.Errorf("%s: %d differences: %w", found, r.differences, errUnread)
	case r.differences > 0:
		return fmt.Errorf("%s: %d differences: %w", found, r.differences, errDiffers)
	default:
		fmt.Fprintln(r.p.stdout, found+": no difference")
		return nil
	}
}
