package service_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/service"
)

func TestAStartAddsTheRulesThatTheDatabaseDoesNotHave(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		w.tamper(t, "DELETE FROM house_rules WHERE rule = 'cpu_cover'")
		w.tamper(t, "UPDATE house_rules SET version = 3, default_option = 'loss', options = 'loss' WHERE rule = 'on_timeout'")
		w.tamper(t, `INSERT INTO house_rules (rule, default_option, options, changeable, version, created, updated)
VALUES ('gravity', 'up', 'down,up', true, 1, 1, 1)`)
		rules := service.NewCatalogue(w.db.Store, w.db.Clock.Now)
		require.NoError(t, rules.Start(t.Context()))

		stored, err := w.db.Store.HouseRule(t.Context(), houserule.CPUCover)
		require.NoError(t, err)
		assert.Equal(t, []string{houserule.On, houserule.Off}, stored.Options)
		now, err := rules.Now(t.Context())
		require.NoError(t, err)
		assert.Len(t, now.Rules(), len(houserule.Standard().Rules()), "a rule that nobody here knows is not shown")
		require.NoError(t, now.Choose(houserule.CPUCover, houserule.Off))
		refused := fault.Is(now.Choose(houserule.OnTimeout, houserule.CPUMove), fault.OptionNotOffered)
		assert.True(t, refused, "an option that is new to the database is not on offer")
		foreign, err := w.db.Store.HouseRule(t.Context(), "gravity")
		require.NoError(t, err)
		assert.Equal(t, "up", foreign.Default, "and it is left alone")
	})
}
