package httpapi_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit"
)

// living is how many bytes and goroutines there are.
func living() (bytes uint64, goroutines int) {
	runtime.GC()
	runtime.GC() // what pools hold goes with the second
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return memory.HeapAlloc, runtime.NumGoroutine()
}

// A compressor takes some hundred kilobytes: with one for each, these would take a hundred times as much.
func TestRequestsThatWaitHoldNoCompressor(t *testing.T) { //nolint:paralleltest // it counts what the whole process holds
	const requests = 100
	w := serve(t, testkit.SQLite(t), configured("WAITERS_PER_TOKEN_AND_GAME=1000", "WAITERS_PER_PROFILE=1000", "RATE_LIMIT=off"))
	m := w.match(t, public)
	encodings := make(chan string, requests)
	bytes, goroutines := living()
	for i := range requests {
		waiting := w.Hub.Waiting()
		encoding := []string{"gzip", "zstd"}[i%2]
		go func() {
			got, _ := raw(t, w, gamePath(m.game)+"?after_version=1&wait=30", encoding, m.red.token)
			encodings <- got.Get("Content-Encoding")
		}()
		require.Eventually(t, func() bool { return w.Hub.Waiting() > waiting }, soon, time.Millisecond)
	}
	now, many := living()
	assert.Less(t, int64(now)-int64(bytes), int64(requests*100_000))
	assert.LessOrEqual(t, many-goroutines, requests*6, "two of the server, and those of the client")
	m.play(t, "4")
	count := map[string]int{}
	for range requests {
		count[<-encodings]++
	}
	assert.Equal(t, map[string]int{"gzip": requests / 2, "zstd": requests / 2}, count)
}
