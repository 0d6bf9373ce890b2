package store

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/game"
)

func TestARowThatWasReadBeforeAWriteIsNotKept(t *testing.T) {
	t.Parallel()
	m, id := newMemory(), game.ID("one")
	begun := m.written(id).Load()
	m.wrote(&game.Game{ID: id, Version: 2})
	m.games.Remove(id) // others needed the room
	m.read(&game.Game{ID: id, Version: 1}, begun)
	_, known := m.get(id)
	assert.False(t, known)
	m.read(&game.Game{ID: id, Version: 2}, m.written(id).Load())
	g, known := m.get(id)
	assert.True(t, known)
	assert.EqualValues(t, 2, g.Version)
}

func TestOfTwoWritesTheLaterIsKeptWhateverTheOrderTheyAreKeptIn(t *testing.T) {
	t.Parallel()
	m, id := newMemory(), game.ID("one")
	m.wrote(&game.Game{ID: id, Version: 3})
	m.wrote(&game.Game{ID: id, Version: 2})
	g, _ := m.get(id)
	assert.EqualValues(t, 3, g.Version)
}

func TestAVersionCheckIsSharedOnlyByRequestsThatCameBeforeItWasSent(t *testing.T) {
	t.Parallel()
	sent, answer := make(chan []game.ID), make(chan int64)
	checks := versionChecks{send: func(_ context.Context, ids []game.ID) (map[game.ID]mark, error) {
		sent <- ids
		version, marks := <-answer, map[game.ID]mark{}
		for _, id := range ids {
			marks[id] = mark{version, 0}
		}
		return marks, nil
	}}
	var all sync.WaitGroup
	see := func(id game.ID, want int64) {
		all.Go(func() {
			found, there, err := checks.mark(t.Context(), id)
			assert.NoError(t, err)
			assert.True(t, there)
			assert.Equal(t, want, found.version, "%s", id)
		})
	}
	see("first", 1)
	require.Equal(t, []game.ID{"first"}, <-sent)
	see("second", 2)
	see("third", 2)
	for gathered := 0; gathered < 2; { // both wait for the next
		checks.mu.Lock()
		if checks.next != nil {
			gathered = len(checks.next.ids)
		}
		checks.mu.Unlock()
	}
	answer <- 1
	assert.ElementsMatch(t, []game.ID{"second", "third"}, <-sent)
	answer <- 2
	all.Wait()
}

func TestAGameThatThereIsNotHasNoMark(t *testing.T) {
	t.Parallel()
	checks := versionChecks{send: func(context.Context, []game.ID) (map[game.ID]mark, error) { return nil, nil }}
	_, there, err := checks.mark(t.Context(), "none")
	require.NoError(t, err)
	assert.False(t, there)
}
