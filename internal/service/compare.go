package service

import (
	"context"
	"slices"

	"github.com/fourinarow/fourinarow/internal/live"
)

// TagStore tells what has changed.
type TagStore interface {
	// Tags returns the tags of games, tables and lists of a profile's tables, by topic. Unknown topics are left out.
	Tags(ctx context.Context, topics []live.Topic) (map[live.Topic]string, error)
}

// Changes finds out what other replicas have changed.
type Changes struct{ store TagStore }

// tagsAtOnce is how many topics one question to the database names.
const tagsAtOnce = 1000

// Compare wakes the requests that wait in this process for what another replica has changed.
func (s *Changes) Compare(ctx context.Context, hub Comparer) error {
	for topics := range slices.Chunk(hub.Watched(), tagsAtOnce) {
		tags, err := s.store.Tags(ctx, topics)
		if err != nil {
			return wrap(err, "look for changes of %d topics", len(topics))
		}
		hub.Compare(tags)
	}
	return nil
}

// Comparer is the waiters of a process, to be compared with the database; internal/live has it.
type Comparer interface {
	Watched() []live.Topic
	Compare(tags map[live.Topic]string) int
}
