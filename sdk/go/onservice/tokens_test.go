package onservice_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	fourinarow "github.com/fourinarow/fourinarow/sdk/go"
)

func TestAFileOfTokensThatCannotBeReadOrWrittenIsAProblem(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "tokens.json")
	require.NoError(t, os.WriteFile(path, []byte("half of the JS"), 0o600))
	refused(t, fourinarow.CodeTokensFailed, signIn(t, fourinarow.FileTokens(path)))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "half of the JS", string(text), "as it was")
	refused(t, fourinarow.CodeTokensFailed, signIn(t, fourinarow.FileTokens(filepath.Join(folder, "missing", "tokens.json"))))
}

func signIn(t *testing.T, store fourinarow.TokenStore) error {
	t.Helper()
	four, err := fourinarow.New(serve(t), fourinarow.Tokens(store))
	require.NoError(t, err)
	_, err = four.SignIn(t.Context(), fourinarow.Guest{})
	return err
}
