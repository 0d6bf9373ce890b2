package live

import (
	"sync"
)

// Hub is the topics and those who wait for them. Use NewHub.
type Hub struct {
	atMost   int
	stopping chan struct{}

	mu     sync.Mutex
	topics map[string]map[*Waiter]struct{}
	counts map[string]int // waiters by who they belong to
	total  int
	closed bool
}

// NewHub returns a hub for at most so many waiters.
func NewHub(atMost int) *Hub {
	return &Hub{
		atMost: atMost, stopping: make(chan struct{}),
		topics: make(map[string]map[*Waiter]struct{}), counts: make(map[string]int),
	}
}

// Waiter is one request that waits.
type Waiter struct {
	hub    *Hub
	who    string
	topics []string
	woken  chan struct{}
}

// Join adds a waiter for some topics. It is refused when who has atMost waiters already, when the hub is full, and
// when it is stopping; nobody is sent away for a newcomer. A waiter that joined must Leave.
func (h *Hub) Join(who string, atMost int, topics ...string) (*Waiter, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || h.total >= h.atMost || h.counts[who] >= atMost {
		return nil, false
	}
	w := &Waiter{hub: h, who: who, topics: topics, woken: make(chan struct{}, 1)}
	h.total++
	h.counts[who]++
	for _, topic := range topics {
		waiters := h.topics[topic]
		if waiters == nil {
			waiters = make(map[*Waiter]struct{}, 1)
			h.topics[topic] = waiters
		}
		waiters[w] = struct{}{}
	}
	return w, true
}

// Woken is ready once a topic of the waiter was named since it was last received from.
func (w *Waiter) Woken() <-chan struct{} { return w.woken }

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
			select {
			case w.woken <- struct{}{}:
			default: // it has a wake-up it has not looked at yet
			}
		}
	}
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
