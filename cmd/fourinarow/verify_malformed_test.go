package main_test

import (
	"database/sql"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// crowdedFile makes the database of a service that was stopped, with so many players that they fill several pages.
func crowdedFile(t *testing.T, players int) string {
	t.Helper()
	cmd, out := command(t, nil, "migrate")
	require.Zero(t, exitCode(t, cmd), "%s", out)
	path := filepath.Join(cmd.Dir, "fourinarow.db")
	around, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = around.ExecContext(t.Context(), `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < $1)
INSERT INTO profiles (id, name, created) SELECT printf('%08d-0000-7000-8000-000000000000', i), 'Ola', 1 FROM n`, players)
	require.NoError(t, err)
	_, err = around.ExecContext(t.Context(), "INSERT INTO leaderboard (profile_id, rank, rating, rated) SELECT id, 1, rating, 1 FROM profiles")
	require.NoError(t, err)
	require.NoError(t, around.Close())
	return path
}

// firstLeaf changes the first leaf of a table or an index in a file.
func firstLeaf(t *testing.T, path, of string, change func(page []byte)) {
	t.Helper()
	around, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	var root, size int
	require.NoError(t, around.QueryRowContext(t.Context(),
		"SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = $1", of).Scan(&root, &size))
	require.NoError(t, around.Close())
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	at := func(number int) []byte { return content[(number-1)*size : number*size] }
	page := at(root)
	const leaf = 1 << 3 // a bit of the kind of page
	for page[0]&leaf == 0 {
		first := binary.BigEndian.Uint16(page[12:])
		page = at(int(binary.BigEndian.Uint32(page[first:])))
	}
	require.NotZero(t, binary.BigEndian.Uint16(page[3:]), "it has rows")
	change(page)
	require.NoError(t, os.WriteFile(path, content, 0o600))
}

// A page with one of its rows is a page: whoever reads the list hears of nothing.
func withOneRow(page []byte) { copy(page[3:5], []byte{0, 1}) }

func torn(page []byte) {
	for i := range page {
		page[i] = 0xff
	}
}

func TestVerifySaysThatAMalformedFileCouldNotBeReadWhole(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		of     string
		change func([]byte)
		said   string
	}{
		"players are gone":           {"profiles", withOneRow, `(?m)^fourinarow: 0 games and \d+ players verified: \d+ differences: the database could not be read whole`},
		"players can't be read":      {"profiles", torn, "(?m)^not read: profiles could be read up to row 0: .*malformed"},
		"an index has lost rows":     {"leaderboard_order", withOneRow, "(?m)^not read: leaderboard has 3000 rows|wrong # of entries in index leaderboard_order"},
		"an index can't be read":     {"leaderboard_order", torn, "(?m)^not read: the database says of itself: "},
		"the versions can't be read": {"goose_db_version", torn, "malformed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := crowdedFile(t, 3000)
			firstLeaf(t, path, row.of, row.change)
			cmd, out := command(t, nil, "verify")
			cmd.Dir = filepath.Dir(path)
			assert.Equal(t, 2, exitCode(t, cmd), "%s", out)
			assert.Regexp(t, row.said, out.String())
			assert.NotContains(t, out.String(), "no difference")
		})
	}
}
