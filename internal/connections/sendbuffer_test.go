package connections_test

import (
	"context"
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/connections"
)

func TestLittleOfAnAnswerIsKeptForAReaderThatReadsNothing(t *testing.T) {
	t.Parallel()
	var lc net.ListenConfig
	socket, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	guarded := connections.New(connections.Limits{Total: 1, PerAddress: 1, Exempt: nil}).Listener(socket)
	t.Cleanup(func() { assert.NoError(t, guarded.Close()) })
	reader, err := net.Dial("tcp", socket.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, reader.Close()) })
	conn, err := guarded.Accept()
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, conn.Close()) })
	tcp, is := reader.(*net.TCPConn)
	require.True(t, is)
	require.NoError(t, tcp.SetReadBuffer(4<<10))
	within, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	deadline, _ := within.Deadline()
	require.NoError(t, conn.SetWriteDeadline(deadline))

	sent, err := conn.Write(make([]byte, 16<<20))

	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	assert.Less(t, sent, 512<<10)
}
