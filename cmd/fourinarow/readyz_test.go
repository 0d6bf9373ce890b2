package main_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit"
)

// becomes waits until the service says whether it is ready.
func (p process) becomes(t *testing.T, status int) {
	t.Helper()
	require.Eventually(t, func() bool {
		now, _ := p.get(t, "/readyz")
		return now == status
	}, 30*time.Second, 100*time.Millisecond)
}

// reads wants what is stored to be shown, if need be the second time: a pool hears of connections that the database has
// closed by using them.
func (p process) reads(t *testing.T, token, game string) {
	t.Helper()
	for _, path := range []string{"/v1/games/" + game, "/v1/house-rules", "/v1/me"} {
		require.Eventually(t, func() bool {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.base+path, http.NoBody)
			require.NoError(t, err)
			request.Header.Set("Authorization", "Bearer "+token)
			response, err := http.DefaultClient.Do(request)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			require.Contains(t, []int{http.StatusOK, http.StatusServiceUnavailable}, response.StatusCode, path)
			return response.StatusCode == http.StatusOK
		}, 10*time.Second, 100*time.Millisecond, path)
	}
}

// survives lets a service go through a time in which its database can be read and not written.
func (p process) survives(t *testing.T, spoil, mend func()) {
	t.Helper()
	token, game := playing(t, p)
	p.becomes(t, http.StatusOK)
	spoil()
	status, answer := p.posts(t, token, "/v1/tables", `{"visibility":"public"}`)
	assert.Equal(t, http.StatusServiceUnavailable, status, answer)
	p.reads(t, token, game)
	p.becomes(t, http.StatusServiceUnavailable)
	p.reads(t, token, game)
	mend()
	p.becomes(t, http.StatusOK)
	p.post(t, token, "/v1/tables", `{"visibility":"public"}`)
	stopped(t, p)
}

func TestAServiceOfAReadOnlyDatabaseIsNotReadyAndReadsOn(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t)
	around := db.SQL(t)
	var name string
	require.NoError(t, around.QueryRowContext(t.Context(), "SELECT current_database()").Scan(&name))
	sets := func(readOnly string) {
		conn, err := around.Conn(t.Context())
		require.NoError(t, err)
		defer func() { require.NoError(t, conn.Close()) }()
		for _, statement := range []string{
			"SET transaction_read_only = off",
			"ALTER DATABASE " + name + " SET default_transaction_read_only = " + readOnly,
			"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'fourinarow'",
		} {
			_, err = conn.ExecContext(t.Context(), statement)
			require.NoError(t, err, statement)
		}
	}
	cmd, out := command(t, []string{"DATABASE_URL=" + db.Config.URL.DSN()})
	start(t, cmd, out).survives(t, func() { sets("on") }, func() { sets("off") })
}

// The row of the heartbeat can't be found any more; other tables are whole.
func TestAServiceOfAMalformedFileIsNotReadyAndReadsOn(t *testing.T) {
	t.Parallel()
	cmd, out := command(t, nil)
	p := start(t, cmd, out)
	token, game := playing(t, p)
	around, err := sql.Open("sqlite", filepath.Join(cmd.Dir, "fourinarow.db")+"?_busy_timeout=5000")
	require.NoError(t, err)
	around.SetMaxOpenConns(1)
	rooted := func(at string) {
		var version int
		require.NoError(t, around.QueryRowContext(t.Context(), "PRAGMA schema_version").Scan(&version))
		_, err := around.ExecContext(t.Context(), fmt.Sprintf(`PRAGMA writable_schema = on;
UPDATE sqlite_schema SET rootpage = (%s) WHERE name = 'heartbeat'; PRAGMA schema_version = %d`, at, version+1))
		require.NoError(t, err)
	}
	var root string
	require.NoError(t, around.QueryRowContext(t.Context(), "SELECT rootpage FROM sqlite_schema WHERE name = 'heartbeat'").Scan(&root))
	rooted("SELECT rootpage FROM sqlite_schema WHERE name = 'goose_db_version'") // a page of another kind
	p.becomes(t, http.StatusServiceUnavailable)
	p.reads(t, token, game)
	assert.Contains(t, out.String(), "malformed")
	rooted(root)
	p.becomes(t, http.StatusOK)
	require.NoError(t, around.Close())
	stopped(t, p)
}
