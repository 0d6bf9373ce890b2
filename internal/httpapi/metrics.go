package httpapi

import (
	"database/sql"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/fourinarow/fourinarow/internal/connections"
)

// Metrics counts what the service does, for Prometheus. It is a service.Observer and a worker.Observer.
type Metrics struct {
	workMetrics

	registry  *prometheus.Registry
	requests  *prometheus.CounterVec
	durations *prometheus.HistogramVec

	// Looking counters up by their labels costs a few times what counting does.
	mu       sync.RWMutex
	counters map[answerLabels]prometheus.Counter
	seconds  map[string]prometheus.Observer // by operation
}

// answerLabels are the labels of an answer.
type answerLabels struct {
	operation string
	status    int
}

// NewMetrics returns the metrics of a process, those of the Go runtime and of the process too. It asks how many
// requests wait for news, how the connections to the database are, and how often writes were committed and how many
// those were (0 where each write is a commit), whenever somebody asks for metrics.
func NewMetrics(waiting func() int, pools map[string]*sql.DB, commits func() (commits, writes int64)) *Metrics {
	m := &Metrics{
		workMetrics: newWorkMetrics(),
		registry:    prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fourinarow_http_requests_total",
			Help: "Requests answered, by operation and status. Status 499: the client went away before the answer.",
		}, []string{"operation", "status"}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "fourinarow_http_request_duration_seconds",
			Help:    "Time until the answer, by operation. Requests that wait for news are not in it.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
		}, []string{"operation"}),
		mu: sync.RWMutex{}, counters: make(map[answerLabels]prometheus.Counter), seconds: make(map[string]prometheus.Observer),
	}
	m.registry.MustRegister(m.all()...)
	m.registry.MustRegister(m.requests, m.durations,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "fourinarow_waiting_requests", Help: "Requests that wait for news right now.",
		}, func() float64 { return float64(waiting()) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "fourinarow_sqlite_commits_total", Help: "Commits of writes to SQLite.",
		}, func() float64 { n, _ := commits(); return float64(n) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "fourinarow_sqlite_writes_total", Help: "Writes to SQLite that these commits carried, with those refused.",
		}, func() float64 { _, n := commits(); return float64(n) }),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for name, pool := range pools {
		m.registry.MustRegister(collectors.NewDBStatsCollector(pool, name))
	}
	return m
}

// WatchConnections counts the connections of clients too; counts is asked whenever somebody asks for metrics.
func (m *Metrics) WatchConnections(counts func() connections.Counts) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "fourinarow_connections", Help: "Connections of clients right now.",
	}, func() float64 { return float64(counts().Open) }))
	for limit, outcomes := range map[string]func() connections.Outcomes{
		"connections_total":       func() connections.Outcomes { return counts().Total },
		"connections_per_address": func() connections.Outcomes { return counts().PerAddress },
	} {
		labels := prometheus.Labels{"limit": limit}
		m.registry.MustRegister(
			prometheus.NewCounterFunc(prometheus.CounterOpts{
				Name: "fourinarow_connections_replaced_total", Help: "Idle connections that were closed for new ones, by limit.", ConstLabels: labels,
			}, func() float64 { return float64(outcomes().Replaced) }),
			prometheus.NewCounterFunc(prometheus.CounterOpts{
				Name: "fourinarow_connections_refused_total", Help: "New connections that were closed at once, by limit.", ConstLabels: labels,
			}, func() float64 { return float64(outcomes().Refused) }))
	}
}

// Handler serves the metrics in the formats Prometheus reads.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// answered counts an answer.
func (m *Metrics) answered(x *exchange, status int, took time.Duration) {
	operation := x.operation
	if operation == "" {
		operation = "none"
	}
	kept(&m.mu, m.counters, answerLabels{operation: operation, status: status}, func() prometheus.Counter {
		return m.requests.WithLabelValues(operation, strconv.Itoa(status))
	}).Inc()
	if !x.waits {
		kept(&m.mu, m.seconds, operation, func() prometheus.Observer { return m.durations.WithLabelValues(operation) }).Observe(took.Seconds())
	}
}

// kept returns what a map has for a key, and puts it there the first time.
func kept[K comparable, V any](mu *sync.RWMutex, all map[K]V, key K, first func() V) V {
	mu.RLock()
	value, found := all[key]
	mu.RUnlock()
	if found {
		return value
	}
	mu.Lock()
	defer mu.Unlock()
	value = first()
	all[key] = value
	return value
}
