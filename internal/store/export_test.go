package store

// HoldMoves lets moves gather that share statements, until release sends them. Gathered says how many there are.
func (s *Store) HoldMoves() (gathered func() int, release func()) {
	m := s.moves
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
