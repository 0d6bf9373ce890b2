package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

// serveBare is a process of its own: net/http with a handler that gives the same answer to everything.
func serveBare(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bare", flag.ContinueOnError)
	status := flags.Int("status", http.StatusOK, "of the answer")
	padding := flags.Int("padding", 0, "bytes of a header that makes the answer's as long as the service's")
	size := flags.Int("body", 0, "bytes")
	if err := flags.Parse(args); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	var lc net.ListenConfig
	socket, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	body := []byte(strings.Repeat("x", *size))
	pad, length, contentType := []string{strings.Repeat("x", *padding)}, []string{strconv.Itoa(*size)}, []string{"application/json"}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		header := w.Header()
		header["X-Padding"] = pad
		if *status != http.StatusOK {
			w.WriteHeader(*status)
			return
		}
		header["Content-Type"], header["Content-Length"] = contentType, length
		_, _ = w.Write(body) // a client that left
	}), ReadHeaderTimeout: patience}
	go func() {
		<-ctx.Done()
		_ = server.Close() // Serve tells
	}()
	fmt.Fprintf(out, "http://%s\n", socket.Addr())
	if err := server.Serve(socket); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// startBare runs the bare handler with an answer of as many bytes as the service's to the request.
func startBare(ctx context.Context, k kind, like answer, request []byte) (*running, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	run := func(padding int) (*running, error) {
		return start(ctx, []string{}, self, "bare", "-status", strconv.Itoa(k.status()),
			"-padding", strconv.Itoa(padding), "-body", strconv.Itoa(len(like.body)))
	}
	unpadded, err := run(0)
	if err != nil {
		return nil, err
	}
	c, err := dial(unpadded.address)
	if err != nil {
		return nil, errors.Join(err, unpadded.stop())
	}
	a, err := c.do(request)
	if err = errors.Join(err, c.conn.Close(), unpadded.stop()); err != nil {
		return nil, err
	}
	return run(max(0, like.head-a.head))
}
