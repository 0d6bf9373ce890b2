package store_test

import (
	"bytes"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/store"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// proxy stands between a Store and its server and does what networks and restarts do to connections.
type proxy struct {
	target  string
	address string

	mu       sync.Mutex
	listener net.Listener
	open     map[net.Conn]bool
	needle   []byte // the answer to what holds it is lost, with the connection; nil: none
}

// behindProxy opens a Store on a PostgreSQL database whose connections run through a proxy.
func behindProxy(t *testing.T, db *testkit.Database, changes ...func(*store.Options)) (*store.Store, *proxy) {
	t.Helper()
	through, err := url.Parse(db.Config.URL.DSN())
	require.NoError(t, err)
	p := &proxy{target: through.Host, address: "127.0.0.1:0", open: map[net.Conn]bool{}}
	p.start(t)
	t.Cleanup(p.stop)
	through.Host = p.address
	query := through.Query()
	query.Set("sslmode", "disable")
	through.RawQuery = query.Encode()
	toProxy := func(o *store.Options) {
		require.NoError(t, o.Database.URL.UnmarshalText([]byte(through.String())))
	}
	return db.Open(t, append([]func(*store.Options){toProxy}, changes...)...), p
}

// start lets connections through, always at the same address.
func (p *proxy) start(t *testing.T) {
	t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp4", p.address)
	require.NoError(t, err)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listener, p.address = listener, listener.Addr().String()
	go p.serve(listener)
}

// stop breaks all connections and lets none through.
func (p *proxy) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.listener.Close() // it may be closed already
	for conn := range p.open {
		_ = conn.Close()
	}
	clear(p.open)
}

// loseAnswerTo breaks the connection after the server has answered to what holds the text, before the answer arrives.
func (p *proxy) loseAnswerTo(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.needle = []byte(text)
}

func (p *proxy) serve(listener net.Listener) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp4", p.target)
		if err != nil {
			_ = client.Close()
			continue
		}
		p.mu.Lock()
		p.open[client], p.open[server] = true, true
		p.mu.Unlock()
		lost := make(chan struct{})
		go p.pipe(client, server, func(chunk []byte) bool {
			if p.isLost(chunk) {
				close(lost)
			}
			return true
		})
		go p.pipe(server, client, func([]byte) bool {
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
func (p *proxy) isLost(request []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.needle == nil || !bytes.Contains(request, p.needle) {
		return false
	}
	p.needle = nil
	return true
}

// pipe forwards what it is allowed to, and closes both ends when it isn't or either is closed.
func (p *proxy) pipe(from, to net.Conn, allowed func(chunk []byte) bool) {
	defer func() {
		_, _ = from.Close(), to.Close() // whichever the other side has closed already
	}()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil || !allowed(buffer[:n]) {
			return
		}
		if _, err = to.Write(buffer[:n]); err != nil {
			return
		}
	}
}
