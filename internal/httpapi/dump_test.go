package httpapi_test

import (
	"database/sql"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// tableNames returns the tables of a database, but for the heartbeat and the migrator's.
func tableNames(t *testing.T, db *testkit.Database) []string {
	t.Helper()
	query := "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1"
	if db.Config.URL.Dialect() == config.SQLite {
		query = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1"
	}
	rows, err := db.SQL(t).QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		if name != "heartbeat" && name != "goose_db_version" && name != "sqlite_sequence" {
			names = append(names, name)
		}
	}
	require.NoError(t, rows.Err())
	require.Contains(t, names, "audit_log")
	return names
}

// dump returns everything a database holds, but for the heartbeat.
func dump(t *testing.T, db *testkit.Database) string {
	t.Helper()
	var all strings.Builder
	around := db.SQL(t)
	for _, name := range tableNames(t, db) {
		dumpTable(t, around, name, &all)
	}
	return all.String()
}

func dumpTable(t *testing.T, around *sql.DB, name string, all *strings.Builder) {
	t.Helper()
	rows, err := around.QueryContext(t.Context(), "SELECT * FROM "+name+" ORDER BY 1, 2")
	require.NoError(t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	require.NoError(t, err)
	for rows.Next() {
		cells := make([]any, len(columns))
		for i := range cells {
			cells[i] = new(any)
		}
		require.NoError(t, rows.Scan(cells...))
		for i, cell := range cells {
			fmt.Fprintf(all, "%s.%s=%v\n", name, columns[i], reflect.ValueOf(cell).Elem())
		}
	}
	require.NoError(t, rows.Err())
}
