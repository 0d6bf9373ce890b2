package store

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A batch is many rows as few arguments: the statement is the same whatever their number. For PostgreSQL each column is an
// array, which it reads in a third of the time that JSON takes it; for SQLite the rows are one array of JSON.

// column is a column of a batch, and its type in PostgreSQL.
type column struct{ name, kind string }

// entry is a row of a batch: its values, ids or whole numbers, in the order of the columns.
type entry interface{ values() []any }

// postgresBatch is what a FROM reads a batch by, as v.
func postgresBatch(columns []column) string {
	names, arrays := make([]string, 0, len(columns)), make([]string, 0, len(columns))
	for _, c := range columns {
		names, arrays = append(names, c.name), append(arrays, "CAST(? AS "+c.kind+"[])")
	}
	return "unnest(" + strings.Join(arrays, ", ") + ") AS v(" + strings.Join(names, ", ") + ")"
}

// sqliteBatch is the same.
func sqliteBatch(columns []column) string {
	list := make([]string, 0, len(columns))
	for i, c := range columns {
		list = append(list, fmt.Sprintf("value ->> %d AS %s", i, c.name))
	}
	return "(SELECT " + strings.Join(list, ", ") + " FROM json_each(?)) AS v"
}

// postgresPacked makes the arguments. Nothing in them has to be escaped.
func postgresPacked(columns []column, rows [][]any) ([]any, error) {
	args := make([]any, 0, len(columns))
	for c := range columns {
		array := []byte{'{'}
		for i, row := range rows {
			if i > 0 {
				array = append(array, ',')
			}
			switch value := row[c].(type) {
			case string:
				array = append(array, value...)
			case int:
				array = strconv.AppendInt(array, int64(value), 10)
			case int64:
				array = strconv.AppendInt(array, value, 10)
			default:
				return nil, fmt.Errorf("a batch holds no %T", value)
			}
		}
		args = append(args, string(append(array, '}')))
	}
	return args, nil
}

// sqlitePacked is the same.
func sqlitePacked(_ []column, rows [][]any) ([]any, error) {
	text, err := json.Marshal(rows)
	if err != nil {
		return nil, fmt.Errorf("pack a batch: %w", err)
	}
	return []any{string(text)}, nil
}

// packed makes the arguments of a batch.
func packed[E entry](d dialect, columns []column, entries []E) ([]any, error) {
	rows := make([][]any, 0, len(entries))
	for _, e := range entries {
		rows = append(rows, e.values())
	}
	return d.packed(columns, rows)
}

// Ids alone are asked for often and by the thousand, so each database reads them the cheapest way it has: PostgreSQL
// an array, in a third of the time that JSON takes it.
const (
	postgresIDs = "unnest(CAST(? AS uuid[])) AS v(id)"
	sqliteIDs   = "(SELECT value AS id FROM json_each(?)) AS v"
)

// postgresArray writes ids as an array of PostgreSQL. They are UUIDs, so nothing has to be escaped.
func postgresArray(ids []string) string { return "{" + strings.Join(ids, ",") + "}" }

// sqliteArray writes ids as an array of JSON.
func sqliteArray(ids []string) string { return `["` + strings.Join(ids, `","`) + `"]` }
