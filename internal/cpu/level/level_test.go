package level_test

import (
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
)

func TestEveryRowSaysHowItsLevelPlays(t *testing.T) {
	t.Parallel()
	names := level.Names()
	for i, l := range level.All() {
		assert.Regexp(t, "^[a-z_]{1,40}$", l.Name)
		assert.Equal(t, i, slices.Index(names, string(l.Name)), "two rows are called %s", l.Name)
		assert.Positive(t, l.BlocksOne, "BlocksOne of %s: it blocks one time in 1 or more", l.Name)
		busy, crowded := slices.Index(names, string(l.Busy)), slices.Index(names, string(l.Crowded))
		assert.True(t, busy >= 0 && busy <= i, "Busy of %s names %q: want itself or a weaker level", l.Name, l.Busy)
		assert.True(t, crowded >= 0 && crowded <= busy, "Crowded of %s names %q: want the level of Busy or a weaker one", l.Name, l.Crowded)
		if l.Plies == 0 {
			assert.Zero(t, l.Blur, "Blur of %s: there is nothing to misjudge where it doesn't look", l.Name)
			assert.GreaterOrEqual(t, l.ExactPly, 42, "ExactPly of %s: out of time it would look no ply ahead", l.Name)
		}
	}
}

func TestALevelIsFoundByItsNameAndAnUnknownOneIsRefused(t *testing.T) {
	t.Parallel()
	for _, l := range level.All() {
		found, err := level.Of(l.Name)
		require.NoError(t, err)
		assert.Equal(t, l, found)
	}
	for _, name := range []level.Name{"", "grandmaster", "Easy"} {
		_, err := level.Of(name)
		require.ErrorIs(t, err, level.UnknownError{Name: name})
	}
	assert.EqualError(t, level.UnknownError{Name: "grandmaster"}, `no such level: "grandmaster"`)
}

func TestTheContractListsTheLevels(t *testing.T) {
	t.Parallel()
	spec, err := openapi3.NewLoader().LoadFromData([]byte(api.Contract))
	require.NoError(t, err)
	shown, choice := spec.Components.Schemas["CpuLevel"].Value, spec.Components.Schemas["CpuLevelChoice"].Value
	open, ok := shown.Extensions["x-extensible-enum"].([]any)
	require.True(t, ok, "CpuLevel has an x-extensible-enum")
	var names []any
	for _, name := range level.Names() {
		names = append(names, name)
		assert.Contains(t, shown.Description, "`"+name+"`", "the description of CpuLevel in openapi.yaml names every level")
	}
	assert.Equal(t, names, open, "x-extensible-enum of CpuLevel in openapi.yaml lists every level, from weakest to strongest")
	assert.Equal(t, names, choice.Enum, "enum of CpuLevelChoice in openapi.yaml lists every level, from weakest to strongest")
}
