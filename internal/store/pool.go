package store

import (
	"context"
	"database/sql"
	"log/slog"
	"strings"
	"time"

	"gorm.io/gorm"
)

// Kind is what a statement does.
type Kind string

// The kinds.
const (
	Read     Kind = "read"
	Write    Kind = "write"
	Begin    Kind = "begin"
	Commit   Kind = "commit"
	Rollback Kind = "rollback"
)

// Statement is one statement that was sent to the database: one round trip.
type Statement struct {
	Kind Kind
	Text string        // without its arguments
	Took time.Duration // until the answer began
	Err  error         // as the driver said it: for counting, not for telling
}

// slowStatement is what is worth a line in the log.
const slowStatement = 500 * time.Millisecond

// watch sees every statement.
type watch struct {
	clock   func() time.Time
	logger  *slog.Logger
	observe func(context.Context, Statement)
}

func (w *watch) done(ctx context.Context, kind Kind, query string, began time.Time, err error) {
	took := w.clock().Sub(began)
	if w.observe != nil {
		w.observe(ctx, Statement{Kind: kind, Text: query, Took: took, Err: err})
	}
	if took >= slowStatement {
		w.logger.WarnContext(ctx, "slow statement", "took_ms", took.Milliseconds(), "statement", query)
	}
}

// kindOf tells a read from a write by its first word; only these two are sent as text.
func kindOf(query string) Kind {
	if strings.HasPrefix(query, "SELECT") {
		return Read
	}
	return Write
}

// pool is what GORM sends its statements through.
type pool struct {
	db       *sql.DB
	prepared *statements // nil: the driver prepares by itself
	watch    *watch
}

var (
	_ gorm.ConnPool         = (*pool)(nil)
	_ gorm.ConnPoolBeginner = (*pool)(nil)
	_ gorm.ConnPool         = (*connection)(nil)
	_ gorm.ConnPool         = (*transaction)(nil)
	_ gorm.TxCommitter      = (*transaction)(nil)
)

// PrepareContext is there for the interface; GORM is told not to prepare.
func (p *pool) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return p.db.PrepareContext(ctx, query)
}

// ExecContext is that of sql.DB.
func (p *pool) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	began := p.watch.clock()
	result, err := p.exec(ctx, query, args)
	p.watch.done(ctx, kindOf(query), query, began, err)
	return result, err
}

// QueryContext is that of sql.DB.
func (p *pool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	began := p.watch.clock()
	rows, err := p.query(ctx, query, args)
	p.watch.done(ctx, kindOf(query), query, began, err)
	return rows, err
}

func (p *pool) exec(ctx context.Context, query string, args []any) (sql.Result, error) {
	if p.prepared == nil {
		return p.db.ExecContext(ctx, query, args...)
	}
	return p.prepared.exec(ctx, query, args)
}

func (p *pool) query(ctx context.Context, query string, args []any) (*sql.Rows, error) {
	if p.prepared == nil {
		return p.db.QueryContext(ctx, query, args...)
	}
	return p.prepared.query(ctx, query, args)
}

// QueryRowContext is that of sql.DB.
func (p *pool) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	began := p.watch.clock()
	row := p.db.QueryRowContext(ctx, query, args...)
	p.watch.done(ctx, kindOf(query), query, began, row.Err())
	return row
}

// BeginTx is that of sql.DB.
func (p *pool) BeginTx(ctx context.Context, o *sql.TxOptions) (gorm.ConnPool, error) {
	began := p.watch.clock()
	tx, err := p.db.BeginTx(ctx, o)
	p.watch.done(ctx, Begin, "BEGIN", began, err)
	if err != nil {
		return nil, err
	}
	return &transaction{ctx: ctx, tx: tx, watch: p.watch}, nil
}

// transaction is what GORM sends the statements of a transaction through.
type transaction struct {
	ctx   context.Context // the interface ends transactions without one
	tx    *sql.Tx
	watch *watch
}

// PrepareContext is there for the interface; GORM is told not to prepare.
func (t *transaction) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return t.tx.PrepareContext(ctx, query)
}

// ExecContext is that of sql.Tx.
func (t *transaction) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	began := t.watch.clock()
	result, err := t.tx.ExecContext(ctx, query, args...)
	t.watch.done(ctx, kindOf(query), query, began, err)
	return result, err
}

// QueryContext is that of sql.Tx.
func (t *transaction) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	began := t.watch.clock()
	rows, err := t.tx.QueryContext(ctx, query, args...)
	t.watch.done(ctx, kindOf(query), query, began, err)
	return rows, err
}

// QueryRowContext is that of sql.Tx.
func (t *transaction) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	began := t.watch.clock()
	row := t.tx.QueryRowContext(ctx, query, args...)
	t.watch.done(ctx, kindOf(query), query, began, row.Err())
	return row
}

// Commit is that of sql.Tx.
func (t *transaction) Commit() error {
	began := t.watch.clock()
	err := t.tx.Commit()
	t.watch.done(t.ctx, Commit, "COMMIT", began, err)
	return err
}

// Rollback is that of sql.Tx.
func (t *transaction) Rollback() error {
	began := t.watch.clock()
	err := t.tx.Rollback()
	t.watch.done(t.ctx, Rollback, "ROLLBACK", began, err)
	return err
}
