//go:build soak

package store_test

import "testing"

func TestSoakAMigrationThatIsKilledAtAnyStatementIsDoneWholeOrNotAtAll(t *testing.T) {
	killMigrations(t, 1)
}
