package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// The measurements, by their names.
const (
	movesPostgres = "moves postgres"
	movesNarrow   = "moves pgbench"
	movesFull     = "moves sqlite full"
	movesNormal   = "moves sqlite normal"
	emptySQLite   = "polls 304 sqlite"
	emptyPostgres = "polls 304 postgres"
	emptyBare     = "polls 304 bare"
	wholeSQLite   = "polls 200 sqlite"
	wholePostgres = "polls 200 postgres"
	wholeBare     = "polls 200 bare"
	emptyGuarded  = "polls 304 guarded"
	wholeGuarded  = "polls 200 guarded"
)

// A bench is the programs that are measured and what was found.
type bench struct {
	settings
	directory              string
	db                     *database
	full, normal, postgres *running
	guarded                *running    // with compression and limits
	bare                   [2]*running // by kind
	requests               [2][]byte   // that a bare handler is asked
	bytes                  [2]int      // of an answer
	closers                []func() error
	samples                map[string][]sample
	fsync                  []time.Duration
}

// open starts everything. What it has started before an error, close stops.
func (b *bench) open(ctx context.Context) (err error) {
	b.samples = map[string][]sample{}
	server := os.Getenv("TEST_DATABASE_URL")
	if server == "" {
		return errors.New("TEST_DATABASE_URL is missing: make bench starts a server")
	}
	if b.db, err = newDatabase(ctx, server); err != nil {
		return fmt.Errorf("make a database: %w", err)
	}
	b.closers = append(b.closers, b.db.drop)
	for _, s := range []struct {
		into                  **running
		database, synchronous string
		others                []string
	}{
		{&b.full, "sqlite://" + filepath.Join(b.directory, "full.db"), "full", unguarded},
		{&b.normal, "sqlite://" + filepath.Join(b.directory, "normal.db"), "normal", unguarded},
		{&b.guarded, "sqlite://" + filepath.Join(b.directory, "guarded.db"), "full", guarded},
		{&b.postgres, b.db.url.String(), "full", unguarded},
	} {
		if *s.into, err = startService(ctx, b.binary, s.database, s.synchronous, s.others); err != nil {
			return err
		}
		b.closers = append(b.closers, (*s.into).stop)
	}
	for _, k := range []kind{notModified, wholeGame} {
		if err = b.openBare(ctx, k); err != nil {
			return err
		}
	}
	return nil
}

// openBare starts a bare handler that answers as many bytes as the service.
func (b *bench) openBare(ctx context.Context, k kind) error {
	like, request, err := onePoll(k, b.full.address)
	if err != nil {
		return err
	}
	b.requests[k], b.bytes[k] = request, like.head+len(like.body)
	if b.bare[k], err = startBare(ctx, k, like, request); err != nil {
		return err
	}
	b.closers = append(b.closers, b.bare[k].stop)
	return nil
}

// onePoll returns an unchanged poll and its answer.
func onePoll(k kind, address string) (a answer, request []byte, err error) {
	p, err := newPair(address, longGames(1))
	if err != nil {
		return a, nil, err
	}
	defer func() { err = errors.Join(err, p.end()) }()
	for p.ply < pollPly {
		if _, err = p.step(); err != nil {
			return a, nil, err
		}
	}
	poll, err := newPoller(k, p.guests[0], p.game)
	if err != nil {
		return a, nil, err
	}
	a, err = poll.expect(k.status(), poll.request)
	a.body = bytes.Clone(a.body)
	return a, poll.request, err
}

// close stops everything, what was started last first.
func (b *bench) close() error {
	var errs []error
	for _, stop := range slices.Backward(b.closers) {
		errs = append(errs, stop())
	}
	return errors.Join(errs...)
}

// A measurement has a name that is one of the constants.
type measurement struct {
	name string
	take func(context.Context) (sample, error)
}

func (b *bench) measurements() []measurement {
	pairs := func(r *running, m meter) func(context.Context) (sample, error) {
		return func(ctx context.Context) (sample, error) {
			c, err := newPairs(r.address, b.clients)
			return b.crewed(ctx, c, err, m)
		}
	}
	polls := func(k kind, r *running, m meter) func(context.Context) (sample, error) {
		return func(ctx context.Context) (sample, error) {
			c, err := newPollers(k, r.address, b.clients)
			return b.crewed(ctx, c, err, m)
		}
	}
	bare := func(k kind) func(context.Context) (sample, error) {
		return func(ctx context.Context) (sample, error) {
			c, err := newBarePollers(b.requests[k], k, b.bare[k].address, b.clients)
			return b.crewed(ctx, c, err, meter{service: b.bare[k].processorTime, database: nil, counts: nil})
		}
	}
	alone := func(r *running) meter {
		return meter{service: r.processorTime, database: nil, counts: r.counts}
	}
	replica := alone(b.postgres)
	replica.database = b.db.processorTime
	return []measurement{
		{movesPostgres, pairs(b.postgres, replica)},
		{movesNarrow, func(ctx context.Context) (sample, error) { return b.db.pgbench(ctx, b.directory, b.clients, b.lasting) }},
		{movesFull, pairs(b.full, alone(b.full))},
		{movesNormal, pairs(b.normal, alone(b.normal))},
		{emptySQLite, polls(notModified, b.full, alone(b.full))},
		{emptyBare, bare(notModified)},
		{emptyPostgres, polls(notModified, b.postgres, replica)},
		{wholeSQLite, polls(wholeGame, b.full, alone(b.full))},
		{wholeBare, bare(wholeGame)},
		{wholePostgres, polls(wholeGame, b.postgres, replica)},
		{emptyGuarded, polls(notModified, b.guarded, alone(b.guarded))},
		{wholeGuarded, polls(wholeGame, b.guarded, alone(b.guarded))},
	}
}

// crewed measures what a crew does, unless it didn't come together.
func (b *bench) crewed(ctx context.Context, c crew, err error, m meter) (sample, error) {
	if err != nil {
		return sample{}, errors.Join(err, c.end())
	}
	return measure(ctx, c, m, b.lasting)
}

// rounds takes all measurements again and again.
func (b *bench) rounds(ctx context.Context, progress io.Writer) error {
	all := slices.DeleteFunc(b.measurements(), func(m measurement) bool { return !b.only.MatchString(m.name) })
	for range b.settings.rounds {
		for _, m := range all {
			s, err := m.take(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			b.samples[m.name] = append(b.samples[m.name], s)
			fmt.Fprintf(progress, "%-20s %8.0f/s; service %v, database %v, client %v; %.0f allocations; %.1f writes a commit\n",
				m.name, s.perSecond, s.service, s.database, s.client, s.allocations, s.batch)
		}
		took, err := fsyncTime(b.directory)
		if err != nil {
			return fmt.Errorf("measure the disk: %w", err)
		}
		b.fsync = append(b.fsync, took)
		fmt.Fprintf(progress, "fsync %v\n", took)
		slices.Reverse(all)
	}
	return nil
}
