package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// slowEnough is the fsync of a disk on which full against normal says something.
const slowEnough = 300 * time.Microsecond

// A report is a table of text.
type report struct{ rows [][5]string }

func (r *report) row(what, ours, limit, ratio, target string) {
	r.rows = append(r.rows, [5]string{what, ours, limit, ratio, target})
}

func (r *report) write(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "what\tours\tlimit\tratio\ttarget")
	for _, row := range r.rows {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", row[0], row[1], row[2], row[3], row[4])
	}
	return table.Flush()
}

func (b *bench) report() *report {
	r := &report{rows: nil}
	b.versus(r, "moves/s, PostgreSQL; limit: pgbench, one guarded UPDATE", movesPostgres, movesNarrow, "0.20 (aim 0.30)")
	b.costs(r, "a move, PostgreSQL", movesPostgres, movesNarrow, "at most 0.28", "at most 0.20")
	b.versus(r, "moves/s, SQLite full; limit: SQLite normal", movesFull, movesNormal, "0.75")
	b.versus(r, "moves/s, SQLite full; limit: PostgreSQL", movesFull, movesPostgres, "1.00")
	b.costs(r, "a move, SQLite full", movesFull, movesNormal, "", "")
	b.batches(r)
	b.disk(r)
	for _, p := range []struct{ what, ours, limit, target string }{
		{"304s/s, SQLite", emptySQLite, emptyBare, "0.45 (aim 0.60)"},
		{"304s/s, PostgreSQL", emptyPostgres, emptyBare, "0.25 (aim 0.40)"},
		{"200s/s, SQLite", wholeSQLite, wholeBare, "0.30"},
		{"200s/s, PostgreSQL", wholePostgres, wholeBare, "0.20"},
	} {
		size := b.bytes[notModified]
		if p.limit == wholeBare {
			size = b.bytes[wholeGame]
		}
		b.versus(r, fmt.Sprintf("%s; limit: net/http alone, %d bytes", p.what, size), p.ours, p.limit, p.target)
		b.costs(r, p.what[:3]+", "+p.what[len("304s/s, "):], p.ours, p.limit, "", "")
	}
	b.versus(r, "304s/s, SQLite, compression and limits on; limit: off", emptyGuarded, emptySQLite, "0.90")
	b.versus(r, "200s/s, SQLite, compression and limits on; limit: off", wholeGuarded, wholeSQLite, "0.90")
	return r
}

// versus writes a row of one measurement beside another, where both were taken.
func (b *bench) versus(r *report, what, ours, limit, target string) {
	these, those := b.samples[ours], b.samples[limit]
	if len(these) == 0 {
		return
	}
	each := fmt.Sprintf("%.0f", middle(these, rate))
	if len(those) == 0 {
		r.row(what, each, "", "", target)
		return
	}
	ratios := make([]float64, len(these))
	for i := range these {
		ratios[i] = these[i].perSecond / those[i].perSecond
	}
	r.row(what, each, fmt.Sprintf("%.0f", middle(those, rate)), fmt.Sprintf("%.2f", median(ratios)), target)
}

// costs writes what one step costs in each process.
func (b *bench) costs(r *report, what, ours, limit, service, database string) {
	these, those := b.samples[ours], b.samples[limit]
	if len(these) == 0 {
		return
	}
	cost := func(name, target string, of func(sample) float64) {
		beside := ""
		if value := middle(those, of); value > 0 {
			beside = fmt.Sprintf("%.3f", value)
		}
		if value := middle(these, of); value > 0 {
			r.row("  "+what+": ms of "+name, fmt.Sprintf("%.3f", value), beside, "", target)
		}
	}
	cost("the service", service, func(s sample) float64 { return milliseconds(s.service) })
	cost("the database", database, func(s sample) float64 { return milliseconds(s.database) })
	cost("the client", "", func(s sample) float64 { return milliseconds(s.client) })
	r.row("  "+what+": allocations", fmt.Sprintf("%.0f", middle(these, func(s sample) float64 { return s.allocations })), "", "", "")
}

// batches writes how many writes share a commit.
func (b *bench) batches(r *report) {
	size := func(name string) string {
		return fmt.Sprintf("%.1f", middle(b.samples[name], func(s sample) float64 { return s.batch }))
	}
	if len(b.samples[movesFull]) > 0 {
		r.row("  a move, SQLite full: writes a commit", size(movesFull), size(movesNormal), "", "")
	}
}

// disk writes how fast the disk is under SQLite.
func (b *bench) disk(r *report) {
	if len(b.samples[movesFull]) == 0 {
		return
	}
	took := make([]float64, len(b.fsync))
	for i, d := range b.fsync {
		took[i] = milliseconds(d)
	}
	what := "  the disk: ms an fsync"
	if median(took) < milliseconds(slowEnough) {
		what += "; too fast for full against normal to say something"
	}
	r.row(what, fmt.Sprintf("%.2f", median(took)), "", "", fmt.Sprintf("at least %.1f", milliseconds(slowEnough)))
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }

func rate(s sample) float64 { return s.perSecond }

func middle(samples []sample, of func(sample) float64) float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = of(s)
	}
	return median(values)
}

// median is 0 of nothing.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	switch n := len(sorted); {
	case n == 0:
		return 0
	case n%2 == 1:
		return sorted[n/2]
	default:
		return (sorted[n/2-1] + sorted[n/2]) / 2
	}
}
