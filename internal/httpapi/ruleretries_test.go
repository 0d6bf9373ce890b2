package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The answer was lost, and meanwhile the rules were edited: what was asked for for is not on offer any more.
func TestATableIsOpenedOnceWhateverBecomesOfTheRules(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, host := w.admin(t, "ola"), w.guest(t, "Ola")
		const request = `{"visibility":"public","settings":{"move_time_limit_seconds":30},"client_ref":"5b0e7c1a-6f55-4c0e-9d57-2f1f0a4c9b11"}`
		opened := host.opens(t, request)
		for _, changeable := range []bool{true, false} {
			ola.edits(t, limit, "0", []string{"0", "60"}, changeable)
			assert.Equal(t, opened.ID, host.opens(t, request).ID)
		}
		another := w.guest(t, "Jan").post(t, "/v1/tables", request)
		assert.Equal(t, "rule_not_changeable", another.problem(t).Code, "another's name for a table")
		ola.edits(t, limit, "0", []string{"0", "60"}, true)
		unknown := host.post(t, "/v1/tables", `{"settings":{"move_time_limit_seconds":30},"client_ref":"5b0e7c1a-6f55-4c0e-9d57-2f1f0a4c9b12"}`)
		assert.Equal(t, "option_not_offered", unknown.problem(t).Code)
		w.db.Clock.Advance(25 * time.Hour)
		assert.Equal(t, "option_not_offered", host.post(t, "/v1/tables", request).problem(t).Code, "the day of the name is over")
	}, standingStill, configured("RATE_LIMIT=off"))
}

func TestQuickMatchRefusesAClockThatNobodyElseMayName(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		ola, host, guest := w.admin(t, "ola"), w.guest(t, "Ola"), w.guest(t, "Иван")
		const request = `{"move_time_limit_seconds":30}`
		waiting := host.meets(t, request)
		playing := w.guest(t, "Ida").meets(t, `{"move_time_limit_seconds":60}`)
		assert.Equal(t, playing.ID, guest.meets(t, `{"move_time_limit_seconds":60}`).ID)

		ola.edits(t, limit, "0", []string{"0"}, true)
		assert.Equal(t, "option_not_offered", host.post(t, "/v1/quick-match", request).problem(t).Code, "nobody will come any more")
		assert.Equal(t, playing.ID, guest.meets(t, `{"move_time_limit_seconds":60}`).ID, "its first game runs")

		stranger := w.guest(t, "Jan")
		refused := stranger.post(t, "/v1/quick-match", request)
		assert.Equal(t, http.StatusUnprocessableEntity, refused.status)
		assert.Equal(t, "option_not_offered", refused.problem(t).Code, "somebody waits, but it is not on offer")
		assert.Equal(t, []string{"/move_time_limit_seconds"}, pointersOf(refused.problem(t)))
		assert.Empty(t, stranger.mine(t, "").Items)
		require.NoError(t, w.Matches.CloseUnoffered(t.Context()))
		closed := host.looks(t, waiting.ID)
		assert.Equal(t, "closed", closed.Status)
		assert.Equal(t, "no_longer_offered", *closed.CloseReason)
		assert.Nil(t, closed.MovedToTableID)
		assert.Equal(t, "option_not_offered", host.post(t, "/v1/quick-match", request).problem(t).Code, "it is a new request")
	}, standingStill, configured("RATE_LIMIT=off"))
}
