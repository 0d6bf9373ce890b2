package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
)

func main() { os.Exit(exit()) }

func exit() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "filldata:", err)
		return 1
	}
	return 0
}

// run fills both databases at the same time, since most of it is waiting.
func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("filldata", flag.ContinueOnError)
	service := flags.String("service", "bin/fourinarow", "the `program` whose databases are kept")
	out := flags.String("out", "", "the `folder` to make")
	server := flags.String("postgres", os.Getenv("TEST_DATABASE_URL"), "the `URL` of a PostgreSQL server that may be filled")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *out == "" || *server == "" || flags.NArg() > 0 {
		return errors.New("-out and a PostgreSQL server are needed; -help tells more")
	}
	program, err := filepath.Abs(*service)
	if err != nil {
		return err
	}
	if err = os.MkdirAll(*out, 0o755); err != nil { //nolint:gosec // it is published
		return err
	}
	var (
		both   sync.WaitGroup
		failed [2]error
	)
	both.Go(func() { failed[0] = keepSQLite(ctx, program, *out) })
	both.Go(func() { failed[1] = keepPostgres(ctx, program, *server, *out) })
	both.Wait()
	return errors.Join(failed[:]...)
}
