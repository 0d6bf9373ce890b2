package store_test

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/admin"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// newAdmin makes an admin who isn't stored.
func newAdmin(t *testing.T, db *testkit.Database) admin.Admin {
	t.Helper()
	token, err := admin.NewToken(rand.Reader)
	require.NoError(t, err)
	return admin.Admin{ID: admin.ID(newID(t)), Name: "ola", Hash: token.Hash(), Created: db.Clock.Now(), Revoked: time.Time{}}
}

func (conformance) TestAnAdminTokenWorksUntilItIsRevoked(t *testing.T, db *testkit.Database) {
	ola := newAdmin(t, db)
	require.NoError(t, db.Store.AddAdmin(t.Context(), ola))
	require.ErrorIs(t, db.Store.AddAdmin(t.Context(), newAdmin(t, db)), service.ErrNameTaken)
	found, err := db.Store.AdminByToken(t.Context(), ola.Hash)
	require.NoError(t, err)
	assert.Equal(t, ola, found)

	revoked := db.Clock.Advance(time.Second)
	require.NoError(t, db.Store.RevokeAdmin(t.Context(), "ola", revoked))
	_, err = db.Store.AdminByToken(t.Context(), ola.Hash)
	requireFault(t, err, fault.NoToken)
	requireFault(t, db.Store.RevokeAdmin(t.Context(), "ola", revoked), fault.NotFound)
	require.ErrorIs(t, db.Store.AddAdmin(t.Context(), newAdmin(t, db)), service.ErrNameTaken, "a name is one person's for good")
	all, err := db.Store.Admins(t.Context())
	require.NoError(t, err)
	ola.Revoked = revoked
	assert.Equal(t, []admin.Admin{ola}, all)
}

func (conformance) TestATokenThatNobodyWasShownIsDropped(t *testing.T, db *testkit.Database) {
	ola, again := newAdmin(t, db), newAdmin(t, db)
	require.NoError(t, db.Store.AddAdmin(t.Context(), ola))
	require.NoError(t, db.Store.DropAdmin(t.Context(), ola.ID))
	_, err := db.Store.AdminByToken(t.Context(), ola.Hash)
	requireFault(t, err, fault.NoToken)
	require.NoError(t, db.Store.AddAdmin(t.Context(), again), "nobody has ever had the name")
	require.NoError(t, db.Store.SaveEdit(t.Context(), secondVersion(t, db, again)))
	require.Error(t, db.Store.DropAdmin(t.Context(), again.ID), "the log tells who it was")
	_, err = db.Store.AdminByToken(t.Context(), again.Hash)
	require.NoError(t, err)
}

// secondVersion makes the second version of a rule.
func secondVersion(t *testing.T, db *testkit.Database, who admin.Admin) houserule.Entry {
	t.Helper()
	return houserule.Entry{
		ID: newID(t), At: db.Clock.Now(), Actor: string(who.Name), TokenID: string(who.ID), Key: houserule.CPUCover, Version: 2, Restored: 0,
		Before: houserule.Terms{Default: "on", Options: []string{"on", "off"}, Changeable: true},
		After:  houserule.Terms{Default: "off", Options: []string{"off"}, Changeable: false}, Reason: "quiet",
	}
}

func (conformance) TestAnEditIsStoredWithItsEntryOrNotAtAll(t *testing.T, db *testkit.Database) {
	ola := newAdmin(t, db)
	require.NoError(t, db.Store.AddAdmin(t.Context(), ola))
	e := secondVersion(t, db, ola)
	unheard := e
	unheard.TokenID = newID(t)
	require.Error(t, db.Store.SaveEdit(t.Context(), unheard), "the entry can't be stored")
	rule, err := db.Store.HouseRule(t.Context(), houserule.CPUCover)
	require.NoError(t, err)
	assert.EqualValues(t, 1, rule.Version)

	db.Statements.Reset()
	require.NoError(t, db.Store.SaveEdit(t.Context(), e))
	assert.Equal(t, testkit.Counts{Reads: 0, Writes: 2, Begins: 1, Commits: 1, Rollbacks: 0}, db.Statements.Reset())
	again := e
	again.ID = newID(t)
	require.ErrorIs(t, db.Store.SaveEdit(t.Context(), again), service.ErrChanged)
	rule, err = db.Store.HouseRule(t.Context(), houserule.CPUCover)
	require.NoError(t, err)
	assert.Equal(t, e.After, rule.Terms())
	assert.EqualValues(t, 2, rule.Version)
	assert.Equal(t, e.At, rule.Updated)
	entries, err := db.Store.AuditEntries(t.Context(), service.AuditFilter{}, service.Place{}, 10)
	require.NoError(t, err)
	assert.Equal(t, []houserule.Entry{e}, entries)
}

func (conformance) TestTheAuditLogIsOnlyAddedTo(t *testing.T, db *testkit.Database) {
	ola := newAdmin(t, db)
	require.NoError(t, db.Store.AddAdmin(t.Context(), ola))
	e := secondVersion(t, db, ola)
	require.NoError(t, db.Store.SaveEdit(t.Context(), e))
	const cells = `SELECT id, at, 'nobody', token_id, rule, version, restored, before_default, before_options, before_changeable,
after_default, after_options, after_changeable, reason FROM audit_log`
	statements := []string{
		"UPDATE audit_log SET actor = 'nobody'",
		"UPDATE audit_log SET reason = reason",
		"UPDATE audit_log SET id = '" + newID(t) + "'",
		"DELETE FROM audit_log",
		"INSERT INTO audit_log " + cells + " WHERE true ON CONFLICT (id) DO UPDATE SET actor = 'nobody'",
		"INSERT INTO audit_log " + strings.ReplaceAll(cells, "SELECT id", "SELECT '"+newID(t)+"'"),
		"DELETE FROM admin_tokens",
		"DELETE FROM house_rules",
	}
	if isSQLite(db) {
		statements = append(statements, "INSERT OR REPLACE INTO audit_log "+cells, "REPLACE INTO audit_log "+cells)
	} else {
		statements = append(statements, "TRUNCATE audit_log", "TRUNCATE audit_log CASCADE", "TRUNCATE house_rules CASCADE")
	}
	around := db.SQL(t)
	around.SetMaxOpenConns(1)
	if !isSQLite(db) {
		exec(t, around, "SET session_replication_role = replica") // other triggers are off then, and foreign keys
		_, err := around.ExecContext(t.Context(), "DELETE FROM audit_log")
		require.ErrorContains(t, err, "append-only")
		exec(t, around, "SET session_replication_role = origin")
	}
	for _, statement := range statements {
		_, err := around.ExecContext(t.Context(), statement)
		require.Error(t, err, statement)
	}
	entries, err := db.Store.AuditEntries(t.Context(), service.AuditFilter{}, service.Place{}, 10)
	require.NoError(t, err)
	assert.Equal(t, []houserule.Entry{e}, entries)
}

func (conformance) TestOpenTablesAreCountedByWhatTheyPlayBy(t *testing.T, db *testkit.Database) {
	host := guest(t, db, "Ola")
	other := defaults()
	other.CPUCover, other.MoveTimeLimit, other.OnTimeout = false, time.Minute, houserule.Loss
	opened(t, db, newTable(t, db, host, table.Public))
	opened(t, db, newTable(t, db, host, table.Private, other))
	opened(t, db, newTable(t, db, host, table.Public, other))
	closed(t, db, opened(t, db, newTable(t, db, host, table.Public)).ID, table.HostLeft)
	for key, want := range map[houserule.Key][]houserule.Kept{
		houserule.CPUCover:         {{Option: "off", Tables: 2}, {Option: "on", Tables: 1}},
		houserule.EndDeadPositions: {{Option: "on", Tables: 3}},
		houserule.MoveTimeLimit:    {{Option: "60", Tables: 2}, {Option: "0", Tables: 1}},
		houserule.OnTimeout:        {{Option: "loss", Tables: 2}, {Option: "cpu_move", Tables: 1}},
		houserule.CoverLevel:       {{Option: "medium", Tables: 3}},
	} {
		kept, err := db.Store.OpenTables(t.Context(), key)
		require.NoError(t, err)
		assert.Equal(t, want, kept, key)
	}
	_, err := db.Store.OpenTables(t.Context(), "status")
	requireFault(t, err, fault.NotFound)
}
