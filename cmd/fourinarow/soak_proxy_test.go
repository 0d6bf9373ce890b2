//go:build soak

package main_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

// badNetwork passes connections on to a replica and cuts some of them: before a request gets through, after it, and
// in the middle of its answer.
type badNetwork struct {
	target   *replica
	listener net.Listener
	luck     soak.Luck
	cuts     atomic.Int64
	open     sync.WaitGroup
}

// cutOneIn is how many pieces of data get through for each that doesn't.
const cutOneIn = 12

// badly puts such a network before a replica until the test ends.
func badly(t *testing.T, r *replica, l soak.Luck) *badNetwork {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	n := &badNetwork{target: r, listener: listener, luck: l}
	n.open.Go(n.accept)
	t.Cleanup(func() {
		assert.NoError(t, listener.Close())
		n.open.Wait()
	})
	return n
}

func (n *badNetwork) base() string { return "http://" + n.listener.Addr().String() }

func (n *badNetwork) accept() {
	for i := 0; ; i++ {
		client, err := n.listener.Accept()
		if err != nil {
			return
		}
		n.open.Go(func() { n.pass(client, 2*i) })
	}
}

// pass connects a client with the replica until one of them goes or the connection is cut.
func (n *badNetwork) pass(client net.Conn, i int) {
	server, err := net.Dial("tcp", n.target.base()[len("http://"):])
	if err != nil {
		reset(client)
		return
	}
	both := []net.Conn{client, server}
	var ways sync.WaitGroup
	for way, source := range []*rand.Rand{n.luck.Source(i), n.luck.Source(i + 1)} {
		ways.Go(func() {
			if n.carry(both[1-way], both[way], source) {
				n.cuts.Add(1)
			}
			reset(both...) // the other way ends too
		})
	}
	ways.Wait()
}

// carry copies piece by piece and reports whether it has cut the connection.
func (n *badNetwork) carry(to io.Writer, from io.Reader, source *rand.Rand) bool {
	piece := make([]byte, 64<<10)
	for {
		size, err := from.Read(piece)
		if err != nil {
			return false
		}
		if cut := source.IntN(cutOneIn) == 0; cut {
			_, _ = to.Write(piece[:source.IntN(3)*size/2]) // nothing, half of it, or all
			return true
		}
		if _, err = to.Write(piece[:size]); err != nil {
			return false
		}
	}
}

// reset ends connections without a farewell.
func reset(connections ...net.Conn) {
	for _, c := range connections {
		if tcp, isTCP := c.(*net.TCPConn); isTCP {
			_ = errors.Join(tcp.SetLinger(0), tcp.Close()) // the other way may have closed it
		}
	}
}
