package main_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOneProcessServesAnSQLiteFileAndShortCommandsWorkBesideIt(t *testing.T) {
	t.Parallel()
	serving, servingOut := command(t, nil)
	p := start(t, serving, servingOut)
	beside := func(args ...string) (int, string) {
		cmd, out := command(t, nil, args...)
		cmd.Dir = serving.Dir
		return exitCode(t, cmd), out.String()
	}
	code, said := beside("serve")
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "another process serves sqlite://./fourinarow.db already")
	assert.Contains(t, said, "PostgreSQL", "how to serve with several")

	code, said = beside("migrate")
	assert.Zero(t, code, said)
	status, _ := p.get(t, "/readyz")
	assert.Equal(t, http.StatusOK, status, "the first one goes on")

	require.NoError(t, p.cmd.Process.Kill())
	require.Error(t, p.cmd.Wait())
	again, outAgain := command(t, nil)
	again.Dir = serving.Dir
	stopped(t, start(t, again, outAgain)) // a killed one stands in nobody's way
}
