package connections_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/connections"
)

// dialed is a connection as a listener hands it out.
type dialed struct {
	net.Conn

	from   net.Addr
	closed bool
}

func (d *dialed) RemoteAddr() net.Addr { return d.from }

func (d *dialed) Close() error {
	d.closed = true
	return nil
}

var errNobodyElse = errors.New("nobody else wants to connect")

// queue is a listener to which some want to connect.
type queue struct {
	net.Listener

	waiting []*dialed
}

func (q *queue) Accept() (net.Conn, error) {
	if len(q.waiting) == 0 {
		return nil, errNobodyElse
	}
	next := q.waiting[0]
	q.waiting = q.waiting[1:]
	return next, nil
}

// door is where connections come in.
type door struct {
	guard *connections.Guard
	queue *queue
	opens net.Listener
}

func newDoor(l connections.Limits) *door {
	d := &door{guard: connections.New(l), queue: &queue{}}
	d.opens = d.guard.Listener(d.queue)
	return d
}

// comes lets somebody connect, and reports whether the server gets to see the connection.
func (d *door) comes(t *testing.T, from string) (conn *dialed, admitted bool) {
	t.Helper()
	conn = &dialed{from: net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(from), 4711))}
	d.queue.waiting = append(d.queue.waiting, conn)
	got, err := d.opens.Accept()
	if errors.Is(err, errNobodyElse) {
		assert.True(t, conn.closed, "who isn't let in is told at once")
		return conn, false
	}
	require.NoError(t, err)
	require.Same(t, conn, got)
	d.guard.State(conn, http.StateNew)
	return conn, true
}

// enters lets somebody connect for whom there is room.
func (d *door) enters(t *testing.T, from string) *dialed {
	t.Helper()
	conn, admitted := d.comes(t, from)
	require.True(t, admitted, from)
	return conn
}

func (d *door) state(state http.ConnState, of ...*dialed) {
	for _, conn := range of {
		d.guard.State(conn, state)
	}
}

func TestTheConnectionIdleLongestMakesRoom(t *testing.T) {
	t.Parallel()
	d := newDoor(connections.Limits{Total: 3, PerAddress: 3})
	first, second, third := d.enters(t, "192.0.2.1"), d.enters(t, "192.0.2.2"), d.enters(t, "192.0.2.3")
	d.state(http.StateActive, third, first, second)
	d.state(http.StateIdle, third, first, second)
	d.state(http.StateActive, third)
	d.enters(t, "192.0.2.4")
	assert.True(t, first.closed, "idle before the second, while the third is served")
	assert.False(t, second.closed || third.closed)
	d.state(http.StateClosed, first)
	assert.Equal(t, connections.Counts{Open: 3, Total: connections.Outcomes{Replaced: 1}}, d.guard.Counts())
}

func TestAConnectionWithoutARequestIsIdle(t *testing.T) {
	t.Parallel()
	d := newDoor(connections.Limits{Total: 2, PerAddress: 2})
	silent, served := d.enters(t, "192.0.2.1"), d.enters(t, "192.0.2.1")
	d.state(http.StateActive, served)
	d.enters(t, "192.0.2.2")
	assert.True(t, silent.closed)
	assert.False(t, served.closed)
}

func TestWhereNoneIsIdleANewConnectionIsClosedAtOnceAndOthersAreAcceptedLater(t *testing.T) {
	t.Parallel()
	d := newDoor(connections.Limits{Total: 2, PerAddress: 2})
	first, second := d.enters(t, "192.0.2.1"), d.enters(t, "192.0.2.2")
	d.state(http.StateActive, first, second)
	for range 3 {
		_, admitted := d.comes(t, "192.0.2.3")
		assert.False(t, admitted)
	}
	assert.False(t, first.closed || second.closed)
	assert.Equal(t, connections.Counts{Open: 2, Total: connections.Outcomes{Refused: 3}}, d.guard.Counts())
	d.state(http.StateClosed, first)
	d.enters(t, "192.0.2.3")
}

func TestAnAddressHasOnlySoManyConnections(t *testing.T) {
	t.Parallel()
	for name, from := range map[string][3]string{
		"IPv4":            {"192.0.2.1", "192.0.2.1", "192.0.2.2"},
		"IPv4 as IPv6":    {"192.0.2.1", "::ffff:192.0.2.1", "::ffff:192.0.2.2"},
		"a /64 of IPv6":   {"2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"},
		"a link's, zoned": {"fe80::1%eth0", "fe80::2%eth1", "2001:db8::1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDoor(connections.Limits{Total: 100, PerAddress: 2})
			first, second := d.enters(t, from[0]), d.enters(t, from[1])
			elsewhere := d.enters(t, from[2])
			d.state(http.StateActive, second)
			third := d.enters(t, from[1])
			assert.True(t, first.closed, "an idle one of the same address makes room")
			d.state(http.StateActive, third)
			_, admitted := d.comes(t, from[0])
			assert.False(t, admitted)
			assert.False(t, elsewhere.closed)
			assert.Equal(t, connections.Counts{Open: 3, PerAddress: connections.Outcomes{Replaced: 1, Refused: 1}}, d.guard.Counts())
		})
	}
}

func TestAProxyHasAsManyConnectionsAsThereAre(t *testing.T) {
	t.Parallel()
	d := newDoor(connections.Limits{Total: 5, PerAddress: 1, Exempt: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}})
	for range 5 {
		d.state(http.StateActive, d.enters(t, "10.1.2.3"))
	}
	_, admitted := d.comes(t, "10.1.2.3")
	assert.False(t, admitted)
}

// Whoever comes and goes leaves nothing behind, also in the other order of events.
func TestAConnectionIsForgottenOnce(t *testing.T) {
	t.Parallel()
	d := newDoor(connections.Limits{Total: 1, PerAddress: 1})
	first := d.enters(t, "192.0.2.1")
	second := d.enters(t, "192.0.2.1")
	d.state(http.StateActive, first, second)
	d.state(http.StateIdle, first)
	d.state(http.StateClosed, first, second, second)
	assert.Zero(t, d.guard.Counts().Open)
	d.enters(t, "192.0.2.1")
}

// The same with a real server: silent connections make room for a request.
func TestAServerAnswersThoughSilentConnectionsTakeAllThereIs(t *testing.T) {
	t.Parallel()
	var lc net.ListenConfig
	socket, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	guard := connections.New(connections.Limits{Total: 8, PerAddress: 8})
	server := &http.Server{
		Handler:   http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }),
		ConnState: guard.State, ReadHeaderTimeout: time.Minute,
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(guard.Listener(socket)) }()
	var silent []net.Conn
	for range 100 {
		conn, err := net.Dial("tcp", socket.Addr().String())
		require.NoError(t, err)
		silent = append(silent, conn)
	}
	asks, err := net.Dial("tcp", socket.Addr().String())
	require.NoError(t, err)
	_, err = io.WriteString(asks, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	require.NoError(t, err)
	answer, err := http.ReadResponse(bufio.NewReader(asks), nil)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	assert.Equal(t, http.StatusNoContent, answer.StatusCode)
	assert.Equal(t, connections.Counts{Open: 8, PerAddress: connections.Outcomes{Replaced: 93}}, guard.Counts())
	for _, conn := range silent[:93] {
		_, err := conn.Read(make([]byte, 1))
		assert.ErrorIs(t, err, io.EOF)
	}
	require.NoError(t, server.Close())
	require.ErrorIs(t, <-served, http.ErrServerClosed)
	require.Eventually(t, func() bool { return guard.Counts().Open == 0 }, time.Minute, time.Millisecond)
}

func TestTheDatabaseAndTheRestKeepTheirFiles(t *testing.T) {
	t.Parallel()
	assert.Equal(t, 744, connections.Share(1024, 8))
	assert.Equal(t, 16, connections.Share(64, 8), "never none")
	files, err := connections.FileLimit()
	require.NoError(t, err)
	assert.Positive(t, files)
}
