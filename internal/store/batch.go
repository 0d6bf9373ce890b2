package store

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A batch is many rows as one argument, a JSON array of objects: the statement is the same whatever their number.

// column is a column of a batch: a member of each object, and its type in PostgreSQL.
type column struct{ name, kind string }

// postgresBatch is what a FROM reads a batch by, as v.
func postgresBatch(columns []column) string {
	list := make([]string, 0, len(columns))
	for _, c := range columns {
		list = append(list, c.name+" "+c.kind)
	}
	return "json_to_recordset(CAST(CAST(? AS text) AS json)) AS v(" + strings.Join(list, ", ") + ")"
}

// sqliteBatch is the same.
func sqliteBatch(columns []column) string {
	list := make([]string, 0, len(columns))
	for _, c := range columns {
		list = append(list, "value ->> '"+c.name+"' AS "+c.name)
	}
	return "(SELECT " + strings.Join(list, ", ") + " FROM json_each(?)) AS v"
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

// packed makes the argument.
func packed[T any](entries []T) (string, error) {
	text, err := json.Marshal(entries)
	if err != nil {
		return "", fmt.Errorf("pack a batch: %w", err)
	}
	return string(text), nil
}
