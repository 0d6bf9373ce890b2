package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// connection is the one connection that writes to an SQLite file. GORM sends its statements through it. One goroutine at
// a time may use it.
type connection struct {
	db    *sql.DB
	file  *file
	watch *watch

	conn     *sql.Conn   // nil: none is open
	prepared *statements // on conn
	inside   bool        // a transaction
	trial    bool        // what is written may fail
	ended    error       // by what SQLite has ended the transaction before its time; nil: it hasn't
}

// errTransactionEnded says that SQLite has rolled a transaction back by itself.
var errTransactionEnded = errors.New("SQLite has ended the transaction")

// open opens the connection unless it is open.
func (c *connection) open(ctx context.Context) error {
	if c.conn != nil {
		return nil
	}
	conn, err := c.db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("open the connection for writing: %w", err)
	}
	c.conn, c.prepared = conn, prepareOn(conn)
	return nil
}

// close closes the connection; the next statement opens another.
func (c *connection) close() error {
	if c.conn == nil {
		return nil
	}
	c.prepared.close()
	_ = c.conn.Raw(func(any) error { return driver.ErrBadConn }) // so that the pool doesn't keep it
	err := c.conn.Close()
	c.conn, c.prepared, c.inside, c.ended = nil, nil, false, nil
	if errors.Is(err, sql.ErrConnDone) {
		return nil
	}
	return err
}

// PrepareContext is there for the interface; statements are prepared here.
func (c *connection) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	if err := c.open(ctx); err != nil {
		return nil, err
	}
	return c.conn.PrepareContext(ctx, query)
}

// ExecContext is that of sql.Conn.
func (c *connection) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	began := c.watch.clock()
	result, err := c.exec(ctx, query, args...)
	c.watch.done(ctx, kindOf(query), query, began, err)
	return result, err
}

func (c *connection) exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if err := c.usable(ctx); err != nil {
		return nil, err
	}
	result, err := c.prepared.exec(ctx, query, args)
	c.judge(err)
	return result, err
}

// QueryContext is that of sql.Conn.
func (c *connection) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	began := c.watch.clock()
	if err := c.usable(ctx); err != nil {
		return nil, err
	}
	rows, err := c.prepared.query(ctx, query, args)
	c.watch.done(ctx, kindOf(query), query, began, err)
	c.judge(err)
	return rows, err
}

// QueryRowContext is that of sql.Conn. GORM asks for SQLite's version by it, before anything is open.
func (c *connection) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	began := c.watch.clock()
	var row *sql.Row
	if c.conn == nil {
		row = c.db.QueryRowContext(ctx, query, args...)
	} else {
		row = c.conn.QueryRowContext(ctx, query, args...)
	}
	c.watch.done(ctx, kindOf(query), query, began, row.Err())
	return row
}

// usable makes sure that a statement can be sent, and that it would not commit by itself where a transaction was.
func (c *connection) usable(ctx context.Context) error {
	if c.ended != nil {
		return fmt.Errorf("%w: %w", errTransactionEnded, c.ended)
	}
	return c.open(ctx)
}

// judge notes when an error is one of those by which SQLite ends a transaction, or may, and lets go of a lost connection.
func (c *connection) judge(err error) {
	switch {
	case c.inside && c.ended == nil && endsTransaction(err):
		c.ended = err
	case !c.inside && (errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone)):
		_ = c.close()
	}
}

// endsTransaction reports whether an error may have ended the transaction, and not only failed the statement.
func endsTransaction(err error) bool {
	if err == nil {
		return false
	}
	var answer *sqlite.Error
	if !errors.As(err, &answer) {
		return true // the driver's, or that of database/sql
	}
	switch answer.Code() & primaryCode {
	case sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_RANGE, sqlite3.SQLITE_TOOBIG:
		return false
	default:
		return true
	}
}

// begin begins a transaction, which waits as long as another process writes, at most the busy timeout.
func (c *connection) begin(ctx context.Context) error {
	if err := c.file.refusal(c.trial); err != nil {
		return err
	}
	if err := c.end(ctx, Begin, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	c.inside = true
	return nil
}

// writable makes sure, before a commit, that what is written will be found again.
func (c *connection) writable() error {
	if err := c.file.unmoved(); err != nil {
		return err
	}
	return c.file.refusal(c.trial)
}

// commit ends the transaction. After an error it is rolled back.
func (c *connection) commit(ctx context.Context) error {
	err := c.writable()
	if err == nil {
		err = c.end(ctx, Commit, "COMMIT")
	}
	if err != nil {
		c.rollback(ctx)
		return err
	}
	c.inside = false
	return nil
}

// rollback ends the transaction without a trace, also one that SQLite has ended.
func (c *connection) rollback(ctx context.Context) {
	if !c.inside {
		return
	}
	c.ended = nil
	err := c.end(ctx, Rollback, "ROLLBACK")
	c.inside = false
	if err != nil { // there was none any more, or worse: another connection begins anew in any case
		_ = c.close()
	}
}

func (c *connection) end(ctx context.Context, kind Kind, statement string) error {
	began := c.watch.clock()
	_, err := c.exec(ctx, statement)
	c.watch.done(ctx, kind, statement, began, err)
	return err
}

// The part of a transaction that is one job of several. The statements are no round trips, and so nobody is told of them.
func (c *connection) mark(ctx context.Context) error {
	_, err := c.exec(ctx, "SAVEPOINT job")
	return err
}

// unmark keeps what was done since the mark, or takes it back.
func (c *connection) unmark(ctx context.Context, keep bool) error {
	if !keep {
		if _, err := c.exec(ctx, "ROLLBACK TO job"); err != nil {
			return err
		}
	}
	_, err := c.exec(ctx, "RELEASE job")
	return err
}
