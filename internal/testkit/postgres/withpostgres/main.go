//go:build unix

// Command withpostgres runs a command with TEST_DATABASE_URL leading to a PostgreSQL server that lives as long as the
// command: one of its own, unless the variable is set already.
//
//	go run ./internal/testkit/postgres/withpostgres -- go test ./...
//
// It exits with the command's code, 128 + n when signal n ended it, 2 when it was called wrongly and 1 when there is no
// server to be had; then it says what to do.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/fourinarow/fourinarow/internal/testkit/postgres"
)

func main() { os.Exit(run()) }

func run() int {
	durable := flag.Bool("durable", false, "commits wait for the disk, as in production")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: withpostgres [-durable] [--] command [argument...]")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		return 2
	}

	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	runner := postgres.Runner{Environ: os.Environ(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	if *durable {
		runner.Durability = postgres.Durable
	}
	code, err := runner.Run(signals, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "withpostgres:", err)
		return max(code, 1)
	}
	return code
}
