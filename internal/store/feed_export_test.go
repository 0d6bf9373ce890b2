package store

// RemembersNews replaces what the store remembers of its last reading of the feed: the snapshot and the timeline.
func (s *Store) RemembersNews(as func(snapshot, timeline string) (string, string)) {
	s.feed.mu.Lock()
	defer s.feed.mu.Unlock()
	s.feed.last.Snapshot, s.feed.last.Timeline = as(s.feed.last.Snapshot, s.feed.last.Timeline)
}
