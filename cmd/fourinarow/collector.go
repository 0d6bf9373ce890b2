package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// heapGrowth is by how many percent the heap grows at most before it is collected: what is kept is a few tens of
	// megabytes, and every answer leaves some kilobytes behind.
	heapGrowth = 300
	// garbageAtMost is how many bytes of garbage there are to be, so that what many connections hold isn't had three times over.
	garbageAtMost = 128 << 20
	// heapSeen is how often the collector is told anew.
	heapSeen = time.Second

	growthByDefault = 100
	growthStep      = 25 // the least growth, and the least change of it
)

// collectLater lets garbage gather while there is little of anything, until ctx is done. What GOGC says stays.
func collectLater(ctx context.Context) {
	if before := debug.SetGCPercent(heapGrowth); before != growthByDefault {
		debug.SetGCPercent(before)
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"}}
	growth := heapGrowth
	tick := time.NewTicker(heapSeen)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		metrics.Read(live)
		if now := growthFor(live[0].Value.Uint64() + live[1].Value.Uint64()); now != growth {
			growth = now
			debug.SetGCPercent(growth)
		}
	}
}

// growthFor returns by how many percent a heap may grow of which so many bytes are in use.
func growthFor(live uint64) int {
	const percent = 100
	if live == 0 {
		return heapGrowth
	}
	growth := min(heapGrowth, garbageAtMost*percent/live)
	return int(max(growthStep, growth-growth%growthStep))
}
