package table_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

func TestTheNearestInRatingIsMet(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 9, 22, 12, 0, 0, 0, time.UTC)
	waits := func(id table.ID, rating profile.Rating, seen, since time.Duration) table.Candidate {
		return table.Candidate{ID: id, Rating: rating, Seen: noon.Add(-seen), Since: noon.Add(-since)}
	}
	for _, row := range []struct {
		what    string
		waiting []table.Candidate
		want    []table.ID
	}{
		{"nobody", nil, []table.ID{}},
		{"the nearest, above or below", []table.Candidate{waits("far", 1300, 0, 0), waits("near", 1590, 0, 0), waits("mid", 1400, 0, 0)}, []table.ID{"near", "mid", "far"}},
		{"who was seen ten seconds ago", []table.Candidate{waits("here", 1200, 10*time.Second, 0), waits("gone", 1500, 10*time.Second+1, 0)}, []table.ID{"here"}},
		{"of equals who has waited longest", []table.Candidate{waits("new", 1400, 0, 1), waits("old", 1600, 0, 2)}, []table.ID{"old", "new"}},
	} {
		assert.Equal(t, row.want, table.Nearest(1500, row.waiting, noon.Add(-10*time.Second)), row.what)
	}
}

func anyRating(r *rapid.T) profile.Rating {
	return profile.Rating(rapid.Int64Range(0, 4_000_000_000).Draw(r, "rating"))
}

func TestNobodyNearerIsPassedBy(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		ratings := rapid.SliceOfN(rapid.Custom(anyRating), 1, 20).Draw(r, "ratings")
		mine := rapid.Custom(anyRating).Draw(r, "mine")
		waiting := make([]table.Candidate, 0, len(ratings))
		byID := map[table.ID]profile.Rating{}
		for i, rating := range ratings {
			id := table.ID(rune('a' + i))
			waiting = append(waiting, table.Candidate{ID: id, Rating: rating})
			byID[id] = rating
		}
		order := table.Nearest(mine, waiting, time.Time{})
		assert.Len(r, order, len(ratings))
		assert.True(r, slices.IsSortedFunc(order, func(a, b table.ID) int {
			return int(max(byID[a]-mine, mine-byID[a]) - max(byID[b]-mine, mine-byID[b]))
		}))
	})
}
