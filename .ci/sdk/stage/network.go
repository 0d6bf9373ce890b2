package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"time"

	"github.com/fourinarow/fourinarow/.ci/harness"
)

const cutOneIn = 10

// network stands before a gateway. It cuts off every tenth answer, before its first byte or in the middle in turn, and can be off.
type network struct {
	gateway http.Handler
	address string

	mu        sync.Mutex
	server    *http.Server
	answered  int
	cut       int
	repeated  int
	lost      map[[sha256.Size]byte]*http.Request // whose answers got lost, until they are sent again
	restoring *time.Timer
}

func newNetwork(gateway http.Handler) (*network, error) {
	n := &network{gateway: gateway, address: "127.0.0.1:0", lost: map[[sha256.Size]byte]*http.Request{}}
	return n, n.on()
}

func (n *network) url() string { return "http://" + n.address }

// on listens, again at the same address.
func (n *network) on() error {
	listener, err := net.Listen("tcp", n.address)
	if err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.address = listener.Addr().String()
	n.server = &http.Server{Handler: n}
	go func(server *http.Server) { _ = server.Serve(listener) }(n.server) // until it is closed
	return nil
}

// off ends all connections and refuses new ones for that long.
func (n *network) off(long time.Duration, failed func(error)) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.restoring = time.AfterFunc(long, func() {
		if err := n.on(); err != nil {
			failed(err)
		}
	})
	return n.server.Close()
}

func (n *network) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.restoring != nil {
		n.restoring.Stop()
	}
	_ = n.server.Close() // nobody listens any more
}

func (n *network) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	request := sha256.Sum256(append([]byte(r.Method+" "+r.URL.String()+"\n"+r.Header.Get("Authorization")+"\n"), body...))
	n.arrived(request)

	answer := httptest.NewRecorder()
	n.gateway.ServeHTTP(answer, r)
	switch n.leaves(request, r, answer.Code) {
	case whole:
		for name, values := range answer.Header() {
			w.Header()[name] = values
		}
		w.Header().Set("Content-Length", strconv.Itoa(answer.Body.Len()))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes()) // the client may have gone
	case half:
		cutOff(w, answer)
	case nothing:
		cutOff(w, nil)
	}
}

// fate is how much of an answer leaves.
type fate int

const (
	whole fate = iota
	half
	nothing
)

func (n *network) arrived(request [sha256.Size]byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.lost[request] != nil {
		delete(n.lost, request)
		n.repeated++
	}
}

func (n *network) leaves(request [sha256.Size]byte, r *http.Request, status int) fate {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answered++
	cut := n.answered%cutOneIn == 0
	if cut || status == http.StatusBadGateway {
		n.lost[request] = r
	}
	if !cut {
		return whole
	}
	n.cut++
	return half + fate(n.cut%2)
}

// cutOff ends the connection, after half of the answer if there is one.
func cutOff(w http.ResponseWriter, answer *httptest.ResponseRecorder) {
	connection, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return // it is closed
	}
	if answer != nil {
		var text bytes.Buffer
		result := answer.Result()
		result.ContentLength = int64(answer.Body.Len())
		err = result.Write(&text)
		_, _ = buffered.Write(text.Bytes()[:text.Len()/2]) // the client may have gone
		err = errors.Join(err, buffered.Flush())
	}
	_ = errors.Join(err, connection.Close())
}

func (n *network) cuts() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.cut
}

func (n *network) repeats() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.repeated
}

// unrepeated is what of an operation was lost and never sent again.
func (n *network) unrepeated(operation string, routes *harness.Routes) []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	var requests []string
	for _, r := range n.lost {
		if routes.Operation(r).OperationID == operation {
			requests = append(requests, operation+" again after its answer was lost ("+r.URL.Path+")")
		}
	}
	return requests
}
