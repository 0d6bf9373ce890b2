package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// A database is one of ours on a PostgreSQL server of this machine.
type database struct {
	admin, db  *sql.DB
	name       string
	url        *url.URL
	postmaster int // process id
}

// newDatabase makes an empty database on the server that the URL leads to.
func newDatabase(ctx context.Context, server string) (*database, error) {
	parsed, err := url.Parse(server)
	if err != nil {
		return nil, errors.New("TEST_DATABASE_URL isn't a URL")
	}
	d := &database{admin: nil, db: nil, name: fmt.Sprintf("bench_%d", os.Getpid()), url: parsed, postmaster: 0}
	if d.admin, err = sql.Open("pgx", server); err != nil {
		return nil, err
	}
	parsed.Path = "/" + d.name
	if _, err = d.admin.ExecContext(ctx, "CREATE DATABASE "+d.name); err != nil {
		return nil, errors.Join(err, d.admin.Close())
	}
	if d.db, err = sql.Open("pgx", parsed.String()); err != nil {
		return nil, errors.Join(err, d.drop())
	}
	var backend int
	err = d.db.QueryRowContext(ctx, "SELECT pg_backend_pid()").Scan(&backend)
	if err == nil {
		var s stat
		s, err = readStat(strconv.Itoa(backend))
		d.postmaster = s.parent
	}
	if err != nil {
		return nil, errors.Join(err, d.drop())
	}
	return d, nil
}

func (d *database) drop() error {
	var closed error
	if d.db != nil {
		closed = d.db.Close()
	}
	_, dropped := d.admin.ExecContext(context.Background(), "DROP DATABASE "+d.name+" WITH (FORCE)")
	return errors.Join(closed, dropped, d.admin.Close())
}

// processorTime is what all processes of the server have used.
func (d *database) processorTime() (time.Duration, error) {
	f, err := readFamily(d.postmaster)
	return f.time, err
}

// The floor of a move: one guarded UPDATE of a row of five columns. Each client plays games of 40 moves in 1,000 rows of
// its own, one after the other.
const narrowTable = `
DROP TABLE IF EXISTS narrow;
CREATE TABLE narrow (
    id bigint PRIMARY KEY, ply int NOT NULL, moves text NOT NULL, version bigint NOT NULL, stamp bigint NOT NULL
);
INSERT INTO narrow SELECT n, 0, '', 0, 0 FROM generate_series(0, $1 * 1000 - 1) n;`

const narrowMove = `\set row :client_id * 1000 + (:turn / 40) % 1000
\set ply :turn % 40
UPDATE narrow SET ply = (ply + 1) % 40, moves = left(moves, :ply) || '4', version = version + 1, stamp = :turn
    WHERE id = :row AND ply = :ply;
\set turn :turn + 1
`

var (
	tps       = regexp.MustCompile(`(?m)^tps = ([0-9.]+)`)
	processed = regexp.MustCompile(`(?m)^number of transactions actually processed: ([0-9]+)`)
)

// pgbench measures the guarded UPDATE with as many clients as there are pairs.
func (d *database) pgbench(ctx context.Context, directory string, clients int, lasting time.Duration) (s sample, err error) {
	statements := regexp.MustCompile(`\$1`).ReplaceAllString(narrowTable, strconv.Itoa(clients))
	if _, err = d.db.ExecContext(ctx, statements); err != nil {
		return s, fmt.Errorf("make pgbench's table: %w", err)
	}
	script := filepath.Join(directory, "narrow.sql")
	if err = os.WriteFile(script, []byte(narrowMove), 0o600); err != nil {
		return s, err
	}
	password, _ := d.url.User.Password()
	cmd := exec.CommandContext(ctx, pgbenchProgram(), //nolint:gosec // our own arguments
		"-n", "-M", "prepared", "-c", strconv.Itoa(clients), "-j", "2", "-D", "turn=0", "-f", script,
		"-T", strconv.Itoa(int(lasting.Seconds())),
		"-h", d.url.Hostname(), "-p", d.url.Port(), "-U", d.url.User.Username(), d.name)
	cmd.Env = append(os.Environ(), "PGPASSWORD="+password, "PGOPTIONS=-c synchronous_commit=on")
	before, err := readFamily(d.postmaster)
	if err != nil {
		return s, err
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return s, fmt.Errorf("pgbench: %w\n%s", err, out)
	}
	after, err := d.settled(ctx, before.children)
	if err != nil {
		return s, err
	}
	rate, transactions := tps.FindSubmatch(out), processed.FindSubmatch(out)
	if rate == nil || transactions == nil {
		return s, fmt.Errorf("pgbench said something else:\n%s", out)
	}
	s.perSecond, err = strconv.ParseFloat(string(rate[1]), 64)
	updates := number(transactions[1])
	each := time.Duration(max(updates, 1))
	s.database = (after.time - before.time) / each
	s.client = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()) / each
	return s, errors.Join(err, d.allHeld(ctx, updates))
}

// settled reads the server's processes when no more of them live than before: the time of one that ends is its
// parent's only a little later. A server that has begun something else meanwhile is read after a second.
func (d *database) settled(ctx context.Context, children int) (f family, err error) {
	for range 50 {
		if err = pause(ctx, time.Second/50); err != nil {
			return f, err
		}
		if f, err = readFamily(d.postmaster); err != nil || f.children <= children {
			return f, err
		}
	}
	return f, nil
}

// allHeld fails when an UPDATE of pgbench didn't find its row, and so was cheaper than a move.
func (d *database) allHeld(ctx context.Context, updates int) error {
	var held int
	if err := d.db.QueryRowContext(ctx, "SELECT sum(version) FROM narrow").Scan(&held); err != nil {
		return err
	}
	if held < updates {
		return fmt.Errorf("of %d guarded UPDATEs %d held", updates, held)
	}
	return nil
}

// pgbenchProgram is that of the newest server that Debian has installed, not Debian's wrapper of it, or else the one on PATH.
func pgbenchProgram() string {
	newest, version := "pgbench", 0
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/pgbench")
	if err != nil {
		return newest
	}
	for _, path := range found {
		if v := number([]byte(filepath.Base(filepath.Dir(filepath.Dir(path))))); v > version {
			newest, version = path, v
		}
	}
	return newest
}
