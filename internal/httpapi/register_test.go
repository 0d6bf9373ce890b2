package httpapi_test

import (
	"slices"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/httpapi"
)

func operationIDs(t *testing.T) []string {
	t.Helper()
	var ids []string
	for _, o := range operations(t) {
		ids = append(ids, o.id)
	}
	slices.Sort(ids)
	return ids
}

func TestEveryOperationIsServedBehindItsGuard(t *testing.T) {
	t.Parallel()
	require.NoError(t, httpapi.RegisterGuarded(operationIDs(t)))
}

func TestAnOperationWithoutItsGuardIsNotServed(t *testing.T) {
	t.Parallel()
	for i, id := range operationIDs(t) {
		err := httpapi.RegisterGuarded(slices.Delete(operationIDs(t), i, i+1))
		if assert.Error(t, err, id) {
			assert.Contains(t, err.Error(), id+" has no guard")
		}
	}
}

func TestAGuardUnderAnotherNameIsNoticed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"PlayMove", "playmove", "play_move", "nothing"} {
		assert.ErrorContains(t, httpapi.RegisterGuarded(append(operationIDs(t), name)), name)
	}
}

func TestAHandlerMustAnswer(t *testing.T) {
	t.Parallel()
	handler := httpapi.RefuseNothing(func(echo.Context, any) (any, error) { return nil, nil }, "PlayMove")
	_, err := handler(nil, nil)
	require.ErrorContains(t, err, "PlayMove")
}
