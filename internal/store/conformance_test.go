package store_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit"
)

// conformance is what the service expects of a Store, on either database: each method is a rule, which gets a database of
// its own. What only one of them does is tested beside it, and so is how an older database becomes today's.
type conformance struct{}

// A rule is run by `go test -run TestStoreConforms/sqlite/GameComesBackWhole`.
func TestStoreConforms(t *testing.T) {
	t.Parallel()
	conforms(t)
}

func conforms(t *testing.T) {
	t.Helper()
	rules := reflect.ValueOf(conformance{})
	for on, open := range map[string]func(testing.TB) *testkit.Database{"sqlite": testkit.SQLite, "postgres": testkit.Postgres} {
		t.Run(on, func(t *testing.T) {
			t.Parallel()
			for method, holds := range rules.Methods() {
				t.Run(strings.TrimPrefix(method.Name, "Test"), func(t *testing.T) {
					t.Parallel()
					rule, is := reflect.TypeAssert[func(*testing.T, *testkit.Database)](holds)
					require.True(t, is, "%s is no rule", method.Name)
					rule(t, open(t))
				})
			}
		})
	}
}
