package main_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestManyRefusalsAreFewLinesOfTheLog(t *testing.T) {
	t.Parallel()
	cmd, out := command(t, nil)
	p := start(t, cmd, out)
	const refusals = 1000
	for range refusals {
		status, _ := p.get(t, "/nowhere")
		require.Contains(t, []int{http.StatusNotFound, http.StatusTooManyRequests}, status)
	}
	lines := strings.Count(out.String(), "msg=request")
	assert.Positive(t, lines)
	assert.Less(t, lines, refusals/10, "ten of a kind, and how many more there were")
	stopped(t, p)
}
