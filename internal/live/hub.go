package live

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// Hub is the topics and their waiters. It is safe for concurrent use, and no method but those of channels blocks. Use
// NewHub.
type Hub struct {
	atMost   int
	limits   Limits
	clock    func() time.Time
	stopping chan struct{}

	mu     sync.Mutex
	topics map[Topic]map[*Waiter]struct{}
	counts map[share]int // waiters
	total  int
	closed bool
}

// NewHub returns a hub for at most so many waiters in all, and so many of those who are counted together. The clock tells
// them when they were woken.
func NewHub(atMost int, limits Limits, clock func() time.Time) *Hub {
	return &Hub{
		atMost: atMost, limits: limits, clock: clock, stopping: make(chan struct{}),
		topics: make(map[Topic]map[*Waiter]struct{}), counts: make(map[share]int),
	}
}

// Waiter is one request that waits for a topic.
type Waiter struct {
	hub   *Hub
	party Party
	topic Topic
	seen  string // the tag of the state it has read; empty: it has read none yet
	left  bool
	woken chan time.Time
}

// Join adds a waiter for a topic. It is refused when the party has as many waiters as it may, when the hub is full, and
// when it is stopping; nobody is sent away for a newcomer. A waiter that joined must Leave.
func (h *Hub) Join(party Party, topic Topic) (*Waiter, bool) {
	shares, limits := h.limits.shares(party, topic)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || h.total >= h.atMost {
		return nil, false
	}
	for i, s := range shares {
		if s.kind != 0 && h.counts[s] >= limits[i] {
			return nil, false
		}
	}
	for _, s := range shares {
		if s.kind != 0 {
			h.counts[s]++
		}
	}
	w := &Waiter{hub: h, party: party, topic: topic, seen: "", left: false, woken: make(chan time.Time, 1)}
	h.total++
	waiters := h.topics[topic]
	if waiters == nil {
		waiters = make(map[*Waiter]struct{}, 1)
		h.topics[topic] = waiters
	}
	waiters[w] = struct{}{}
	return w, true
}

// Woken is ready once the waiter's topic was named since it was last received from, and tells when it was first. The
// zero time says that the waiter was dismissed.
func (w *Waiter) Woken() <-chan time.Time { return w.woken }

// Saw tells which state of its topic the waiter has read, so that Compare can tell it from another one.
func (w *Waiter) Saw(tag string) {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	w.seen = tag
}

// Leave takes the waiter out of the hub. Leaving twice is leaving once.
func (w *Waiter) Leave() {
	h := w.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if w.left {
		return
	}
	w.left = true
	delete(h.topics[w.topic], w)
	if len(h.topics[w.topic]) == 0 {
		delete(h.topics, w.topic)
	}
	h.total--
	shares, _ := h.limits.shares(w.party, w.topic)
	for _, s := range shares {
		if h.counts[s]--; h.counts[s] <= 0 { // also what is none
			delete(h.counts, s)
		}
	}
}

// Wake wakes the waiters of topics.
func (h *Hub) Wake(topics ...Topic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, topic := range topics {
		for w := range h.topics[topic] {
			w.wake()
		}
	}
}

// WakeAll wakes all waiters.
func (h *Hub) WakeAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, waiters := range h.topics {
		for w := range waiters {
			w.wake()
		}
	}
}

func (w *Waiter) wake() {
	select {
	case w.woken <- w.hub.clock():
	default: // it has a wake-up that it has not received yet
	}
}

// Watched returns the topics that have waiters, in no order.
func (h *Hub) Watched() []Topic {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Collect(maps.Keys(h.topics))
}

// Read returns which state of some topics their waiters have read, as a tag: an empty one where they have read several.
// Topics of which nobody has read any yet are left out.
func (h *Hub) Read(topics []Topic) map[Topic]string {
	h.mu.Lock()
	defer h.mu.Unlock()
	tags := make(map[Topic]string, len(topics))
	for _, topic := range topics {
		for w := range h.topics[topic] {
			if tag, known := tags[topic]; known && tag != w.seen && w.seen != "" {
				tags[topic] = ""
				break
			}
			if w.seen != "" {
				tags[topic] = w.seen
			}
		}
	}
	return tags
}

// Compare wakes the waiters that have read another state of a topic than the one with the tag, and returns how many. A
// waiter that hasn't read any yet is about to.
func (h *Hub) Compare(tags map[Topic]string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	woken := 0
	for topic, tag := range tags {
		for w := range h.topics[topic] {
			if w.seen != "" && w.seen != tag {
				woken++
				w.wake()
			}
		}
	}
	return woken
}

// Parties returns the parties that have waiters, in no order.
func (h *Hub) Parties() []Party {
	h.mu.Lock()
	defer h.mu.Unlock()
	parties := make(map[Party]struct{}, h.total)
	for _, waiters := range h.topics {
		for w := range waiters {
			parties[w.party] = struct{}{}
		}
	}
	return slices.Collect(maps.Keys(parties))
}

// Dismiss tells the waiters of parties that are gone that nothing comes any more: they receive the zero time, also in
// place of a wake-up that they haven't received yet.
func (h *Hub) Dismiss(gone func(Party) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, waiters := range h.topics {
		for w := range waiters {
			if gone(w.party) {
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
	w.woken <- time.Time{} // there is room: senders hold the hub's lock
}

// Stop ends all waits and lets nobody join any more. Stopping twice is stopping once.
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
