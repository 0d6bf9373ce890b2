package main_test

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dials opens connections that say nothing.
func (p process) dials(t *testing.T, number int) (silent []net.Conn) {
	t.Helper()
	for range number {
		connection, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
		require.NoError(t, err)
		t.Cleanup(func() { _ = connection.Close() })
		require.NoError(t, connection.SetDeadline(time.Now().Add(30*time.Second)))
		silent = append(silent, connection)
	}
	return silent
}

// awaitClosed waits until the other side has closed a connection.
func awaitClosed(t *testing.T, connection net.Conn) {
	t.Helper()
	_, err := connection.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
}

func TestSilentConnectionsKeepNobodyOut(t *testing.T) {
	t.Parallel()
	for _, limit := range []string{"connections_total", "connections_per_address"} {
		t.Run(limit, func(t *testing.T) {
			t.Parallel()
			cmd, out := command(t, []string{strings.ToUpper(limit) + "=20", "READ_HEADER_TIMEOUT=1m"})
			p := start(t, cmd, out)
			silent := p.dials(t, 100)
			status, _ := p.get(t, "/healthz")
			assert.Equal(t, 200, status)
			for _, connection := range silent[:81] {
				awaitClosed(t, connection)
			}
			stopped(t, p)
		})
	}
}

func TestAConnectionWithoutARequestIsClosedInTime(t *testing.T) {
	t.Parallel()
	cmd, out := command(t, []string{"READ_HEADER_TIMEOUT=100ms"})
	p := start(t, cmd, out)
	awaitClosed(t, p.dials(t, 1)[0])
	stopped(t, p)
}
