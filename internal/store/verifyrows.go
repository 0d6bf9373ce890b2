package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/service"
)

const (
	sqliteDamage   = "PRAGMA integrity_check"
	sqliteDangling = `SELECT "table" AS child, coalesce(rowid, 0) AS row, parent FROM pragma_foreign_key_check`
	sqliteTables   = "SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name"
	postgresTables = `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = CAST(current_schema() AS regnamespace)
AND c.relkind IN ('r', 'p') AND c.relpersistence = 'p' ORDER BY c.relname`
)

// damageRow is something that the database finds wrong with its files.
type damageRow struct{ what string }

func (r *damageRow) targets() []any { return []any{&r.what} }

// Damage is that of service.Snapshot. Of its files PostgreSQL finds damage when it reads.
func (s snapshot) Damage(ctx context.Context) ([]string, error) {
	damage, err := s.fileDamage(ctx)
	if err != nil {
		return nil, err
	}
	missing, err := s.missing()
	if err != nil {
		damage = append(damage, err.Error())
	}
	return append(damage, missing...), nil
}

func (s snapshot) fileDamage(ctx context.Context) ([]string, error) {
	if s.dialect.damage == "" {
		return nil, nil
	}
	found, err := rows[damageRow](s.tx, s.dialect.damage)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("check the database's files: %w", ctx.Err())
	}
	damage := make([]string, 0, len(found)+1)
	for _, row := range found {
		if row.what != "ok" {
			damage = append(damage, strings.ReplaceAll(row.what, "\n", " "))
		}
	}
	if err != nil { // the check itself stumbles on some damage
		damage = append(damage, err.Error())
	}
	return damage, nil
}

// danglingRow is a row that refers to one that there isn't.
type danglingRow struct {
	Child  string `gorm:"column:child"`
	Row    int64  `gorm:"column:row"`
	Parent string `gorm:"column:parent"`
}

func (r danglingRow) difference() service.Difference {
	about := "a row of " + r.Child
	if r.Row > 0 { // most tables are WITHOUT ROWID
		about = fmt.Sprintf("row %d of %s", r.Row, r.Child)
	}
	return service.Difference{About: about, What: "refers to no row of " + r.Parent}
}

// Dangling is that of service.Snapshot.
func (s snapshot) Dangling(context.Context) ([]service.Difference, error) {
	if s.dialect.dangling == "" {
		return nil, nil
	}
	found, err := rows[danglingRow](s.tx, s.dialect.dangling)
	if err != nil {
		return nil, fmt.Errorf("check the foreign keys: %w", err)
	}
	dangling := make([]service.Difference, 0, len(found))
	for _, row := range found {
		dangling = append(dangling, row.difference())
	}
	return dangling, nil
}

// namedRow is a table.
type namedRow struct {
	Name string `gorm:"column:name"`
}

// StoredRows is that of service.Snapshot. A table that can't be read keeps nobody from the others.
func (s snapshot) StoredRows(ctx context.Context) ([]service.StoredRows, error) {
	tables, err := rows[namedRow](s.tx, s.dialect.tables)
	if err != nil {
		return nil, fmt.Errorf("list the tables: %w", err)
	}
	all := make([]service.StoredRows, 0, len(tables))
	for _, table := range tables {
		stored := service.StoredRows{Table: table.Name, Counted: 0, Read: 0, Broken: nil}
		if err = s.tx.Exec("SAVEPOINT whole").Error; err != nil {
			return nil, fmt.Errorf("read %s: %w", table.Name, err)
		}
		stored.Broken = readWhole(s.tx, &stored)
		if err = s.tx.Exec("ROLLBACK TO whole").Error; err != nil || ctx.Err() != nil {
			return nil, fmt.Errorf("read %s: %w", table.Name, errors.Join(err, ctx.Err(), stored.Broken))
		}
		all = append(all, stored)
	}
	return all, nil
}

// readWhole counts a table's rows and reads them with all that is in them.
func readWhole(tx *gorm.DB, stored *service.StoredRows) (err error) {
	name := tx.Statement.Quote(stored.Table)
	counted, err := rows[countRow](tx, `SELECT count(*) AS n FROM `+name)
	if err != nil {
		return fmt.Errorf("count: %w", err)
	}
	stored.Counted = counted[0].N
	cursor, err := tx.Raw("SELECT * FROM " + name).Rows()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cursor.Close()) }()
	for cursor.Next() {
		stored.Read++
	}
	return cursor.Err()
}
