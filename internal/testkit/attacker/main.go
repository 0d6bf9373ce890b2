// Command attacker is somebody who wants to stall a service, for soak tests: a process of its own, so that it can be run at
// another priority. With -idle it is a handler that does nothing, at which attackers can aim as well.
package main

import (
	"context"
	crand "crypto/rand"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fourinarow/fourinarow/internal/profile"
)

// target is what is attacked.
type target struct {
	http   *http.Client
	base   string
	tokens []string
	game   string
}

// attack is a way to stall a service.
type attack struct {
	atOnce int           // requests under way
	every  time.Duration // from one to the next, all together; 0: as fast as they are answered
	send   func(ctx context.Context, t *target, nth int)
}

var attacks = map[string]attack{
	"exports":     {60, 0, reads("/v1/me/export")},
	"parameters":  {4, time.Second / 60, reads("/healthz?" + strings.Repeat("1&", 3200) + "1")},
	"fields":      {4, time.Second / 60, posts("/v1/profiles", "{"+strings.Repeat(`"a":1,`, 2300)+`"a":1}`)},
	"codes":       {64, time.Second / 4000, guesses},
	"secrets":     {64, time.Second / 4000, claims},
	"documents":   {4, 0, reads("/docs")},
	"hints":       {12, time.Second / 24, studies},
	"waits":       {400, 0, waits},
	"connections": {64, 0, connects},
	"paths":       {64, time.Second / 13_400, reads("/nowhere")},
	"preflights":  {64, 0, asksBefore},
	"profiles":    {64, 0, opens},
	"pipelines":   {50, 0, pipelines},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	idle := flag.Bool("idle", false, "do nothing, at an address that is printed")
	name := flag.String("attack", "", "what to do")
	base := flag.String("base", "", "the URL of whom to do it to")
	game := flag.String("game", "", "a game that everybody may watch")
	tokens := flag.String("tokens", "", "tokens to do it with, with commas between")
	flag.Parse()
	if *idle {
		beIdle(ctx)
		return
	}
	a, known := attacks[*name]
	if !known {
		panic("there is no attack " + *name)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: a.atOnce, DisableCompression: true}
	t := &target{http: &http.Client{Transport: transport}, base: *base, tokens: strings.Split(*tokens, ","), game: *game}
	a.run(ctx, t)
}

// run attacks until ctx is done.
func (a attack) run(ctx context.Context, t *target) {
	turns := make(chan int)
	var all sync.WaitGroup
	for range a.atOnce {
		all.Go(func() {
			for nth := range turns {
				a.send(ctx, t, nth)
			}
		})
	}
	due := time.NewTimer(0)
	for nth := 0; ctx.Err() == nil; nth++ {
		due.Reset(a.every)
		select {
		case turns <- nth:
		case <-ctx.Done():
		}
		if a.every > 0 {
			<-due.C
		}
	}
	close(turns)
	all.Wait()
}

type header struct{ name, value string }

// ask sends a request and reads its answer to the end; what comes back doesn't matter to an attacker.
func (t *target) ask(ctx context.Context, method, path, body string, headers ...header) {
	r, err := http.NewRequestWithContext(ctx, method, t.base+path, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		r.Header.Set(h.name, h.value)
	}
	answer, err := t.http.Do(r)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	_ = answer.Body.Close()
}

func (t *target) bearer(nth int) header {
	return header{"Authorization", "Bearer " + t.tokens[nth%len(t.tokens)]}
}

// reads sends GETs for a path, with a token where it is about who asks.
func reads(path string) func(context.Context, *target, int) {
	return func(ctx context.Context, t *target, nth int) {
		if strings.HasPrefix(path, "/v1/me") {
			t.ask(ctx, http.MethodGet, path, "", t.bearer(nth))
			return
		}
		t.ask(ctx, http.MethodGet, path, "")
	}
}

// posts sends a body to a path.
func posts(path, body string) func(context.Context, *target, int) {
	return func(ctx context.Context, t *target, _ int) { t.ask(ctx, http.MethodPost, path, body) }
}

// guesses sends codes of log-ins that nobody was given.
func guesses(ctx context.Context, t *target, _ int) {
	t.ask(ctx, http.MethodPost, "/v1/device-tokens", fmt.Sprintf(`{"code":"%010d"}`, rand.IntN(1e10))) //nolint:gosec // any code will do
}

// claims sends tokens that nobody was given.
func claims(ctx context.Context, t *target, _ int) {
	token, err := profile.NewToken(crand.Reader)
	if err != nil {
		panic(err)
	}
	t.ask(ctx, http.MethodGet, "/v1/me", "", header{"Authorization", "Bearer " + string(token)})
}

// studies asks for positions of eleven to thirteen plies that nobody asked for before.
func studies(ctx context.Context, t *target, nth int) {
	var moves strings.Builder
	for range 11 + nth%3 {
		fmt.Fprint(&moves, 1+rand.IntN(7)) //nolint:gosec // any position will do
	}
	t.ask(ctx, http.MethodGet, "/v1/positions/"+moves.String(), "", t.bearer(nth))
}

// waits waits for news of a game in which nothing happens.
func waits(ctx context.Context, t *target, nth int) {
	t.ask(ctx, http.MethodGet, "/v1/games/"+t.game+"?after_version=1000&wait=30", "", t.bearer(nth))
}

// connects opens a connection and says nothing until it is closed or 300 others were opened.
func connects(ctx context.Context, t *target, _ int) {
	var dialer net.Dialer
	var silent []net.Conn
	for range 300 {
		if conn, err := dialer.DialContext(ctx, "tcp", strings.TrimPrefix(t.base, "http://")); err == nil {
			silent = append(silent, conn)
		}
	}
	for _, conn := range silent {
		_ = conn.Close()
	}
}

// pipelines sends requests one after the other on a connection of its own, without waiting for an answer.
func pipelines(ctx context.Context, t *target, _ int) {
	address := strings.TrimPrefix(t.base, "http://")
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	var reading sync.WaitGroup
	reading.Go(func() { _, _ = io.Copy(io.Discard, conn) })
	many := strings.Repeat("GET /nowhere HTTP/1.1\r\nHost: "+address+"\r\n\r\n", 200)
	for err == nil {
		_, err = io.WriteString(conn, many)
	}
	_ = conn.Close()
	reading.Wait()
}

// asksBefore sends preflights, each for a URL that is new.
func asksBefore(ctx context.Context, t *target, nth int) {
	t.ask(ctx, http.MethodOptions, fmt.Sprintf("/v1/games/%d", nth), "", header{"Access-Control-Request-Method", http.MethodPost})
}

// opens opens profiles, each from another network of IPv6 behind a proxy.
func opens(ctx context.Context, t *target, nth int) {
	t.ask(ctx, http.MethodPost, "/v1/profiles", "{}", header{"X-Forwarded-For", fmt.Sprintf("2001:db8:%x:%x::1", nth>>16, nth&0xffff)})
}

// beIdle answers every request with nothing until ctx is done.
func beIdle(ctx context.Context) {
	var lc net.ListenConfig
	socket, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	if _, err = fmt.Fprintf(os.Stdout, "ready at http://%s\n", socket.Addr()); err != nil {
		panic(err)
	}
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	_ = server.Serve(socket)
}
