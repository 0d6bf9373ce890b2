package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
)

// sqliteVersions keeps the versions of an SQLite schema. Its Insert is the last that happens in the transaction of a
// migration, so there it makes sure of what must hold before the commit.
type sqliteVersions struct {
	database.Store

	file *file
}

// sqliteMigrating makes migrations on SQLite check themselves. Foreign keys are off on the migrator's connection: with
// them on, DROP TABLE deletes what refers to the table, and PRAGMA foreign_keys does nothing inside a transaction.
func sqliteMigrating(on *file) ([]goose.ProviderOption, error) {
	usual, err := database.NewStore(goose.DialectSQLite3, goose.DefaultTablename)
	if err != nil {
		return nil, fmt.Errorf("keep the schema's versions: %w", err)
	}
	return []goose.ProviderOption{goose.WithStore(sqliteVersions{usual, on})}, nil
}

// TableExists reports whether the table of versions is there. Without it a look that fails counts as a table that is missing.
func (v sqliteVersions) TableExists(ctx context.Context, db database.DBTxConn) (there bool, err error) {
	const query = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?)"
	if err = db.QueryRowContext(ctx, query, v.Tablename()).Scan(&there); err != nil {
		return false, fmt.Errorf("look for the schema's versions: %w", err)
	}
	return there, nil
}

// errMigratedMeanwhile says that another process has applied the same migration.
var errMigratedMeanwhile = errors.New("another process was faster")

// Insert notes that a migration is applied. An error takes the migration back: rows that refer to rows that there aren't,
// or another process that has applied it since this one looked.
func (v sqliteVersions) Insert(ctx context.Context, tx database.DBTxConn, r database.InsertRequest) error {
	if r.Version > 0 { // 0 comes with the table of versions
		_, err := v.GetMigration(ctx, tx, r.Version)
		if err == nil {
			return errMigratedMeanwhile
		}
		if !errors.Is(err, database.ErrVersionNotFound) {
			return fmt.Errorf("look whether the migration was applied: %w", err)
		}
	}
	if err := checkForeignKeys(ctx, tx); err != nil {
		return err
	}
	if err := v.file.unmoved(); err != nil {
		return err
	}
	return v.Store.Insert(ctx, tx, r)
}

// checkForeignKeys returns an error that names the first rows, up to ten, that refer to rows that there aren't.
func checkForeignKeys(ctx context.Context, tx database.DBTxConn) (err error) {
	found, err := tx.QueryContext(ctx, sqliteDangling+" LIMIT 10")
	if err != nil {
		return fmt.Errorf("check the foreign keys: %w", err)
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	var broken error
	for found.Next() {
		var row danglingRow
		if err = found.Scan(&row.Child, &row.Row, &row.Parent); err != nil {
			return fmt.Errorf("check the foreign keys: %w", err)
		}
		broken = errors.Join(broken, errors.New(row.difference().String()))
	}
	if err = found.Err(); err != nil {
		return fmt.Errorf("check the foreign keys: %w", err)
	}
	return broken
}
