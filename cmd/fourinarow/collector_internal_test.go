package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestGarbageGathersWhileThereIsLittle(t *testing.T) {
	t.Parallel()
	for megabytes, growth := range map[uint64]int{0: 300, 1: 300, 42: 300, 64: 200, 128: 100, 300: 25, 512: 25, 100_000: 25} {
		assert.Equal(t, growth, growthFor(megabytes<<20), "%d MB in use", megabytes)
	}
}
