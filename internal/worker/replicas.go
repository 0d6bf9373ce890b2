package worker

import (
	"context"

	"github.com/fourinarow/fourinarow/internal/live"
)

// readNews reads what other replicas have changed, while a request waits, until ctx is done.
func (w *Worker) readNews(ctx context.Context) {
	pause := newsEvery
	for rest(ctx, jittered(pause)) {
		pause = newsEvery
		if w.deps.Hub.Waiting() == 0 {
			continue
		}
		step, cancel := context.WithTimeout(ctx, stepAtMost)
		err := w.deps.Changes.ReadNews(step, w.deps.Hub)
		cancel()
		if err != nil {
			w.report(ctx, "read what other replicas have changed", err)
			pause = soon
		}
	}
}

// compares looks for changes that the feed didn't have, among a part of what is watched each time, until ctx is done.
func (w *Worker) compares(ctx context.Context) {
	var watched []live.Topic
	part := 0
	for rest(ctx, jittered(compareEvery)) {
		if len(watched) == 0 {
			watched = w.deps.Hub.Watched()
			part = (len(watched) + compareParts - 1) / compareParts
		}
		if len(watched) == 0 {
			continue
		}
		topics := watched[:min(part, len(watched))]
		watched = watched[len(topics):]
		step, cancel := context.WithTimeout(ctx, stepAtMost)
		w.report(ctx, "look for changes of other replicas", w.deps.Changes.Compare(step, w.deps.Hub, topics))
		cancel()
	}
}
