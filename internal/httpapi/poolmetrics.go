package httpapi

import (
	"database/sql"

	"github.com/prometheus/client_golang/prometheus"
)

// poolCollector shows the state of a pool of database connections.
type poolCollector struct {
	stats   func() sql.DBStats
	figures []poolFigure
}

type poolFigure struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	read func(sql.DBStats) float64
}

func newPoolCollector(stats func() sql.DBStats) *poolCollector {
	figure := func(name, help string, kind prometheus.ValueType, read func(sql.DBStats) float64) poolFigure {
		return poolFigure{
			desc: prometheus.NewDesc("fourinarow_database_"+name, help, nil, nil),
			kind: kind, read: read,
		}
	}
	gauge, counter := prometheus.GaugeValue, prometheus.CounterValue
	return &poolCollector{stats: stats, figures: []poolFigure{
		figure("connections_max", "Most connections the pool may open; 0: no limit.", gauge,
			func(s sql.DBStats) float64 { return float64(s.MaxOpenConnections) }),
		figure("connections_open", "Connections that are open.", gauge,
			func(s sql.DBStats) float64 { return float64(s.OpenConnections) }),
		figure("connections_in_use", "Connections that do something.", gauge,
			func(s sql.DBStats) float64 { return float64(s.InUse) }),
		figure("waits_total", "How often somebody had to wait for a connection.", counter,
			func(s sql.DBStats) float64 { return float64(s.WaitCount) }),
		figure("wait_seconds_total", "How long was waited for connections.", counter,
			func(s sql.DBStats) float64 { return s.WaitDuration.Seconds() }),
	}}
}

// Describe names the figures.
func (p *poolCollector) Describe(to chan<- *prometheus.Desc) {
	for _, f := range p.figures {
		to <- f.desc
	}
}

// Collect reads the figures.
func (p *poolCollector) Collect(to chan<- prometheus.Metric) {
	stats := p.stats()
	for _, f := range p.figures {
		to <- prometheus.MustNewConstMetric(f.desc, f.kind, f.read(stats))
	}
}
