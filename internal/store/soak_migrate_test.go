//go:build soak

package store_test

import "testing"

func TestSoakAMigrationThatIsKilledAtAnyStatementIsDoneWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	killMigrations(t, 1)
}
