package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

// tablesIn returns the ids of a page of public tables.
func (w *world) tablesIn(t *testing.T, query string) []uuid.UUID {
	t.Helper()
	list := decode[api.TableList](t, w.get(t, "/v1/tables"+query), http.StatusOK)
	ids := make([]uuid.UUID, 0, len(list.Items))
	for _, item := range list.Items {
		ids = append(ids, item.ID)
	}
	return ids
}

func TestTheLobbyIsFiltered(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		requests := []string{
			public, `{"visibility":"public","ranked":true}`, `{"visibility":"public","settings":{"move_time_limit_seconds":30}}`,
			`{"visibility":"public","ranked":true,"settings":{"move_time_limit_seconds":30}}`,
		}
		waiting, playing := make([]uuid.UUID, 4), make([]uuid.UUID, 4)
		for i, request := range requests {
			host := w.guest(t, "Ola")
			playing[i] = w.guest(t, "Иван").joins(t, host.opens(t, request)).ID
			waiting[i] = host.opens(t, request).ID
		}
		for query, want := range map[string][]int{
			"": {3, 2, 1, 0}, "ranked=true": {3, 1}, "ranked=false": {2, 0}, "move_time_limit_seconds=30": {3, 2},
			"move_time_limit_seconds=0": {1, 0}, "ranked=true&move_time_limit_seconds=30": {3}, "move_time_limit_seconds=60": {},
		} {
			for status, tables := range map[string][]uuid.UUID{"waiting": waiting, "playing": playing} {
				expected := make([]uuid.UUID, 0, len(want))
				for _, i := range want {
					expected = append(expected, tables[i])
				}
				assert.Equal(t, expected, w.tablesIn(t, "?status="+status+"&"+query), "%s %s", status, query)
			}
		}
		first := decode[api.TableList](t, w.get(t, "/v1/tables?ranked=true&limit=1"), http.StatusOK)
		assert.Equal(t, []uuid.UUID{waiting[1]}, w.tablesIn(t, "?ranked=true&limit=1&cursor="+*first.NextCursor))
		for _, query := range []string{"?ranked=false&cursor=" + *first.NextCursor, "?ranked=maybe", "?move_time_limit_seconds=x", "?level=1"} {
			assert.Equal(t, "invalid_request", w.get(t, "/v1/tables"+query).problem(t).Code, query)
		}
		assert.Equal(t, "1 part of the request is wrong", w.get(t, "/v1/tables?limit=x").problem(t).Detail)
	})
}

// A host who is away long is taken off the list, and comes back to it.
func TestADesertedTableIsListedAgainWhenItsHostReturns(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		host := w.guest(t, "Ola")
		table := host.opens(t, public)
		w.db.Clock.Advance(time.Minute)
		require.NoError(t, w.Uptime.Beat(t.Context()))
		require.NoError(t, w.Tables.UnlistDeserted(t.Context()))
		assert.Empty(t, w.tablesIn(t, ""))
		host.looks(t, table.ID)
		require.NoError(t, w.Presence.Keep(t.Context()))
		assert.Equal(t, []uuid.UUID{table.ID}, w.tablesIn(t, ""))
		require.NoError(t, w.Tables.UnlistDeserted(t.Context()))
		assert.Equal(t, []uuid.UUID{table.ID}, w.tablesIn(t, ""))
		assert.EqualValues(t, 1, host.looks(t, table.ID).Version, "nobody is told of that")
	}, calm, standingStill)
}
