package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

func TestTwoGuestsPlayAGameToAWin(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		won := m.play(t, "1213141")
		require.NotNil(t, won.Result, "the answer to the winning move says that it is over")
		assert.Equal(t, api.OutcomeWin, won.Result.Outcome)
		assert.Equal(t, api.SideRed, *won.Result.Winner)
		assert.Equal(t, "line", *won.Result.EndedBy)
		assert.Equal(t, []api.Field{{Column: 1, Row: 1}, {Column: 1, Row: 2}, {Column: 1, Row: 3}, {Column: 1, Row: 4}}, won.Result.Fields)
		assert.Equal(t, "finished", won.Status)
		assert.Nil(t, won.Turn)
		assert.Nil(t, won.PollAfterMs, "nothing will change any more")
		assert.Empty(t, won.LegalColumns)
		assert.EqualValues(t, 8, won.Version)

		table := decode[api.Table](t, w.get(t, tablePath(m.table.ID)), http.StatusOK)
		assert.Equal(t, "closed", table.Status)
		assert.Nil(t, table.CloseReason)
		assert.Equal(t, "finished", table.CurrentGame.Status)
	})
}
