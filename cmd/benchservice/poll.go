package main

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
)

// pollPly is how far the games are that are polled.
const pollPly = 20

// A kind of unchanged poll.
type kind int

const (
	notModified kind = iota // 304: If-None-Match
	wholeGame               // 200: after_version alone
)

func (k kind) status() int {
	if k == notModified {
		return http.StatusNotModified
	}
	return http.StatusOK
}

// accepts are headers of every poll. Only a service with compression on heeds it.
const accepts = "Accept-Encoding: gzip\r\n"

// A poller asks for one game again and again.
type poller struct {
	*client
	kind    kind
	path    string
	token   string
	request []byte
}

// newPoller reads the game once, to know what it will be unchanged from.
func newPoller(k kind, g guest, game string) (*poller, error) {
	p := &poller{client: g.client, kind: k, path: "/v1/games/" + game, token: g.token, request: nil}
	a, err := g.expect(http.StatusOK, g.newRequest("GET", p.path, g.token, "", ""))
	if err != nil {
		return nil, err
	}
	p.ask(a.etag)
	return p, nil
}

// ask makes the request after an answer with this ETag, like W/"21-r": its digits are the version.
func (p *poller) ask(etag string) {
	if p.kind == notModified {
		p.request = slices.Clone(p.newRequest("GET", p.path, p.token, accepts+"If-None-Match: "+etag+"\r\n", ""))
		return
	}
	version := 0
	for _, c := range etag {
		if c >= '0' && c <= '9' {
			version = version*10 + int(c-'0')
		}
	}
	p.request = slices.Clone(p.newRequest("GET", fmt.Sprintf("%s?after_version=%d", p.path, version), p.token, accepts, ""))
}

// step polls; an answer with news, which somebody's presence may be, doesn't count.
func (p *poller) step() (bool, error) {
	a, err := p.do(p.request)
	switch {
	case err != nil:
		return false, err
	case a.status == p.kind.status():
		return true, nil
	case p.kind == notModified && a.status == http.StatusOK && a.etag != "":
		p.ask(a.etag)
		return false, nil
	default:
		return false, fmt.Errorf("%w to a poll: %d %s", errUnexpected, a.status, a.body)
	}
}

// newPollers opens half as many games as there are connections: the players of each poll it.
func newPollers(k kind, address string, connections int) (crew, error) {
	c := crew{workers: nil, end: func() error { return nil }}
	for i := range connections / 2 {
		pair, err := newPair(address, longGames(uint64(i)+1))
		if err != nil {
			return c, err
		}
		before := c.end
		c.end = func() error { return errors.Join(before(), pair.end()) }
		for pair.ply < pollPly {
			if _, err := pair.step(); err != nil {
				return c, err
			}
		}
		for _, g := range pair.guests {
			p, err := newPoller(k, g, pair.game)
			if err != nil {
				return c, err
			}
			c.workers = append(c.workers, p.step)
		}
	}
	return c, nil
}

// newBarePollers ask a bare handler as the pollers ask the service: by requests of the same bytes.
func newBarePollers(request []byte, k kind, address string, connections int) (crew, error) {
	c := crew{workers: nil, end: func() error { return nil }}
	for range connections {
		conn, err := dial(address)
		if err != nil {
			return c, err
		}
		before := c.end
		c.end = func() error { return errors.Join(before(), conn.conn.Close()) }
		p := &poller{client: conn, kind: k, path: "", token: "", request: request}
		c.workers = append(c.workers, p.step)
	}
	return c, nil
}

// newPairs seats pairs at tables of their own.
func newPairs(address string, pairs int) (crew, error) {
	c := crew{workers: nil, end: func() error { return nil }}
	for i := range pairs {
		pair, err := newPair(address, longGames(uint64(i)+1))
		if err != nil {
			return c, err
		}
		before := c.end
		c.end = func() error { return errors.Join(before(), pair.end()) }
		c.workers = append(c.workers, pair.step)
	}
	return c, nil
}
