package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	libtnb "github.com/libtnb/sqlite"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/fourinarow/fourinarow/internal/config"
)

// dialect is what differs between the databases.
type dialect struct {
	goose     goose.Dialect
	folder    string // of package migrations
	migrating func(*file) ([]goose.ProviderOption, error)
	orm       func(gorm.ConnPool) gorm.Dialector
	prepares  bool           // statements have to be prepared here: the driver doesn't by itself
	lockRow   string         // ends a SELECT that keeps its row from others who lock it, until the transaction ends
	lockFree  string         // the same, but passes over a row that somebody else has locked
	patient   string         // a statement that lets the others of its transaction take up to a minute; empty: they may
	unhurried string         // a statement that lets the others of its transaction take as long as they take
	damage    string         // a SELECT of what the database finds wrong with its files, as damage; empty: it has no such check
	dangling  string         // a SELECT of the rows that refer to none, as child, row and parent; empty: it refuses them
	content   string         // a SELECT of the names of all tables and views that aren't the database's own
	schema    string         // a SELECT of everything that migrations make, as line
	tables    string         // a SELECT of the names of all tables that outlive a crash, as name
	snapshot  *sql.TxOptions // of a transaction that reads one state of everything
	serial    string         // a statement that lets those wait who send it with the same text, until the transaction ends
	latest    string         // the function that returns the greatest of its arguments
	host      string         // joins what is known of the presence of a table's host, as p1, by a look-up for each table that is read
	batch     func([]column) string
	packed    func([]column, [][]any) ([]any, error) // makes its arguments
	ids       string                                 // what a FROM reads ids by, as v
	array     func([]string) string                  // makes the argument
	claim     func(context.Context, *Store, claim) ([]timerRow, error)
	tidy      func(context.Context, *Store) error // leaves nothing in the database's files of what was deleted

	serialization  func(error) bool // the database broke it off because of others; again it may succeed
	stale          func(error) bool // the statement was prepared before the schema changed; it isn't any more
	away           func(error) bool // the database says that it can't now
	outcomeUnknown func(error) bool // about a commit: it was sent, and no answer came
	malformed      func(error) bool // an id that is none
	damaged        func(error) bool // the database found its files malformed, and may lose what is written to them
	noTable        func(error) bool // a table that there isn't
}

func openDialect(o Options, writeTimeout time.Duration) (dialect, pools, error) {
	switch o.Database.URL.Dialect() {
	case config.Postgres:
		p, err := openPostgres(o.Database, o.ReadOnly)
		return postgresDialect(), p, err
	case config.SQLite:
		p, err := openSQLite(o.Database, o.ReadOnly, writeTimeout, o.Logger)
		return sqliteDialect(), p, err
	default:
		return dialect{}, pools{}, fmt.Errorf("there is no dialect %q", o.Database.URL.Dialect())
	}
}

func postgresDialect() dialect {
	return dialect{
		goose: goose.DialectPostgres, folder: "postgres", migrating: postgresMigrating,
		orm: func(c gorm.ConnPool) gorm.Dialector {
			return postgres.New(postgres.Config{Conn: c})
		},
		prepares:  false,
		lockRow:   " FOR NO KEY UPDATE", // lets others refer to the row
		lockFree:  " FOR NO KEY UPDATE SKIP LOCKED",
		patient:   "SET LOCAL statement_timeout = '60s'",
		unhurried: "SET LOCAL statement_timeout = 0", damage: "", dangling: "", content: postgresContent, tables: postgresTables, schema: postgresSchema,
		snapshot: &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true},
		serial:   "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))",
		host: `LEFT JOIN LATERAL (SELECT last_seen, said_away FROM seat_presence WHERE table_id = t.id AND seat = 1
LIMIT 1) p1 ON TRUE`, // the limit keeps the planner from reading all of it instead
		latest: "greatest", batch: postgresBatch, packed: postgresPacked, ids: postgresIDs, array: postgresArray, claim: claimSkipping, tidy: tidyNothing,
		serialization:  func(err error) bool { return hasState(err, "40001", "40P01") },
		stale:          postgresStale,
		away:           postgresAway,
		outcomeUnknown: postgresOutcomeUnknown,
		malformed:      func(err error) bool { return hasState(err, "22P02") },
		damaged:        func(error) bool { return false }, // PostgreSQL decides itself what it still writes
		noTable:        func(err error) bool { return hasState(err, "42P01") },
	}
}

// postgresMigrating keeps migrators of all replicas apart by a lock. It asks once a second, for five minutes.
func postgresMigrating(*file) ([]goose.ProviderOption, error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	if err != nil {
		return nil, fmt.Errorf("make a lock for migrations: %w", err)
	}
	return []goose.ProviderOption{goose.WithSessionLocker(locker)}, nil
}

// hasState reports whether PostgreSQL answered with one of the codes (its manual, appendix A).
func hasState(err error, codes ...string) bool {
	var answer *pgconn.PgError
	return errors.As(err, &answer) && slices.Contains(codes, answer.Code)
}

// postgresStale goes by the text too, since the code says only that something isn't supported.
func postgresStale(err error) bool {
	return hasState(err, "0A000") && strings.Contains(err.Error(), "cached plan must not change result type")
}

func postgresAway(err error) bool {
	var (
		connecting *pgconn.ConnectError
		answer     *pgconn.PgError
	)
	if errors.As(err, &connecting) || pgconn.SafeToRetry(err) { // a closed connection too
		return true
	}
	if !errors.As(err, &answer) {
		return false
	}
	switch answer.Code[:2] {
	case "08", "53", "58": // no connection, no resources, trouble outside
		return true
	}
	return hasState(err,
		"57014", "55P03", "25P03", // took too long: a statement, the wait for a lock, a silence in a transaction
		"57P01", "57P02", "57P03", "57P05", // shutting down, crashed, starting, idle too long
		"25006",          // read-only: a standby
		"40001", "40P01", // others were faster every time
	)
}

// Refused reports whether a database answered that it doesn't know the user, the password or the database: waiting
// doesn't help, the operator has to change DATABASE_URL.
func Refused(err error) bool {
	var answer *pgconn.PgError
	return errors.As(err, &answer) && (strings.HasPrefix(answer.Code, "28") || answer.Code == "3D000")
}

func postgresOutcomeUnknown(err error) bool {
	var (
		connecting *pgconn.ConnectError
		answer     *pgconn.PgError
	)
	switch {
	case err == context.DeadlineExceeded: //nolint:errorlint // bare it is database/sql's: no connection came free; the driver wraps it
		return false
	case errors.Is(err, pgconn.ErrConnClosed): // the driver says so, and that it is safe to retry, also when COMMIT was sent
		return true
	case errors.As(err, &connecting), pgconn.SafeToRetry(err):
		return false
	case errors.As(err, &answer):
		return hasState(err, "08007", "40003")
	default:
		return isLost(err)
	}
}

func sqliteDialect() dialect {
	return dialect{
		goose: goose.DialectCustom, folder: "sqlite", migrating: sqliteMigrating,
		orm: func(c gorm.ConnPool) gorm.Dialector {
			return causeKeeper{libtnb.New(libtnb.Config{Conn: c})}
		},
		prepares: true,
		lockRow:  "", lockFree: "", patient: "", snapshot: &sql.TxOptions{}, serial: "", // there is one writer
		unhurried: "SELECT 1", damage: sqliteDamage, dangling: sqliteDangling, content: sqliteContent, tables: sqliteTables, schema: sqliteSchema,
		host:   "LEFT JOIN seat_presence p1 ON p1.table_id = t.id AND p1.seat = 1",
		latest: "max", batch: sqliteBatch, packed: sqlitePacked, ids: sqliteIDs, array: sqliteArray, claim: claimAlone, tidy: tidyFile,
		serialization:  func(error) bool { return false },
		stale:          func(error) bool { return false }, // SQLite prepares anew by itself
		away:           sqliteAway,
		outcomeUnknown: sqliteOutcomeUnknown,
		malformed:      func(error) bool { return false },
		damaged:        sqliteDamaged,
		noTable:        sqliteNoTable,
	}
}

// sqliteDamaged is true too when a file is shorter than it has to be.
func sqliteDamaged(err error) bool {
	var answer *sqlite.Error
	if !errors.As(err, &answer) {
		return false
	}
	primary := answer.Code() & primaryCode
	return primary == sqlite3.SQLITE_CORRUPT || primary == sqlite3.SQLITE_NOTADB || answer.Code() == sqlite3.SQLITE_IOERR_SHORT_READ
}

// sqliteNoTable goes by the text: SQLite has no code for it.
func sqliteNoTable(err error) bool {
	return err != nil && strings.Contains(err.Error(), "no such table")
}

// sqliteOutcomeUnknown is rarely true, since no network is between: only when the disk failed while a commit was written,
// which may be found in the log of writes after a crash.
func sqliteOutcomeUnknown(err error) bool {
	var answer *sqlite.Error
	return errors.As(err, &answer) && answer.Code()&primaryCode == sqlite3.SQLITE_IOERR
}

// primaryCode is the part of a code of SQLite that says what it was; the rest says it more precisely.
const primaryCode = 0xff

func sqliteAway(err error) bool {
	if errors.Is(err, errMoved) || errors.Is(err, errUnseen) || errors.Is(err, errDamaged) {
		return true
	}
	var answer *sqlite.Error
	if !errors.As(err, &answer) {
		return false
	}
	switch answer.Code() & primaryCode {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_FULL,
		sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY:
		return true
	default:
		return false
	}
}

// causeKeeper is a dialect of GORM whose translated errors keep the driver's.
type causeKeeper struct{ gorm.Dialector }

// Translate names an error in GORM's words.
func (k causeKeeper) Translate(err error) error {
	translator, translates := k.Dialector.(gorm.ErrorTranslator)
	if !translates {
		return err
	}
	if named := translator.Translate(err); !errors.Is(err, named) {
		return fmt.Errorf("%w: %w", named, err)
	}
	return err
}
