package config

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"text/tabwriter"
)

// Usage writes a table of all variables to w: name, default, values or unit, meaning. It holds no value of the
// process's environment.
func Usage(w io.Writer) error {
	var rows strings.Builder
	rows.WriteString("VARIABLE\tDEFAULT\tVALUES\tMEANING\n")
	for _, s := range settings(reflect.ValueOf(&Config{}).Elem()) {
		fmt.Fprintf(&rows, "%s\t%s\t%s\t%s\n", s.name, orDash(s.fallback), s.values(), s.desc)
	}

	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, err := io.WriteString(table, rows.String())
	if err = errors.Join(err, table.Flush()); err != nil {
		return fmt.Errorf("write the table of settings: %w", err)
	}
	return nil
}

// values says what a variable may hold, in one cell.
func (s setting) values() string {
	switch {
	case len(s.allowed) > 0:
		return strings.Join(s.allowed, ", ")
	case s.min != "":
		return fmt.Sprintf("%s..%s %s", s.min, s.max, s.unit)
	case s.max != "":
		return fmt.Sprintf("up to %s %s", s.max, s.unit)
	default:
		return s.unit
	}
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
