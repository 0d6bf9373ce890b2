package config_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/config"
)

func TestUsageTellsOfEverySetting(t *testing.T) {
	t.Parallel()

	var usage strings.Builder
	require.NoError(t, config.Usage(&usage))
	lines := strings.Split(strings.TrimSpace(usage.String()), "\n")
	names := variables(reflect.TypeFor[config.Config]())
	require.Len(t, lines, 1+len(names), "a heading and a line for each")

	for i, name := range names {
		assert.Regexp(t, "^"+name+` +\S+ .*  \S`, lines[i+1])
	}
	assert.Regexp(t, `LISTEN_ADDR +127\.0\.0\.1:8080 +host:port +where the service listens`, usage.String())
	assert.Regexp(t, `PUBLIC_URL +- +URL +how people reach`, usage.String())
	assert.Regexp(t, `RATE_LIMIT +on +on, off +`, usage.String())
	assert.Regexp(t, `BODY_LIMIT_BYTES +16384 +1024\.\.1048576 bytes +largest body`, usage.String())
	assert.Regexp(t, `OPERATOR_NAME +- +up to 200 characters +who runs`, usage.String())
}

func TestEverySettingIsDescribed(t *testing.T) {
	t.Parallel()

	seen := map[string]bool{}
	eachSetting(reflect.TypeFor[config.Config](), func(field reflect.StructField) {
		tag := field.Tag
		assert.NotEmpty(t, tag.Get("desc"), "%s has no description", field.Name)
		assert.False(t, tag.Get("unit") == "" && tag.Get("allowed") == "", "%s has neither a unit nor a list of values", field.Name)
		assert.NotEqual(t, tag.Get("unit") == "", tag.Get("allowed") == "", "%s has a unit and a list of values", field.Name)
		if kind := field.Type.Kind(); kind == reflect.Int || kind == reflect.Int64 {
			assert.True(t, tag.Get("allowed") != "" || tag.Get("min") != "" && tag.Get("max") != "", "%s has no bounds", field.Name)
		}
		for _, name := range []string{field.Name, tag.Get("env")} {
			assert.False(t, seen[name], "%s is there twice, so that an error couldn't say which", name)
			seen[name] = true
		}
	})
}

func TestEveryDefaultIsAllowed(t *testing.T) {
	t.Parallel()

	eachSetting(reflect.TypeFor[config.Config](), func(field reflect.StructField) {
		if fallback := field.Tag.Get("envDefault"); fallback != "" {
			_, err := config.Load([]string{field.Tag.Get("env") + "=" + fallback})
			assert.NoError(t, err)
		}
	})
}

func TestUsageReportsAFailedWrite(t *testing.T) {
	t.Parallel()

	require.ErrorContains(t, config.Usage(broken{}), "no space")
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space") }

func eachSetting(of reflect.Type, do func(reflect.StructField)) {
	for _, field := range reflect.VisibleFields(of) {
		if _, isSetting := field.Tag.Lookup("env"); isSetting {
			do(field)
		} else {
			eachSetting(field.Type, do)
		}
	}
}
