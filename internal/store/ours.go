package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pressly/goose/v3"
)

// ForeignDatabaseError says that a database holds what this service did not make. It is left as it is.
type ForeignDatabaseError struct{ Tables []string }

// Error names the first tables and what to do.
func (e *ForeignDatabaseError) Error() string {
	const shown = 5
	names := strings.Join(e.Tables[:min(shown, len(e.Tables))], ", ")
	if more := len(e.Tables) - shown; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return "the database holds tables that this service did not make (" + names + "): give it a database of its own, which may be empty"
}

// SELECTs of the tables and views that an SQLite file holds, and the schema on PostgreSQL, but for those of extensions.
const (
	sqliteContent   = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name"
	postgresContent = `SELECT c.relname FROM pg_class c WHERE c.relnamespace = CAST(current_schema() AS regnamespace)
AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = CAST('pg_class' AS regclass) AND d.objid = c.oid AND d.deptype = 'e')
ORDER BY c.relname`
)

// firstTables are those that the first migration makes, and that are there ever since. Another program may count its
// migrations in a table of the same name.
var firstTables = []string{"devices", "game_timers", "games", "heartbeat", "outages", "profiles", "seat_presence", "tables"}

// checkOurs makes sure, before anything is changed, that a database is empty or this service's.
func (s *Store) checkOurs(ctx context.Context) (err error) {
	db := s.pools.reader
	if s.pools.first != nil {
		db = sql.OpenDB(s.pools.first)
		defer func() { err = errors.Join(err, db.Close()) }()
	}
	tx, err := db.BeginTx(ctx, s.dialect.snapshot) // another process may migrate it meanwhile
	if err != nil {
		return fmt.Errorf("look whose the database is: %w", err)
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	content, version, err := lookAt(ctx, tx, s.dialect.content)
	if err != nil {
		return fmt.Errorf("look whose the database is: %w", err)
	}
	foreign := len(content) > 0
	if version > 0 {
		foreign = slices.ContainsFunc(firstTables, func(name string) bool { return !slices.Contains(content, name) })
	}
	if foreign {
		return &ForeignDatabaseError{Tables: content}
	}
	return nil
}

// lookAt returns the tables of a database but for that of versions, and the version in that; 0: none.
func lookAt(ctx context.Context, tx *sql.Tx, query string) (content []string, version int64, err error) {
	found, err := tx.QueryContext(ctx, query)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	for found.Next() {
		var name string
		if err = found.Scan(&name); err != nil {
			return nil, 0, err
		}
		content = append(content, name)
	}
	if err = found.Err(); err != nil {
		return nil, 0, err
	}
	versions := slices.Index(content, goose.DefaultTablename)
	if versions < 0 {
		return content, 0, nil
	}
	var highest sql.NullInt64
	err = tx.QueryRowContext(ctx, "SELECT max(version_id) FROM "+goose.DefaultTablename+" WHERE is_applied").Scan(&highest)
	return slices.Delete(content, versions, versions+1), highest.Int64, err
}
