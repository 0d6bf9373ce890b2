package store

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite"

	"github.com/fourinarow/fourinarow/internal/config"
)

const (
	connectTimeout = 5 * time.Second
	idleTime       = 5 * time.Minute // an unused connection is closed after it
	lifetime       = time.Hour       // any is: so that load finds its way to a new replica of the database
)

func openPostgres(c config.Database, readOnly bool) (pools, error) {
	usual, err := pgx.ParseConfig(c.URL.DSN())
	if err != nil {
		// The driver's own words may hold the password.
		return pools{}, errors.New("the driver can't read the URL, or a file that it or the environment names (sslmode, sslrootcert, service, passfile)")
	}
	usual.ConnectTimeout = connectTimeout
	usual.RuntimeParams["timezone"] = "UTC"
	for name, value := range map[string]string{
		"application_name":                    "fourinarow",
		"statement_timeout":                   "5s",
		"lock_timeout":                        "3s",
		"idle_in_transaction_session_timeout": "10s",
	} {
		if _, given := usual.RuntimeParams[name]; !given {
			usual.RuntimeParams[name] = value
		}
	}
	if readOnly {
		usual.RuntimeParams["default_transaction_read_only"] = "on"
	}
	patient := usual.Copy() // a migration may take its time
	delete(patient.RuntimeParams, "statement_timeout")
	delete(patient.RuntimeParams, "idle_in_transaction_session_timeout")

	updates := usual.Copy()
	maps.Copy(updates.RuntimeParams, updatesParams)

	db := sized(stdlib.OpenDB(*usual), c.Connections)
	db.SetConnMaxIdleTime(idleTime)
	db.SetConnMaxLifetime(lifetime)
	exports := sized(stdlib.OpenDB(*usual), 1)
	exports.SetConnMaxIdleTime(idleTime)
	return pools{
		reader: db, writer: db, exports: exports, feed: sized(stdlib.OpenDB(*usual), 1), updates: sized(stdlib.OpenDB(*updates), 1),
		migrator: stdlib.GetConnector(*patient),
	}, nil
}

// updatesParams are those of the connection of shared updates. One that has to wait for its row is sent another way. Rows are
// looked up by their keys, whatever the planner thinks of a small table, and nothing is planned twice.
var updatesParams = map[string]string{
	"lock_timeout":     "100ms",
	"enable_hashjoin":  "off",
	"enable_mergejoin": "off",
	"enable_seqscan":   "off",
	"plan_cache_mode":  "force_generic_plan",
}

func sized(db *sql.DB, connections int) *sql.DB {
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db
}

// busyTimeout is how long SQLite waits for a lock that another process holds.
const busyTimeout = 5 * time.Second

// openSQLite makes two pools on one file: SQLite has one writer at a time, and within a process nobody waits for its lock
// when there is one connection to write by.
func openSQLite(c config.Database, readOnly bool, writeTimeout time.Duration, logger *slog.Logger) (pools, error) {
	path, err := filepath.Abs(c.URL.Path())
	if err != nil {
		return pools{}, fmt.Errorf("find the file: %w", err)
	}
	if readOnly {
		_, err = os.Stat(path)
	} else {
		err = createPrivately(path)
	}
	if err != nil {
		return pools{}, err
	}
	on, err := findFile(path, logger)
	if err != nil {
		return pools{}, err
	}
	pragmas := url.Values{
		"_busy_timeout": {milliseconds(busyTimeout)},
		"_journal_mode": {"WAL"},
		"_synchronous":  {string(c.SQLiteSynchronous)},
		"_foreign_keys": {"on"},
		"_pragma":       {"secure_delete(on)"}, // what was deleted is overwritten
		"_dqs":          {"0"},                 // "x" is never text
		"_error_rc":     {"1"},                 // errors tell what they are about
	}
	connector := func(settings ...string) (driver.Connector, error) {
		own := maps.Clone(pragmas)
		for i := 0; i < len(settings); i += 2 {
			own.Set(settings[i], settings[i+1])
		}
		usual, err := sqlite.NewConnector(path + "?" + own.Encode())
		if err != nil {
			return nil, fmt.Errorf("set connections up: %w", err)
		}
		return unmovedConnector{usual, on}, nil
	}
	reading, err := connector("_query_only", "on")
	if err != nil {
		return pools{}, err
	}
	// Nothing but its timeout ends a wait for another process that writes.
	writing, err := connector("_busy_timeout", milliseconds(max(time.Millisecond, min(busyTimeout, writeTimeout))))
	if err != nil {
		return pools{}, err
	}
	p := pools{file: on}
	if p.first, err = sqlite.NewConnector(path + "?" + url.Values{
		"_busy_timeout": {milliseconds(busyTimeout)}, "_query_only": {"on"}, "_error_rc": {"1"},
	}.Encode()); err != nil {
		return pools{}, fmt.Errorf("set connections up: %w", err)
	}
	if p.migrator, err = connector("_txlock", "immediate", "_foreign_keys", "off"); err != nil {
		return pools{}, err
	}
	p.reader, p.exports = sized(sql.OpenDB(reading), c.Connections), sized(sql.OpenDB(reading), 1)
	if p.writer = p.reader; !readOnly {
		p.writer, p.keeper = sized(sql.OpenDB(writing), 1), sized(sql.OpenDB(reading), 1)
	}
	return p, nil
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// createPrivately makes a file that only its owner can read, unless there is one. SQLite gives the files beside it the
// same mode. A file that is there is not opened (Exclusive says why), and a new one no connection has open yet.
func createPrivately(path string) error {
	directory := filepath.Dir(path)
	if info, err := os.Stat(directory); err != nil || !info.IsDir() {
		return fmt.Errorf("there is no directory %s for the database's file: make it, or change DATABASE_URL", directory)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the operator names it
	switch {
	case errors.Is(err, fs.ErrExist):
		err = writable(path)
	case err == nil:
		err = file.Close()
	}
	if err != nil {
		return fmt.Errorf("make the database's file: %w", err)
	}
	return nil
}
