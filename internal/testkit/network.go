package testkit

import (
	"bytes"
	"context"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/store"
)

// Network stands between a Store and its server and does what networks and restarts do to connections.
type Network struct {
	target  string
	address string

	mu       sync.Mutex
	listener net.Listener
	open     map[net.Conn]bool
	needle   []byte // the answer to what holds it is lost, with the connection; nil: none
}

// BehindNetwork opens a Store on a PostgreSQL database whose connections run through a network that can fail.
func (db *Database) BehindNetwork(tb testing.TB, changes ...func(*store.Options)) (*store.Store, *Network) {
	tb.Helper()
	through, err := url.Parse(db.Config.URL.DSN())
	require.NoError(tb, err)
	n := &Network{target: through.Host, address: "127.0.0.1:0", open: map[net.Conn]bool{}}
	n.Start(tb)
	tb.Cleanup(n.Stop)
	through.Host = n.address
	query := through.Query()
	query.Set("sslmode", "disable")
	through.RawQuery = query.Encode()
	toProxy := func(o *store.Options) {
		require.NoError(tb, o.Database.URL.UnmarshalText([]byte(through.String())))
	}
	return db.Open(tb, append([]func(*store.Options){toProxy}, changes...)...), n
}

// Start lets connections through, always at the same address.
func (n *Network) Start(tb testing.TB) {
	tb.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(tb.Context(), "tcp4", n.address)
	require.NoError(tb, err)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.listener, n.address = listener, listener.Addr().String()
	go n.serve(listener)
}

// Stop breaks all connections and lets none through.
func (n *Network) Stop() {
	n.mu.Lock()
	defer n.mu.Unlock()
	_ = n.listener.Close() // it may be closed already
	for conn := range n.open {
		_ = conn.Close()
	}
	clear(n.open)
}

// LoseAnswerTo breaks the connection after the server has answered to what holds the text, before the answer arrives.
func (n *Network) LoseAnswerTo(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.needle = []byte(text)
}

func (n *Network) serve(listener net.Listener) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		server, err := new(net.Dialer).DialContext(context.Background(), "tcp4", n.target)
		if err != nil {
			_ = client.Close()
			continue
		}
		n.mu.Lock()
		n.open[client], n.open[server] = true, true
		n.mu.Unlock()
		lost := make(chan struct{})
		go n.pipe(client, server, func(chunk []byte) bool {
			if n.isLost(chunk) {
				close(lost)
			}
			return true
		})
		go n.pipe(server, client, func([]byte) bool {
			select {
			case <-lost:
				return false
			default:
				return true
			}
		})
	}
}

// isLost reports, once, whether the answer to a request shall be lost.
func (n *Network) isLost(request []byte) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.needle == nil || !bytes.Contains(request, n.needle) {
		return false
	}
	n.needle = nil
	return true
}

// pipe forwards what it is allowed to, and closes both ends when it isn't or either is closed.
func (n *Network) pipe(from, to net.Conn, allowed func(chunk []byte) bool) {
	defer func() {
		_, _ = from.Close(), to.Close() // whichever the other side has closed already
	}()
	buffer := make([]byte, 64<<10)
	for {
		size, err := from.Read(buffer)
		if err != nil || !allowed(buffer[:size]) {
			return
		}
		if _, err = to.Write(buffer[:size]); err != nil {
			return
		}
	}
}

// Address returns where the network begins, as host:port.
func (n *Network) Address() string { return n.address }
