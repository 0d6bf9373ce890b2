package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"

	"github.com/fourinarow/fourinarow/migrations"
)

// NewerSchemaError says that the database was migrated by a newer program than this one.
type NewerSchemaError struct {
	Database int64 // the version of its schema
	Program  int64 // the newest that this program knows
}

// Error names both versions and what to do.
func (e *NewerSchemaError) Error() string {
	return fmt.Sprintf("the database has schema version %d, this program knows up to %d: run a newer program, or restore a backup from before",
		e.Database, e.Program)
}

// OlderSchemaError says that the database was not migrated by this program yet.
type OlderSchemaError struct {
	Database int64 // the version of its schema; 0: it has none
	Program  int64 // the newest that this program knows
}

// Error names both versions and what to do.
func (e *OlderSchemaError) Error() string {
	return fmt.Sprintf("the database has schema version %d, this program wants %d: migrate it first", e.Database, e.Program)
}

// CheckSchema makes sure, without a change, that the schema is the one that this program knows. The error is a
// *NewerSchemaError or an *OlderSchemaError when it isn't.
func (s *Store) CheckSchema(ctx context.Context) error {
	migrator, err := s.migrator(s.pools.reader)
	if err != nil {
		return err
	}
	newest := int64(0)
	for _, source := range migrator.ListSources() {
		newest = max(newest, source.Version)
	}
	found, err := read[schemaRow](ctx, s, "SELECT max(version_id) AS version FROM "+goose.DefaultTablename+" WHERE is_applied")
	current := int64(0)
	switch {
	case err != nil && s.dialect.noTable(err):
	case err != nil:
		return err
	default:
		current = found[0].Version
	}
	switch {
	case current > newest:
		return &NewerSchemaError{Database: current, Program: newest}
	case current < newest:
		return &OlderSchemaError{Database: current, Program: newest}
	default:
		return nil
	}
}

// schemaRow is the version of the schema.
type schemaRow struct {
	Version int64 `gorm:"column:version"`
}

// migrateTries is how often migrating starts over when another process was faster.
const migrateTries = 5

// Migrate brings the schema to the version that this program knows. Several may do so at once, on one database, and all
// succeed. The error is a *NewerSchemaError when the schema is newer already; the fault is unavailable when the database
// doesn't answer.
func (s *Store) Migrate(ctx context.Context) error {
	db := sql.OpenDB(s.pools.migrator)
	if s.pools.file != nil { // whose pragmas are those of one connection
		sized(db, 1)
	}
	err := s.migrate(ctx, db)
	return errors.Join(s.translateFor(ctx, err), db.Close())
}

func (s *Store) migrate(ctx context.Context, db *sql.DB) error {
	before := int64(-1)
	var failure error
	for range migrateTries {
		migrator, err := s.migrator(db)
		if err != nil {
			return err
		}
		current, newest, err := migrator.GetVersions(ctx)
		switch {
		case err != nil:
			return fmt.Errorf("read the schema's version: %w", err)
		case current > newest:
			return &NewerSchemaError{Database: current, Program: newest}
		case failure != nil && current == before: // nobody else did anything: the failure is our own
			return failure
		}
		applied, err := migrator.Up(ctx)
		for _, a := range applied {
			s.logger.InfoContext(ctx, "schema migrated", "version", a.Source.Version, "took_ms", a.Duration.Milliseconds())
		}
		if err == nil {
			return nil
		}
		before, failure = current, fmt.Errorf("migrate the schema from version %d: %w", current, err)
	}
	return failure
}

func (s *Store) migrator(db *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations.Files, s.dialect.folder)
	if err != nil {
		return nil, fmt.Errorf("find the migrations: %w", err)
	}
	return s.dialect.migrator(db, files, s.pools.file)
}

func (d dialect) migrator(db *sql.DB, files fs.FS, on *file) (*goose.Provider, error) {
	options, err := d.migrating(on)
	if err != nil {
		return nil, err
	}
	migrator, err := goose.NewProvider(d.goose, db, files, append(options, goose.WithDisableGlobalRegistry(true))...)
	if err != nil {
		return nil, fmt.Errorf("read the migrations: %w", err)
	}
	return migrator, nil
}
