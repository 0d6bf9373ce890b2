// Package connections bounds the connections of an HTTP server: so many in all, and so many from one address. At a bound a
// new connection takes the place of the one that has been idle longest. Where none is idle it is closed at once: a listener
// that stopped accepting would keep everybody waiting, which is what whoever opens so many wants.
package connections

import (
	"container/list"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"sync"
)

// sendBuffer is how many bytes of answers the system is asked to keep for a connection (Linux keeps twice as many). It wakes a
// writer when a third is free again, so that with the megabytes it grows to otherwise a slow reader looks like one that has
// stopped.
const sendBuffer = 64 << 10

// Limits is how many connections there may be at once.
type Limits struct {
	Total      int            // at least 1
	PerAddress int            // at least 1; of an IPv6 address its /64 counts
	Exempt     []netip.Prefix // of addresses that PerAddress doesn't hold for, like proxies
}

// Guard knows the connections of a server. It is safe for concurrent use.
type Guard struct {
	limits Limits

	mu        sync.Mutex
	known     map[net.Conn]*connection
	all       group
	byNetwork map[netip.Prefix]*group
	counts    Counts
}

// Counts is how many connections there are, and what became of others so far.
type Counts struct {
	Open              int
	Total, PerAddress Outcomes // of those that were at the bound
}

// Outcomes is what became of connections at a bound.
type Outcomes struct {
	Replaced int // idle ones that made room
	Refused  int // new ones that were closed at once
}

// group is connections with a bound in common.
type group struct {
	open int
	idle list.List // of *connection, the one that has been idle longest first
}

// connection is what is known about one.
type connection struct {
	conn    net.Conn
	network netip.Prefix // what counts as its address; not valid when that may have any number
	groups  []membership
}

// membership is the place of a connection in a group.
type membership struct {
	of   *group
	idle *list.Element // nil while a request is served
}

// New returns a guard.
func New(l Limits) *Guard {
	return &Guard{
		limits: l, mu: sync.Mutex{}, known: make(map[net.Conn]*connection), all: group{}, byNetwork: make(map[netip.Prefix]*group), counts: Counts{},
	}
}

// Listener returns a listener that accepts within the limits. The server that it is for has to tell State of its
// connections.
func (g *Guard) Listener(l net.Listener) net.Listener { return listener{Listener: l, guard: g} }

type listener struct {
	net.Listener

	guard *Guard
}

// Accept returns the next connection for which there is room.
func (l listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		replaced, admitted := l.guard.admit(conn)
		if replaced != nil {
			_ = replaced.Close() // its server hears of it by reading
		}
		if admitted {
			if tcp, is := conn.(*net.TCPConn); is {
				_ = tcp.SetWriteBuffer(sendBuffer) // without it answers only lie in memory longer
			}
			return conn, nil
		}
		_ = conn.Close() // nobody has seen it
	}
}

// State is for http.Server.ConnState. After each answer of a connection the others have their turn: one whose next request
// is there already, since it waits for no answer, would go on for ten milliseconds, and fifty of them for half a second.
func (g *Guard) State(conn net.Conn, state http.ConnState) {
	g.note(conn, state)
	if state == http.StateIdle {
		runtime.Gosched()
	}
}

func (g *Guard) note(conn net.Conn, state http.ConnState) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c, found := g.known[conn]
	if !found { // it was replaced
		return
	}
	switch state {
	case http.StateNew: // idle since it was accepted
	case http.StateActive:
		c.leaveIdle()
	case http.StateIdle:
		c.becomeIdle()
	case http.StateClosed, http.StateHijacked:
		g.forget(c)
	}
}

// Counts returns how many connections there are, and what became of others.
func (g *Guard) Counts() Counts {
	g.mu.Lock()
	defer g.mu.Unlock()
	counts := g.counts
	counts.Open = g.all.open
	return counts
}

// admit makes room for a connection. It returns the one that has to be closed for it, if any, and false where there is no
// room.
func (g *Guard) admit(conn net.Conn) (replaced net.Conn, admitted bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c := &connection{conn: conn, network: g.networkOf(conn.RemoteAddr()), groups: []membership{{of: &g.all, idle: nil}}}
	if own := g.byNetwork[c.network]; own != nil && own.open >= g.limits.PerAddress {
		if replaced = g.replace(own, &g.counts.PerAddress); replaced == nil {
			return nil, false
		}
	}
	if g.all.open >= g.limits.Total {
		if replaced = g.replace(&g.all, &g.counts.Total); replaced == nil {
			return nil, false
		}
	}
	if c.network.IsValid() {
		if g.byNetwork[c.network] == nil {
			g.byNetwork[c.network] = &group{}
		}
		c.groups = append(c.groups, membership{of: g.byNetwork[c.network], idle: nil})
	}
	for _, m := range c.groups {
		m.of.open++
	}
	c.becomeIdle()
	g.known[conn] = c
	return replaced, true
}

// replace forgets the connection of a group that has been idle longest, and returns it; nil when none is idle.
func (g *Guard) replace(of *group, outcomes *Outcomes) net.Conn {
	longest := of.idle.Front()
	if longest == nil {
		outcomes.Refused++
		return nil
	}
	c, _ := longest.Value.(*connection)
	g.forget(c)
	outcomes.Replaced++
	return c.conn
}

func (g *Guard) forget(c *connection) {
	c.leaveIdle()
	for _, m := range c.groups {
		m.of.open--
	}
	delete(g.known, c.conn)
	if own := g.byNetwork[c.network]; own != nil && own.open == 0 {
		delete(g.byNetwork, c.network)
	}
}

func (c *connection) becomeIdle() {
	c.leaveIdle()
	for i, m := range c.groups {
		c.groups[i].idle = m.of.idle.PushBack(c)
	}
}

func (c *connection) leaveIdle() {
	for i, m := range c.groups {
		if m.idle != nil {
			m.of.idle.Remove(m.idle)
			c.groups[i].idle = nil
		}
	}
}

// ipv6Client is how much of an IPv6 address one customer of a provider holds constant.
const ipv6Client = 64

// networkOf returns what counts as one address; what isn't valid for one that may have any number of connections.
func (g *Guard) networkOf(peer net.Addr) netip.Prefix {
	tcp, isTCP := peer.(*net.TCPAddr)
	if !isTCP {
		return netip.Prefix{}
	}
	address := tcp.AddrPort().Addr().Unmap().WithZone("")
	if slices.ContainsFunc(g.limits.Exempt, func(p netip.Prefix) bool { return p.Contains(address) }) {
		return netip.Prefix{}
	}
	bits := address.BitLen()
	if address.Is6() {
		bits = ipv6Client
	}
	return netip.PrefixFrom(address, bits).Masked()
}
