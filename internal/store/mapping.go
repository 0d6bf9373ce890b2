package store

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"
)

// mapping is a column of a table, and where it stands in a row as Go has it. A table's mappings are the only place that
// names its columns: what is selected, inserted and updated follows from them.
type mapping[R any] struct {
	name    string
	kind    string // what it is in PostgreSQL, as far as arrays of it go
	fixed   bool   // never changes after the row was inserted
	running bool   // it may change while a game runs
	same    func(a, b *R) bool
	value   func(*R) any        // what is stored; nil is NULL
	scan    func(*R, any) error // reads what value returned, as the driver has it
}

// once says that a column never changes.
func (m mapping[R]) once() mapping[R] {
	m.fixed = true
	return m
}

// whileRunning says that a column may change while a game runs.
func (m mapping[R]) whileRunning() mapping[R] {
	m.running = true
	return m
}

// target reads a column into a row.
type target[R any] struct {
	row     *R
	mapping *mapping[R]
}

// Scan is that of sql.Scanner. A NULL, as a join has it where there is no row, is the zero value.
func (t target[R]) Scan(kept any) error {
	if err := t.mapping.scan(t.row, kept); err != nil {
		return fmt.Errorf("column %s: %w", t.mapping.name, err)
	}
	return nil
}

// targets returns what a row of all the columns is scanned into.
func targets[R any](row *R, columns []mapping[R]) []any {
	all := make([]any, len(columns))
	for i := range columns {
		all[i] = target[R]{row, &columns[i]}
	}
	return all
}

// mappedRow is a row that says what its columns are scanned into, in their order; others are GORM's.
type mappedRow interface{ targets() []any }

// mappedRows is rows for these.
func mappedRows[R any](db *gorm.DB, query string, args ...any) (found []R, err error) {
	cursor, err := db.Raw(query, args...).Rows()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, cursor.Close()) }()
	for cursor.Next() {
		row := new(R)
		if err := cursor.Scan(any(row).(mappedRow).targets()...); err != nil { //nolint:forcetypeassert // rows has asked
			return nil, err
		}
		found = append(found, *row)
	}
	return found, cursor.Err()
}

// selection lists the columns of an alias for a SELECT.
func selection[R any](alias string, columns []mapping[R]) string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = alias + "." + c.name
	}
	return strings.Join(list, ", ")
}

// insert stores a new row, which is afterwards as it would be read.
func insert[R any](tx *gorm.DB, table string, row *R, columns []mapping[R]) error {
	names, args := make([]string, len(columns)), make([]any, len(columns))
	for i, c := range columns {
		names[i], args[i] = c.name, c.value(row)
		if err := c.scan(row, args[i]); err != nil {
			return fmt.Errorf("column %s: %w", c.name, err)
		}
	}
	_, err := affected(tx, "INSERT INTO "+table+" ("+strings.Join(names, ", ")+") VALUES (?"+strings.Repeat(", ?", len(names)-1)+")", args...)
	return err
}

// assignment is what an UPDATE sets.
type assignment struct {
	set  []byte
	args []any
}

// assign sets the columns that differ, and no others. The row after the change is afterwards as it would be read.
func assign[R any](before, after *R, columns []mapping[R]) (assignment, error) {
	a := assignment{set: make([]byte, 0, 256), args: make([]any, 0, 16)} //nolint:mnd // what a move needs
	for i := range columns {
		c := &columns[i]
		switch {
		case c.same(before, after):
			continue
		case c.fixed:
			return assignment{}, fmt.Errorf("column %s never changes", c.name)
		}
		if len(a.args) > 0 {
			a.set = append(a.set, ", "...)
		}
		value := c.value(after)
		a.set, a.args = append(append(a.set, c.name...), " = ?"...), append(a.args, value)
		if err := c.scan(after, value); err != nil {
			return assignment{}, fmt.Errorf("column %s: %w", c.name, err)
		}
	}
	return a, nil
}

// update is the UPDATE of a table where a condition holds.
func (a assignment) update(table, condition string, args ...any) (string, []any) {
	return "UPDATE " + table + " SET " + string(a.set) + " WHERE " + condition, append(a.args, args...)
}

// textColumn is text.
func textColumn[R any, V ~string](name string, at func(*R) *V) mapping[R] {
	return mapping[R]{
		name: name, kind: "text", fixed: false, running: false,
		same:  func(a, b *R) bool { return *at(a) == *at(b) },
		value: func(r *R) any { return string(*at(r)) },
		scan: func(r *R, kept any) error {
			text, err := textOf(kept)
			*at(r) = V(text)
			return err
		},
	}
}

// numberColumn is a whole number.
func numberColumn[R any, V ~int | ~int64](name string, at func(*R) *V) mapping[R] {
	return mapping[R]{
		name: name, kind: "bigint", fixed: false, running: false,
		same:  func(a, b *R) bool { return *at(a) == *at(b) },
		value: func(r *R) any { return int64(*at(r)) },
		scan: func(r *R, kept any) error {
			number, err := numberOf(kept)
			*at(r) = V(number)
			return err
		},
	}
}

// flagColumn is true or false.
func flagColumn[R any](name string, at func(*R) *bool) mapping[R] {
	return mapping[R]{
		name: name, kind: "boolean", fixed: false, running: false,
		same:  func(a, b *R) bool { return *at(a) == *at(b) },
		value: func(r *R) any { return *at(r) },
		scan: func(r *R, kept any) (err error) {
			*at(r), err = flagOf(kept)
			return err
		},
	}
}

// timeColumn is a moment, in microseconds; what is finer is cut off. The zero time, which stands for none in the domain, is
// NULL.
func timeColumn[R any](name string, moment func(*R) *time.Time) mapping[R] {
	return mapping[R]{
		name: name, kind: "bigint", fixed: false, running: false,
		same: func(a, b *R) bool { return moment(a).Equal(*moment(b)) },
		value: func(r *R) any {
			if moment(r).IsZero() {
				return nil
			}
			return micros(*moment(r))
		},
		scan: func(r *R, kept any) error {
			number, err := numberOf(kept)
			if kept == nil {
				*moment(r) = time.Time{}
			} else {
				*moment(r) = at(number)
			}
			return err
		},
	}
}

// optional makes a column NULL where it holds the zero value, which stands for none in the domain.
func (m mapping[R]) optional() mapping[R] {
	value := m.value
	m.value = func(r *R) any {
		switch v := value(r).(type) {
		case string:
			if v == "" {
				return nil
			}
			return v
		case int64:
			if v == 0 {
				return nil
			}
			return v
		default:
			return v
		}
	}
	return m
}

// where makes a column NULL in rows of which a condition doesn't hold.
func (m mapping[R]) where(holds func(*R) bool) mapping[R] {
	value := m.value
	m.value = func(r *R) any {
		if !holds(r) {
			return nil
		}
		return value(r)
	}
	return m
}

func textOf(kept any) (string, error) {
	switch v := kept.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case []byte:
		return string(v), nil
	default:
		return "", fmt.Errorf("%T is no text", kept)
	}
}

func numberOf(kept any) (int64, error) {
	switch v := kept.(type) {
	case nil:
		return 0, nil
	case int64:
		return v, nil
	default:
		return 0, fmt.Errorf("%T is no whole number", kept)
	}
}

func flagOf(kept any) (bool, error) {
	switch v := kept.(type) {
	case nil:
		return false, nil
	case bool:
		return v, nil
	case int64: // SQLite has no other
		return v != 0, nil
	default:
		return false, fmt.Errorf("%T is neither true nor false", kept)
	}
}
