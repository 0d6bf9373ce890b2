package store

import (
	"slices"
	"strings"
	"time"
)

// selection lists columns of an alias for a SELECT, each under its name with a prefix.
func selection(alias, prefix string, columns []string) string {
	list := make([]string, 0, len(columns))
	for _, column := range columns {
		list = append(list, alias+"."+column+" AS "+prefix+column)
	}
	return strings.Join(list, ", ")
}

// cell is a column that may change, and what a row has there.
type cell struct {
	column string
	value  any // comparable; nil is NULL
}

// assignment is what an UPDATE sets.
type assignment struct {
	set  []string
	args []any
}

func (a *assignment) to(expression string, arg any) {
	a.set, a.args = append(a.set, expression), append(a.args, arg)
}

// changes sets the cells that differ between two rows, and no others.
func (a *assignment) changes(before, after []cell) {
	for i, is := range after {
		if is != before[i] {
			a.to(is.column+" = ?", is.value)
		}
	}
}

// update is the UPDATE of a table where a condition holds.
func (a *assignment) update(table, condition string, args ...any) (string, []any) {
	return "UPDATE " + table + " SET " + strings.Join(a.set, ", ") + " WHERE " + condition, slices.Concat(a.args, args)
}

// value is what a cell holds of a column that may be NULL.
func value[T comparable](kept *T) any {
	if kept == nil {
		return nil
	}
	return *kept
}

// moment is NULL for the zero time that stands for none in the domain.
func moment(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	kept := micros(t)
	return &kept
}

// when is what moment kept.
func when(kept *int64) time.Time {
	if kept == nil {
		return time.Time{}
	}
	return at(*kept)
}

// number is NULL for the zero that stands for none in the domain.
func number[T ~int](n T) *int {
	if n == 0 {
		return nil
	}
	kept := int(n)
	return &kept
}

// count is what number kept.
func count(kept *int) int {
	if kept == nil {
		return 0
	}
	return *kept
}
