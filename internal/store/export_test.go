package store

// HoldUpdates lets updates of running games gather, until release sends them. Gathered says how many there are.
func (s *Store) HoldUpdates() (gathered func() int, release func()) {
	m := s.updates
	m.mu.Lock()
	defer m.mu.Unlock()
	m.running = true
	gathered = func() int {
		m.mu.Lock()
		defer m.mu.Unlock()
		return len(m.next)
	}
	return gathered, m.goOn
}
