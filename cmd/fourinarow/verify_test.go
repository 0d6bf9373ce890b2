package main_test

import (
	"database/sql"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVerifyLooksAtEverythingBesideTheServiceAndChangesNothing(t *testing.T) {
	t.Parallel()
	serving, servingOut := command(t, nil)
	p := start(t, serving, servingOut)
	verify := func(dir string) (int, string) {
		cmd, out := command(t, nil, "verify")
		cmd.Dir = dir
		return exitCode(t, cmd), out.String()
	}
	code, said := verify(serving.Dir)
	assert.Zero(t, code, said)
	assert.Equal(t, "0 games and 0 players verified: no difference\n", said)

	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.base+"/v1/profiles", http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	around, err := sql.Open("sqlite", filepath.Join(serving.Dir, "fourinarow.db")+"?_busy_timeout=5000")
	require.NoError(t, err)
	defer func() { require.NoError(t, around.Close()) }()
	_, err = around.ExecContext(t.Context(), "UPDATE profiles SET people_wins = 1")
	require.NoError(t, err)
	code, said = verify(serving.Dir)
	assert.Equal(t, 1, code)
	assert.Regexp(t, `(?m)^profile \S+ has \{Games:0 People:\{Wins:1 `, said)
	assert.Contains(t, said, "0 games and 1 players verified: 1 differences")

	empty := t.TempDir()
	code, said = verify(empty)
	assert.Equal(t, 2, code)
	assert.Contains(t, said, "fourinarow.db")
	files, err := os.ReadDir(empty)
	require.NoError(t, err)
	assert.Empty(t, files, "it makes no database")

	_, err = around.ExecContext(t.Context(), "DELETE FROM goose_db_version WHERE version_id > 1")
	require.NoError(t, err)
	code, said = verify(serving.Dir)
	assert.Equal(t, 2, code)
	assert.Contains(t, said, "the database has schema version 1")
	assert.False(t, strings.Contains(said, "panic"))
}

func TestVerifyThatCantLookExitsOtherwiseThanOneThatFindsADifference(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		settings, args []string
	}{
		"an argument":        {nil, []string{"verify", "everything"}},
		"a setting":          {[]string{"CPU_THINKERS=none"}, []string{"verify"}},
		"no such database":   {[]string{"DATABASE_URL=postgres://nobody@127.0.0.1:1/none"}, []string{"verify"}},
		"not a database":     {[]string{"DATABASE_URL=sqlite://letter.txt"}, []string{"verify"}},
		"an empty database":  {[]string{"DATABASE_URL=sqlite://empty.db"}, []string{"verify"}},
		"a missing database": {nil, []string{"verify"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, out := command(t, row.settings, row.args...)
			require.NoError(t, os.WriteFile(filepath.Join(cmd.Dir, "letter.txt"), []byte(strings.Repeat("Dear Ola, this is no database. ", 200)), 0o600))
			require.NoError(t, os.WriteFile(filepath.Join(cmd.Dir, "empty.db"), nil, 0o600))
			assert.Equal(t, 2, exitCode(t, cmd), "%s", out)
			assert.Contains(t, out.String(), "fourinarow: ")
			assert.NotContains(t, out.String(), "panic")
		})
	}
}
