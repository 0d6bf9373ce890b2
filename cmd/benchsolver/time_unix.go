//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorTime is what this process has used of the processors so far.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // can't fail for the process itself
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
