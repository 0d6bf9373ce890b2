package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/service"
)

// Options are what a Store needs. Database, Logger and Clock are required.
type Options struct {
	Database config.Database
	Logger   *slog.Logger
	Clock    func() time.Time // tells how long statements take, and when to tidy the feed of changes
	// Observe is told of every statement that a method of the Store sends, from many goroutines at once; nil: nobody is.
	Observe func(context.Context, Statement)

	// ReadOnly opens a database that is there already, perhaps beside a running service, and writes nothing.
	ReadOnly bool

	// Alone says that no other process changes the games of this database while it is open, as Exclusive makes sure of an
	// SQLite file: what this one knows of a game needs no version check.
	Alone bool

	// ReadTimeout and WriteTimeout bound what one method does, with the wait for a connection; 0: five and ten seconds.
	ReadTimeout, WriteTimeout time.Duration
}

const (
	defaultReadTimeout  = 5 * time.Second
	defaultWriteTimeout = 10 * time.Second // repetitions included
)

// Store keeps everything. It is safe for concurrent use.
type Store struct {
	dialect  dialect
	pools    pools
	reader   *gorm.DB
	writer   *gorm.DB
	exports  *gorm.DB // what a player takes along is read here, and keeps nobody else waiting
	queue    *queue   // of those who write; nil: each has a connection of its own
	feed     *feed
	logger   *slog.Logger
	oddities *oddities
	matches  chan struct{} // holds one while players are brought together
	memory   *memory
	updates  *sharedUpdates // nil: they are sent one by one
	versions versionChecks
	alone    bool

	readTimeout, writeTimeout time.Duration
}

var (
	_ service.Store       = (*Store)(nil)
	_ service.VerifyStore = (*Store)(nil)
)

// Open connects to the database, and makes the file of an SQLite one, readable for its owner alone. It makes no tables:
// Migrate does. When the database doesn't answer the error is the fault unavailable. No error holds a password.
func Open(ctx context.Context, o Options) (*Store, error) {
	s := &Store{
		logger:       o.Logger,
		oddities:     newOddities(o),
		matches:      make(chan struct{}, 1),
		memory:       newMemory(),
		alone:        o.Alone,
		readTimeout:  cmp.Or(o.ReadTimeout, defaultReadTimeout),
		writeTimeout: cmp.Or(o.WriteTimeout, defaultWriteTimeout),
	}
	s.versions.send = s.marks
	var err error
	if s.dialect, s.pools, err = openDialect(o, s.writeTimeout); err != nil {
		return nil, fmt.Errorf("open the database %s: %w", o.Database.URL.Redacted(), err)
	}
	w := &watch{clock: o.Clock, logger: o.Logger, observe: nil}
	s.feed = newFeed(s.pools.feed, w)
	if err = s.connect(ctx, w); err != nil {
		err = s.translateFor(ctx, err)
		return nil, errors.Join(fmt.Errorf("open the database %s: %w", o.Database.URL.Redacted(), err), s.close())
	}
	w.observe = o.Observe // GORM's own first statements were nobody's
	return s, nil
}

// connect puts GORM on the pools and makes sure that the database answers.
func (s *Store) connect(ctx context.Context, w *watch) error {
	err := s.checkOurs(ctx)
	if err != nil {
		return err
	}
	if s.reader, err = s.ormOn(s.pools.reader, w); err != nil {
		return err
	}
	if s.exports, err = s.ormOn(s.pools.exports, w); err != nil {
		return err
	}
	if s.pools.updates != nil {
		on, err := s.orm(&pool{db: s.pools.updates, prepared: nil, watch: w})
		if err != nil {
			return err
		}
		s.updates = newSharedUpdates(on, s.feed, s.writeTimeout)
	}
	s.writer = s.reader
	if s.pools.writer != s.pools.reader {
		if err = s.connectWriter(ctx, w); err != nil {
			return err
		}
	}
	return s.pools.ping(ctx)
}

// connectWriter lets all who write queue up at one connection.
func (s *Store) connectWriter(ctx context.Context, w *watch) error {
	// The log of writes goes with the last connection that has it open, and would come back as another.
	if err := s.pools.keep(ctx); err != nil {
		return err
	}
	conn := &connection{db: s.pools.writer, file: s.pools.file, watch: w, conn: nil, prepared: nil, inside: false, ended: nil}
	var err error
	if s.writer, err = s.orm(conn); err != nil {
		return err
	}
	if err = conn.open(ctx); err != nil {
		return err
	}
	s.queue = newQueue(conn, s.writer, s.sent, w.clock)
	return nil
}

// ormOn puts GORM on a pool of connections that read.
func (s *Store) ormOn(db *sql.DB, w *watch) (*gorm.DB, error) {
	on := &pool{db: db, prepared: nil, watch: w}
	if s.dialect.prepares {
		on.prepared = prepareOn(db)
	}
	return s.orm(on)
}

func (s *Store) orm(on gorm.ConnPool) (*gorm.DB, error) {
	orm, err := gorm.Open(s.dialect.orm(on), &gorm.Config{
		PrepareStmt:            false, // it halves throughput in transactions
		SkipDefaultTransaction: true,
		TranslateError:         true,
		DisableAutomaticPing:   true,
		Logger:                 logger.Discard, // errors are returned, and slow statements are our own to log
	})
	if err != nil {
		return nil, fmt.Errorf("set GORM up: %w", err)
	}
	return orm, nil
}

// Close closes all connections, after the statements that run on them.
func (s *Store) Close() error {
	if err := s.close(); err != nil {
		return fmt.Errorf("close the database: %w", err)
	}
	return nil
}

func (s *Store) close() error {
	err := errors.Join(s.feed.close(), s.pools.reader.Close(), s.pools.exports.Close())
	if s.pools.updates != nil {
		err = errors.Join(err, s.pools.updates.Close())
	}
	if s.pools.keeper != nil {
		err = errors.Join(err, s.pools.keeper.Close())
	}
	if s.queue != nil { // the writer last: it tidies the log of writes up
		err = errors.Join(err, s.queue.close())
	}
	if s.pools.writer == s.pools.reader {
		return err
	}
	return errors.Join(err, s.pools.writer.Close())
}

// Pools returns the pools of connections by what they are for, to be counted and for nothing else. On SQLite the writer's
// only connection is in use for good: the queue of writes keeps it. So is that of the feed of changes on PostgreSQL.
func (s *Store) Pools() map[string]*sql.DB {
	named := map[string]*sql.DB{"main": s.pools.reader}
	if s.pools.writer != s.pools.reader {
		named = map[string]*sql.DB{"reader": s.pools.reader, "writer": s.pools.writer}
	}
	if s.pools.feed != nil {
		named["changes"] = s.pools.feed
	}
	named["exports"] = s.pools.exports
	if s.pools.updates != nil {
		named["updates"] = s.pools.updates
	}
	return named
}

// Commits returns how often writes were committed since Open, and how many these were, with those that were refused: on
// SQLite those that wait at the same time share a commit. On PostgreSQL they don't, and both are 0.
func (s *Store) Commits() (commits, writes int64) {
	if s.queue == nil {
		return 0, 0
	}
	return s.queue.commits.Load(), s.queue.carried.Load()
}

// pools are the connections. On PostgreSQL reader and writer are the same.
type pools struct {
	reader, writer *sql.DB
	exports        *sql.DB          // of one connection
	feed           *sql.DB          // of one connection; nil: there is no feed of changes
	updates        *sql.DB          // of one connection; nil: updates of games don't share statements
	keeper         *sql.DB          // of one connection, which keeps the log of writes of an SQLite file where it is; nil: there is none
	first          driver.Connector // for a look that changes nothing of the file, not even its mode; nil: any connection does
	migrator       driver.Connector // for migrations
	file           *file            // nil: the database is none
}

// ping asks the readers' pool: who writes keeps the writer's only connection.
func (p pools) ping(ctx context.Context) error {
	if err := p.reader.PingContext(ctx); err != nil {
		return fmt.Errorf("reach the database: %w", err)
	}
	return nil
}

// keep opens the connection that keeps the log of writes.
func (p pools) keep(ctx context.Context) error {
	tables := 0
	if err := p.keeper.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return fmt.Errorf("open the log of writes: %w", err)
	}
	return p.file.hold()
}
