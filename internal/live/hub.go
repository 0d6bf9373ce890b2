package live

import (
	"slices"
	"sync"
	"time"
)

// Hub is the topics and those who wait for them. Use NewHub.
type Hub struct {
	atMost   int
	clock    func() time.Time
	stopping chan struct{}

	mu     sync.Mutex
	topics map[string]map[*Waiter]struct{}
	counts map[string]int // waiters by who they belong to
	total  int
	closed bool
}

// NewHub returns a hub for at most so many waiters. The clock tells them when they were woken.
func NewHub(atMost int, clock func() time.Time) *Hub {
	return &Hub{
		atMost: atMost, clock: clock, stopping: make(chan struct{}),
		topics: make(map[string]map[*Waiter]struct{}), counts: make(map[string]int),
	}
}

// Waiter is one request that waits.
type Waiter struct {
	hub    *Hub
	who    string
	topics []string
	seen   []string // for each topic, the tag of the state the waiter has read; empty: it has read none yet
	woken  chan time.Time
}

// Join adds a waiter for some topics. It is refused when who has atMost waiters already, when the hub is full, and
// when it is stopping; nobody is sent away for a newcomer. A waiter that joined must Leave.
func (h *Hub) Join(who string, atMost int, topics ...string) (*Waiter, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || h.total >= h.atMost || h.counts[who] >= atMost {
		return nil, false
	}
	w := &Waiter{hub: h, who: who, topics: topics, seen: make([]string, len(topics)), woken: make(chan time.Time, 1)}
	h.total++
	h.counts[who]++
	for _, topic := range topics {
		h.add(topic, w)
	}
	return w, true
}

func (h *Hub) add(topic string, w *Waiter) {
	waiters := h.topics[topic]
	if waiters == nil {
		waiters = make(map[*Waiter]struct{}, 1)
		h.topics[topic] = waiters
	}
	waiters[w] = struct{}{}
}

// Woken is ready once a topic of the waiter was named since it was last received from, and tells when it was first. The
// zero time says that the waiter was dismissed.
func (w *Waiter) Woken() <-chan time.Time { return w.woken }

// Leave takes the waiter out of the hub. Leaving twice is leaving once.
func (w *Waiter) Leave() {
	h := w.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if w.topics == nil {
		return
	}
	for _, topic := range w.topics {
		delete(h.topics[topic], w)
		if len(h.topics[topic]) == 0 {
			delete(h.topics, topic)
		}
	}
	w.topics = nil
	h.total--
	h.counts[w.who]--
	if h.counts[w.who] == 0 {
		delete(h.counts, w.who)
	}
}

// Wake wakes everybody who waits for one of the topics. It never blocks.
func (h *Hub) Wake(topics ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, topic := range topics {
		for w := range h.topics[topic] {
			w.wake()
		}
	}
}

func (w *Waiter) wake() {
	select {
	case w.woken <- w.hub.clock():
	default: // it has a wake-up it has not looked at yet
	}
}

// Parties returns who has waiters.
func (h *Hub) Parties() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	parties := make([]string, 0, len(h.counts))
	for who := range h.counts {
		parties = append(parties, who)
	}
	return parties
}

// Dismiss tells the waiters of those who are gone that nothing comes any more: they receive the zero time. A wake-up
// that they have not looked at gives way to that.
func (h *Hub) Dismiss(gone func(who string) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, waiters := range h.topics {
		for w := range waiters {
			if gone(w.who) {
				w.dismiss()
			}
		}
	}
}

func (w *Waiter) dismiss() {
	select {
	case <-w.woken:
	default:
	}
	w.woken <- time.Time{} // there is room: who sends holds the hub's lock
}

// Saw tells which state of a topic the waiter has read, so that a change made elsewhere can be told from one it knows.
// A topic it hasn't joined it joins by this.
func (w *Waiter) Saw(topic, tag string) {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	if w.topics == nil { // it has left
		return
	}
	i := slices.Index(w.topics, topic)
	if i < 0 {
		i = len(w.topics)
		w.topics, w.seen = append(slices.Clone(w.topics), topic), append(w.seen, "")
		w.hub.add(topic, w)
	}
	w.seen[i] = tag
}

// Watched returns the topics that somebody waits for.
func (h *Hub) Watched() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	topics := make([]string, 0, len(h.topics))
	for topic := range h.topics {
		topics = append(topics, topic)
	}
	return topics
}

// Compare wakes those who have read another state of a topic than the one with the tag, and returns how many. Who
// hasn't read any yet is about to.
func (h *Hub) Compare(tags map[string]string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	woken := 0
	for topic, tag := range tags {
		for w := range h.topics[topic] {
			if seen := w.seen[slices.Index(w.topics, topic)]; seen != "" && seen != tag {
				woken++
				w.wake()
			}
		}
	}
	return woken
}

// Stop lets everybody who waits go and lets nobody join any more. Stopping twice is stopping once.
func (h *Hub) Stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed {
		h.closed = true
		close(h.stopping)
	}
}

// Stopping is closed by Stop.
func (h *Hub) Stopping() <-chan struct{} { return h.stopping }

// Waiting returns how many requests wait.
func (h *Hub) Waiting() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.total
}
