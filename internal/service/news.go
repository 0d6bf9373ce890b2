package service

import (
	"context"
	"slices"

	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// ChangeStore tells what other replicas have changed.
type ChangeStore interface {
	// News returns what other replicas say they have changed since the last call. There is none where there are no replicas.
	News(ctx context.Context) (News, error)
	// TrimNews throws away what every replica had the time to read.
	TrimNews(ctx context.Context) error
	// Tags returns the tags of games, tables and lists of a profile's tables, by topic, but for those that are as given.
	// Unknown topics are left out.
	Tags(ctx context.Context, known map[live.Topic]string) (map[live.Topic]string, error)
}

// News is what other replicas have changed.
type News struct {
	IDs     []string           // of games, of tables, and of profiles whose lists of tables have changed
	Removed []profile.DeviceID // devices whose tokens are good no more
	Lost    bool               // there may be more: this is the first call, or long after the last one, or the database was away
}

// Changes finds out what other replicas have changed.
type Changes struct {
	store   ChangeStore
	devices *Devices
}

// ReadNews wakes the requests that wait in this process for what other replicas say they have changed, and all when
// something that was said may be lost. It ends those of devices that were removed.
func (s *Changes) ReadNews(ctx context.Context, hub Waker) error {
	news, err := s.store.News(ctx)
	if err != nil {
		return wrap(err, "read what other replicas have changed")
	}
	if news.Lost {
		hub.WakeAll()
		return s.devices.dismissMissed(ctx, hub)
	}
	hub.Wake(topicsNamed(news.IDs)...)
	s.devices.dismiss(hub, news.Removed...)
	return nil
}

// TrimNews throws away what every replica had the time to read.
func (s *Changes) TrimNews(ctx context.Context) error { return s.store.TrimNews(ctx) }

// tagsAtOnce is how many topics one question to the database names.
const tagsAtOnce = 2000

// Compare wakes the requests that wait in this process for one of some topics of which there is another state by now:
// nobody said so, since news were lost or a replica is older.
func (s *Changes) Compare(ctx context.Context, hub Comparer, topics []live.Topic) error {
	for topics := range slices.Chunk(topics, tagsAtOnce) {
		tags, err := s.store.Tags(ctx, hub.Read(topics))
		if err != nil {
			return wrap(err, "look for changes of %d topics", len(topics))
		}
		hub.Compare(tags)
	}
	return nil
}

// Waker is the waiters of a process, to be woken or dismissed; internal/live has it.
type Waker interface {
	Dismisser
	Wake(topics ...live.Topic)
	WakeAll()
}

// Comparer is the waiters of a process, to be compared with the database; internal/live has it.
type Comparer interface {
	Read(topics []live.Topic) map[live.Topic]string
	Compare(tags map[live.Topic]string) int
}
