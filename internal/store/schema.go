package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fourinarow/fourinarow/migrations"
)

// SELECTs of everything that migrations make, a line each.
const (
	sqliteSchema = `SELECT type || ' ' || name AS line FROM sqlite_schema WHERE substr(name, 1, 7) <> 'sqlite_'
UNION ALL SELECT 'column ' || t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c
WHERE t.type = 'table' AND substr(t.name, 1, 7) <> 'sqlite_'
ORDER BY line`
	postgresSchema = `WITH own AS (SELECT oid, relname, relkind FROM pg_class WHERE relnamespace = CAST(current_schema() AS regnamespace))
SELECT kind || ' ' || name AS line FROM (
SELECT CASE relkind WHEN 'i' THEN 'index' WHEN 'S' THEN 'sequence' WHEN 'v' THEN 'view' ELSE 'table' END AS kind, CAST(relname AS text) AS name FROM own
UNION ALL SELECT 'column', relname || '.' || attname FROM own JOIN pg_attribute ON attrelid = own.oid
WHERE relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
UNION ALL SELECT 'constraint', relname || '.' || conname FROM own JOIN pg_constraint ON conrelid = own.oid WHERE contype IN ('p', 'u', 'f', 'c')
UNION ALL SELECT 'trigger', relname || '.' || tgname FROM own JOIN pg_trigger ON tgrelid = own.oid WHERE NOT tgisinternal
) AS made ORDER BY (kind || ' ' || name) COLLATE "C"`
)

// schemaLine is something that a migration makes.
type schemaLine struct{ line string }

func (r *schemaLine) targets() []any { return []any{&r.line} }

// missing returns what this program's migrations make and the database doesn't have. What others have added is theirs.
func (s snapshot) missing() ([]string, error) {
	wanted, err := migrations.Files.ReadFile("schema/" + s.dialect.folder + ".txt")
	if err != nil {
		return nil, fmt.Errorf("find the schema: %w", err)
	}
	found, err := rows[schemaLine](s.tx, s.dialect.schema)
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	there := make(map[string]bool, len(found))
	for _, row := range found {
		there[row.line] = true
	}
	lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(string(wanted)), "\n"), func(line string) bool { return there[line] })
	for i, line := range lines {
		lines[i] = "there is no " + line
	}
	return lines, nil
}
