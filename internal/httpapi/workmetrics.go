package httpapi

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fourinarow/fourinarow/internal/game"
)

// workMetrics is what is counted of play, and of what falls due by itself.
type workMetrics struct {
	moves    *prometheus.CounterVec
	covered  prometheus.Counter
	flips    *prometheus.CounterVec
	lag      prometheus.Histogram
	wakeUps  prometheus.Histogram
	queue    prometheus.Gauge
	waited   prometheus.Histogram
	thought  prometheus.Histogram
	lowered  *prometheus.CounterVec
	cutShort prometheus.Counter
	sleeping prometheus.Gauge
}

func newWorkMetrics() workMetrics {
	return workMetrics{
		moves: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fourinarow_moves_total",
			Help: "Moves accepted, by who made them (player, cpu) and what came of them: the game went on, was won, or was drawn.",
		}, []string{"made_by", "outcome"}),
		covered: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "fourinarow_cover_moves_total",
			Help: "Moves that the CPU made for an owner who was away or whose time was up.",
		}),
		flips: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fourinarow_presence_flips_total",
			Help: "Changes of an owner's presence in a running game, by what it became: here, silent, gone.",
		}, []string{"to"}),
		lag: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "fourinarow_timer_lag_seconds",
			Help:    "How long after its time a game was looked at.",
			Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 2, 5, 10, 30, 60},
		}),
		wakeUps: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "fourinarow_wakeup_seconds",
			Help:    "How long after its wake-up a waiting request had read the news.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5},
		}),
		queue: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "fourinarow_cpu_queue_length", Help: "Turns of the CPU that wait for a thinker.",
		}),
		waited: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "fourinarow_cpu_wait_seconds",
			Help:    "How long a turn of the CPU waited for a thinker.",
			Buckets: []float64{.001, .005, .01, .05, .1, .25, .5, 1, 2.5, 10},
		}),
		thought: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "fourinarow_cpu_think_seconds",
			Help:    "How long a turn of the CPU took, from the first thought until it was stored.",
			Buckets: []float64{.001, .005, .01, .05, .1, .25, .5, 1, 2.5, 10},
		}),
		lowered: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fourinarow_cpu_lowered_turns_total",
			Help: "Turns that the CPU played at a lower level than its own because too many waited, by the two levels.",
		}, []string{"from", "to"}),
		cutShort: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "fourinarow_cpu_cut_short_turns_total",
			Help: "Turns of the CPU for which the time to think was up before it was done.",
		}),
		sleeping: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "fourinarow_sleeping_games", Help: "Running games in which nobody moves because nobody is there.",
		}),
	}
}

func (w workMetrics) all() []prometheus.Collector {
	return []prometheus.Collector{w.moves, w.covered, w.flips, w.lag, w.wakeUps, w.queue, w.waited, w.thought, w.lowered, w.cutShort, w.sleeping}
}

// Moved counts a move.
func (w workMetrics) Moved(by game.Controller, outcome game.Outcome) {
	label := string(outcome)
	if label == "" {
		label = "goes_on"
	}
	w.moves.WithLabelValues(string(by), label).Inc()
}

// Covered counts a move that the CPU made for an owner.
func (w workMetrics) Covered() { w.covered.Inc() }

var presences = map[game.Presence]string{game.Here: "here", game.Silent: "silent", game.Gone: "gone"}

// Flipped counts a change of presence.
func (w workMetrics) Flipped(to game.Presence) { w.flips.WithLabelValues(presences[to]).Inc() }

// Lagged notes how long after its time a game was looked at.
func (w workMetrics) Lagged(by time.Duration) { w.lag.Observe(by.Seconds()) }

// WokeUp counts an answer to a waiting request that was woken.
func (w workMetrics) WokeUp(after time.Duration) { w.wakeUps.Observe(after.Seconds()) }

// Queued notes how many turns of the CPU wait.
func (w workMetrics) Queued(turns int) { w.queue.Set(float64(turns)) }

// Thought notes how long a turn of the CPU waited and took.
func (w workMetrics) Thought(waited, took time.Duration) {
	w.waited.Observe(waited.Seconds())
	w.thought.Observe(took.Seconds())
}

// Lowered counts a turn that the CPU played at a lower level.
func (w workMetrics) Lowered(from, to string) { w.lowered.WithLabelValues(from, to).Inc() }

// CutShort counts a turn of the CPU that ran out of time.
func (w workMetrics) CutShort() { w.cutShort.Inc() }

// Asleep notes how many games sleep.
func (w workMetrics) Asleep(games int) { w.sleeping.Set(float64(games)) }
