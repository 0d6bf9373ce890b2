//go:build unix

package postgres_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit/postgres"
)

func TestServer(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct {
		name       string
		durability postgres.Durability
		want       map[string]string
	}{
		{"a disposable one doesn't wait for the disk", postgres.Disposable, map[string]string{
			"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "TimeZone": "Pacific/Chatham", "max_connections": "300",
			"listen_addresses": "127.0.0.1", "server_encoding": "UTF8",
		}},
		{"a durable one does", postgres.Durable, map[string]string{
			"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "TimeZone": "Pacific/Chatham",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			programs, found := find(t)
			if !found {
				return
			}
			server, err := postgres.Start(t.Context(), programs, tc.durability)
			require.NoError(t, err)
			directory := ""
			func() {
				defer func() { require.NoError(t, server.Stop()) }()
				conn, err := pgx.Connect(t.Context(), server.URL())
				require.NoError(t, err)
				for setting, want := range tc.want {
					assert.Equal(t, want, show(t, conn, setting), setting)
				}
				directory = show(t, conn, "data_directory")
				assert.DirExists(t, directory)
				require.NoError(t, conn.Close(t.Context()))
			}()
			assert.NoDirExists(t, directory)
			_, err = pgx.Connect(t.Context(), server.URL())
			require.Error(t, err, "nobody listens any more")
		})
	}
}

func TestAServerWantsItsPassword(t *testing.T) {
	t.Parallel()

	programs, found := find(t)
	if !found {
		return
	}
	server, err := postgres.Start(t.Context(), programs, postgres.Disposable)
	require.NoError(t, err)
	defer func() { require.NoError(t, server.Stop()) }()

	config, err := pgx.ParseConfig(server.URL())
	require.NoError(t, err)
	config.Password = "guessed"
	_, err = pgx.ConnectConfig(t.Context(), config)
	require.ErrorContains(t, err, "password authentication failed")
}

func TestAKilledServerComesBackWithWhatWasCommitted(t *testing.T) {
	t.Parallel()

	programs, found := find(t)
	if !found {
		return
	}
	server, err := postgres.Start(t.Context(), programs, postgres.Durable)
	require.NoError(t, err)
	defer func() { require.NoError(t, server.Stop()) }()
	conn, err := pgx.Connect(t.Context(), server.URL())
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "CREATE TABLE kept AS SELECT 7 AS n")
	require.NoError(t, err)

	require.NoError(t, server.Kill())
	require.Error(t, conn.Ping(t.Context()))
	_, err = pgx.Connect(t.Context(), server.URL())
	require.Error(t, err, "nobody is there")

	require.NoError(t, server.Restart(t.Context()))
	conn, err = pgx.Connect(t.Context(), server.URL())
	require.NoError(t, err)
	var kept int
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT n FROM kept").Scan(&kept))
	assert.Equal(t, 7, kept)
	require.NoError(t, conn.Close(t.Context()))
}

func TestAServerThatIsNotWantedAnyMoreDoesNotStart(t *testing.T) {
	t.Parallel()

	programs, found := find(t)
	if !found {
		return
	}
	server, err := postgres.Start(cancelled(t), programs, postgres.Disposable)
	require.Error(t, err)
	assert.Nil(t, server)
}

// find tells whether this machine has a server; where it has none, and the tests run on one elsewhere, Find must say
// what to do.
func find(t *testing.T) (postgres.Programs, bool) {
	t.Helper()
	programs, err := postgres.Find()
	if err != nil {
		require.ErrorIs(t, err, postgres.ErrNoPrograms)
		require.ErrorContains(t, err, "TEST_DATABASE_URL")
		return postgres.Programs{}, false
	}
	return programs, true
}

func show(t *testing.T, conn *pgx.Conn, setting string) string {
	t.Helper()
	var value string
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT current_setting($1)", setting).Scan(&value))
	return value
}
