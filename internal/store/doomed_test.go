package store_test

import (
	"context"
	"database/sql/driver"
	"errors"
)

var errKilled = errors.New("killed")

// doomed opens the connections of a process that is killed before one of its statements.
type doomed struct {
	driver.Connector

	left   int                        // statements that it still sends
	killed bool                       // nothing is sent any more, not even ROLLBACK
	die    func(on driver.Conn) error // happens then
	failed error                      // what die says
}

// send reports whether a statement is sent.
func (d *doomed) send(on driver.Conn) error {
	if d.killed {
		return errKilled
	}
	if d.left--; d.left >= 0 {
		return nil
	}
	d.killed, d.failed = true, d.die(on)
	return errKilled
}

// Connect opens a connection, while the process lives.
func (d *doomed) Connect(ctx context.Context) (driver.Conn, error) {
	if d.killed {
		return nil, errKilled
	}
	conn, err := d.Connector.Connect(ctx)
	return doomedConn{conn, d}, err
}

// everyConn is what the connections of both drivers can do.
type everyConn interface {
	driver.ConnBeginTx
	driver.ExecerContext
	driver.QueryerContext
}

type doomedConn struct {
	driver.Conn

	process *doomed
}

func (c doomedConn) all() everyConn { return c.Conn.(everyConn) } //nolint:forcetypeassert // both drivers' are

func (c doomedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if err := c.process.send(c.Conn); err != nil {
		return nil, err
	}
	return c.all().ExecContext(ctx, query, args)
}

func (c doomedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if err := c.process.send(c.Conn); err != nil {
		return nil, err
	}
	return c.all().QueryContext(ctx, query, args)
}

func (c doomedConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	if err := c.process.send(c.Conn); err != nil {
		return nil, err
	}
	tx, err := c.all().BeginTx(ctx, opts)
	return doomedTx{tx, c}, err
}

// CheckNamedValue leaves arguments to the driver.
func (c doomedConn) CheckNamedValue(value *driver.NamedValue) error {
	if checker, checks := c.Conn.(driver.NamedValueChecker); checks {
		return checker.CheckNamedValue(value)
	}
	return driver.ErrSkip
}

type doomedTx struct {
	driver.Tx

	conn doomedConn
}

func (tx doomedTx) Commit() error {
	if err := tx.conn.process.send(tx.conn.Conn); err != nil {
		return err
	}
	return tx.Tx.Commit()
}

// Rollback is nothing that a killed process does.
func (tx doomedTx) Rollback() error {
	if tx.conn.process.killed {
		return errKilled
	}
	return tx.Tx.Rollback()
}
