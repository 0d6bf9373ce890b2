package httpapi

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/fourinarow/fourinarow/internal/game"
)

// Metrics counts what the service does, for Prometheus. It is a service.Observer.
type Metrics struct {
	registerer prometheus.Registerer
	requests   *prometheus.CounterVec
	durations  *prometheus.HistogramVec
	moves      *prometheus.CounterVec
}

// NewMetrics returns the metrics of a process and registers them, those of the Go runtime and the process too.
func NewMetrics(registerer prometheus.Registerer) (*Metrics, error) {
	m := &Metrics{
		registerer: registerer,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fourinarow_http_requests_total",
			Help: "Requests answered, by operation and status. Status 499: the client went away before the answer.",
		}, []string{"operation", "status"}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "fourinarow_http_request_duration_seconds",
			Help:    "Time until the answer, by operation. Requests that wait for news are not in it.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
		}, []string{"operation"}),
		moves: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fourinarow_moves_total",
			Help: "Moves accepted, by what came of them: the game went on, was won, or was drawn.",
		}, []string{"outcome"}),
	}
	err := errors.Join(
		registerer.Register(m.requests), registerer.Register(m.durations), registerer.Register(m.moves),
		registerer.Register(collectors.NewGoCollector()),
		registerer.Register(collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})),
	)
	if err != nil {
		return nil, fmt.Errorf("register metrics: %w", err)
	}
	return m, nil
}

// WatchWaiting shows how many requests wait for news.
func (m *Metrics) WatchWaiting(count func() int) error {
	return m.register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "fourinarow_waiting_requests", Help: "Requests that wait for news right now.",
	}, func() float64 { return float64(count()) }))
}

// WatchDatabase shows the state of a pool of connections. Pools are told apart by their names.
func (m *Metrics) WatchDatabase(pool string, stats func() sql.DBStats) error {
	return m.register(newPoolCollector(pool, stats))
}

func (m *Metrics) register(c prometheus.Collector) error {
	if err := m.registerer.Register(c); err != nil {
		return fmt.Errorf("register metrics: %w", err)
	}
	return nil
}

// Moved counts a move.
func (m *Metrics) Moved(outcome game.Outcome) {
	label := string(outcome)
	if label == "" {
		label = "goes_on"
	}
	m.moves.WithLabelValues(label).Inc()
}

// answered counts an answer.
func (m *Metrics) answered(x *exchange, status int, took time.Duration) {
	operation := x.operation
	if operation == "" {
		operation = "none"
	}
	m.requests.WithLabelValues(operation, strconv.Itoa(status)).Inc()
	if !x.waits {
		m.durations.WithLabelValues(operation).Observe(took.Seconds())
	}
}

// MetricsHandler serves metrics in the formats Prometheus reads.
func MetricsHandler(gatherer prometheus.Gatherer) http.Handler {
	return promhttp.HandlerFor(gatherer, promhttp.HandlerOpts{})
}
