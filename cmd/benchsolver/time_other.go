//go:build !unix

package main

import "time"

var started = time.Now()

// processorTime is the time on the wall where nothing better is known.
func processorTime() time.Duration { return time.Since(started) }
