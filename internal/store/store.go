package store

import (
	"cmp"
	"context"
	"database/sql"
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
	Clock    func() time.Time // tells how long statements take, and nothing else
	// Observe is told of every statement that a method of the Store sends, from many goroutines at once; nil: nobody is.
	Observe func(context.Context, Statement)

	// ReadOnly opens a database that is there already, perhaps beside a running service, and writes nothing.
	ReadOnly bool

	// ReadTimeout and WriteTimeout bound what one method does, with the wait for a connection; 0: five and ten seconds.
	ReadTimeout, WriteTimeout time.Duration
}

const (
	defaultReadTimeout  = 5 * time.Second
	defaultWriteTimeout = 10 * time.Second // repetitions included
)

// Store keeps everything. It is safe for concurrent use.
type Store struct {
	dialect dialect
	pools   pools
	reader  *gorm.DB
	writer  *gorm.DB
	logger  *slog.Logger
	matches chan struct{} // holds one while players are brought together

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
		matches:      make(chan struct{}, 1),
		readTimeout:  cmp.Or(o.ReadTimeout, defaultReadTimeout),
		writeTimeout: cmp.Or(o.WriteTimeout, defaultWriteTimeout),
	}
	var err error
	if s.dialect, s.pools, err = openDialect(o.Database, o.ReadOnly); err != nil {
		return nil, fmt.Errorf("open the database %s: %w", o.Database.URL.Redacted(), err)
	}
	w := &watch{clock: o.Clock, logger: o.Logger, observe: nil}
	if err = s.connect(ctx, w); err != nil {
		err = s.translateFor(ctx, err)
		return nil, errors.Join(fmt.Errorf("open the database %s: %w", o.Database.URL.Redacted(), err), s.pools.close())
	}
	w.observe = o.Observe // GORM's own first statements were nobody's
	return s, nil
}

// connect puts GORM on the pools and makes sure that the database answers.
func (s *Store) connect(ctx context.Context, w *watch) error {
	var err error
	if s.writer, err = s.orm(s.pools.writer, w); err != nil {
		return err
	}
	if s.reader, err = s.orm(s.pools.reader, w); err != nil {
		return err
	}
	return s.pools.ping(ctx)
}

func (s *Store) orm(db *sql.DB, w *watch) (*gorm.DB, error) {
	orm, err := gorm.Open(s.dialect.orm(&pool{db: db, watch: w}), &gorm.Config{
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
	if err := s.pools.close(); err != nil {
		return fmt.Errorf("close the database: %w", err)
	}
	return nil
}

// Ping makes sure that the database answers. The fault is unavailable.
func (s *Store) Ping(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, s.readTimeout)
	defer cancel()
	return s.translateFor(ctx, s.pools.ping(limited))
}

// Stats counts the connections of the pool; on SQLite of readers and writer together.
func (s *Store) Stats() sql.DBStats { return s.pools.stats() }

// pools are the connections. On PostgreSQL reader and writer are the same.
type pools struct {
	reader, writer *sql.DB
	migrator       func() (*sql.DB, error) // opens connections for migrations, which the caller closes
}

func (p pools) ping(ctx context.Context) error {
	if err := p.writer.PingContext(ctx); err != nil {
		return fmt.Errorf("reach the database: %w", err)
	}
	if p.reader == p.writer {
		return nil
	}
	if err := p.reader.PingContext(ctx); err != nil {
		return fmt.Errorf("reach the database: %w", err)
	}
	return nil
}

func (p pools) close() error {
	if p.reader == p.writer {
		return p.writer.Close()
	}
	return errors.Join(p.reader.Close(), p.writer.Close()) // the writer last: it tidies the log of writes up
}

func (p pools) stats() sql.DBStats {
	sum := p.writer.Stats()
	if p.reader == p.writer {
		return sum
	}
	more := p.reader.Stats()
	sum.MaxOpenConnections += more.MaxOpenConnections
	sum.OpenConnections += more.OpenConnections
	sum.InUse += more.InUse
	sum.Idle += more.Idle
	sum.WaitCount += more.WaitCount
	sum.WaitDuration += more.WaitDuration
	sum.MaxIdleClosed += more.MaxIdleClosed
	sum.MaxIdleTimeClosed += more.MaxIdleTimeClosed
	sum.MaxLifetimeClosed += more.MaxLifetimeClosed
	return sum
}
