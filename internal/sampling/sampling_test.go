package sampling_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/sampling"
)

// logging gives a logger and what it has written. The lines that are still counted are told before it returns.
func logging(t *testing.T, write func(l *slog.Logger)) []map[string]any {
	t.Helper()
	var lines []map[string]any
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		write(slog.New(sampling.New(slog.NewJSONHandler(&out, nil))))
		time.Sleep(time.Minute)
		synctest.Wait()
		for line := range strings.Lines(out.String()) {
			var entry map[string]any
			require.NoError(t, json.Unmarshal([]byte(line), &entry))
			lines = append(lines, entry)
		}
	})
	return lines
}

var errFull = errors.New("database or disk is full")

func TestAnErrorsFirstLineIsWholeAndThenThereIsOneInTenSecondsWithTheCount(t *testing.T) {
	t.Parallel()
	lines := logging(t, func(l *slog.Logger) {
		for i := range 3000 { // in thirty seconds
			l.Error("it failed", "error", fmt.Errorf("write game %d: %w", i, errFull), "operation", "playMove", "request_id", i)
			time.Sleep(10 * time.Millisecond)
		}
	})
	require.NotEmpty(t, lines)
	assert.EqualValues(t, 0, lines[0]["request_id"])
	assert.Equal(t, "write game 0: database or disk is full", lines[0]["error"])
	assert.NotContains(t, lines[0], "not_logged")
	assert.LessOrEqual(t, len(lines), 4)
	all := len(lines)
	for _, line := range lines[1:] {
		assert.Contains(t, line["error"], "database or disk is full")
		all += int(line["not_logged"].(float64)) //nolint:forcetypeassert // a number of JSON is one
	}
	assert.Equal(t, 3000, all, "each is counted")
}

func TestCausesAreToldApart(t *testing.T) {
	t.Parallel()
	lines := logging(t, func(l *slog.Logger) {
		for range 5 {
			l.Error("it failed", "error", errors.Join(errors.New("while closing"), errFull))
			l.Error("it failed", "error", errors.New("locked"))
			l.Error("it failed", "error", errFull, "operation", "playMove")
			l.Error("it failed", "error", errFull, "what", "settings of a table")
			l.Warn("it failed", "error", errFull)
			l.With("part", "worker").Warn("it failed", "error", errFull)
		}
	})
	assert.Len(t, lines, 2*5, "the first of each, and how many more there were")
}

func TestOfRefusalsTenOfAKindPassAndOfWhatWasAnsweredAll(t *testing.T) {
	t.Parallel()
	lines := logging(t, func(l *slog.Logger) {
		for range 500 {
			l.Info("request", "operation", "getGame", "status", 200)
			l.Info("request", "operation", "getGame", "status", 404)
			l.Info("request", "operation", "", "status", 404)
			l.Info("request", "operation", "getGame", "status", 429)
		}
	})
	count := make(map[string]int)
	for _, line := range lines {
		count[fmt.Sprint(line["operation"], " ", line["status"])]++
	}
	assert.Equal(t, map[string]int{"getGame 200": 500, "getGame 404": 11, " 404": 11, "getGame 429": 11}, count)
}

func TestHoweverManyCausesThereAreTheLogIsBounded(t *testing.T) {
	t.Parallel()
	lines := logging(t, func(l *slog.Logger) {
		for i := range 10_000 {
			l.Warn("it failed", "error", fmt.Errorf("made up %d", i))
		}
	})
	assert.Len(t, lines, 100+2, "a hundred, and the first and the count of all others")
}

func TestAfterAQuietWhileALineIsWholeAgain(t *testing.T) {
	t.Parallel()
	lines := logging(t, func(l *slog.Logger) {
		for range 3 {
			l.Warn("it failed", "error", errFull)
			time.Sleep(15 * time.Second)
		}
	})
	require.Len(t, lines, 3)
	for _, line := range lines {
		assert.NotContains(t, line, "not_logged")
	}
}
