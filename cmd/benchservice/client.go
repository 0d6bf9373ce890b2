package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// patience is how long a client waits for one answer.
const patience = 30 * time.Second

// A client is one kept connection. It is written by hand because it shares the cores with what it measures:
// net/http's client takes several times the processor time.
type client struct {
	conn    net.Conn
	reader  *bufio.Reader
	request []byte // the last one, to be written over
	body    []byte // of the last answer, to be written over
}

// An answer is valid until the client's next request.
type answer struct {
	status int
	etag   string
	head   int // bytes of the status line and the header, with the empty line
	body   []byte
}

func dial(address string) (*client, error) {
	conn, err := net.DialTimeout("tcp", address, patience) //nolint:noctx // loopback
	if err != nil {
		return nil, fmt.Errorf("reach %s: %w", address, err)
	}
	return &client{conn: conn, reader: bufio.NewReaderSize(conn, 8<<10), request: nil, body: nil}, nil
}

// do sends a request, as newRequest writes them, and reads its answer.
func (c *client) do(request []byte) (answer, error) {
	if err := c.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return answer{}, err
	}
	if _, err := c.conn.Write(request); err != nil {
		return answer{}, fmt.Errorf("send a request: %w", err)
	}
	return c.read()
}

func (c *client) read() (answer, error) {
	line, err := c.reader.ReadSlice('\n')
	if err != nil {
		return answer{}, fmt.Errorf("read an answer: %w", err)
	}
	if len(line) < len("HTTP/1.1 200") {
		return answer{}, fmt.Errorf("an answer begins with %q", line)
	}
	a := answer{status: number(line[9:12]), etag: "", head: len(line), body: nil}
	length, chunked, err := c.readHeader(&a)
	if err != nil {
		return answer{}, fmt.Errorf("read a header: %w", err)
	}
	c.body = c.body[:0]
	if chunked {
		err = c.readChunks()
	} else if a.status != http.StatusNotModified && a.status != http.StatusNoContent {
		err = c.readBytes(length)
	}
	a.body = c.body
	return a, err
}

// readHeader reads up to the body, and what says where that ends.
func (c *client) readHeader(a *answer) (length int, chunked bool, err error) {
	for {
		line, err := c.reader.ReadSlice('\n')
		if err != nil {
			return 0, false, err
		}
		a.head += len(line)
		if line = bytes.TrimRight(line, "\r\n"); len(line) == 0 {
			return length, chunked, nil
		}
		switch line[0] | ('a' - 'A') { // as a small letter
		case 'e':
			if value, found := field(line, "etag:"); found {
				a.etag = string(value)
			}
		case 'c':
			if value, found := field(line, "content-length:"); found {
				length = number(value)
			}
		case 't':
			_, found := field(line, "transfer-encoding:")
			chunked = chunked || found
		}
	}
}

// field returns a header's value when it has this name, in small letters with its colon.
func field(line []byte, name string) ([]byte, bool) {
	if len(line) < len(name) || !bytes.EqualFold(line[:len(name)], []byte(name)) {
		return nil, false
	}
	return bytes.TrimSpace(line[len(name):]), true
}

func (c *client) readBytes(length int) error {
	have := len(c.body)
	if cap(c.body) < have+length {
		c.body = append(make([]byte, 0, have+2*length), c.body...)
	}
	c.body = c.body[:have+length]
	_, err := io.ReadFull(c.reader, c.body[have:])
	return err
}

func (c *client) readChunks() error {
	for {
		line, err := c.reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		size, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 32)
		if err != nil {
			return fmt.Errorf("read the size of a chunk: %w", err)
		}
		if err := c.readBytes(int(size)); err != nil {
			return err
		}
		if _, err := c.reader.Discard(len("\r\n")); err != nil || size == 0 {
			return err
		}
	}
}

// number reads decimal digits; what isn't one counts as 0.
func number(digits []byte) int {
	n, err := strconv.Atoi(string(digits))
	if err != nil {
		return 0
	}
	return n
}

// errUnexpected says that the service answered something else than a bench needs.
var errUnexpected = errors.New("unexpected answer")

// expect does a request that must be answered with the status.
func (c *client) expect(status int, request []byte) (answer, error) {
	a, err := c.do(request)
	if err == nil && a.status != status {
		err = fmt.Errorf("%w to %.60q: %d %s", errUnexpected, request, a.status, a.body)
	}
	return a, err
}

// newRequest writes a request over the last one. A header is whole lines.
func (c *client) newRequest(method, path, token, header, body string) []byte {
	r := c.request[:0]
	r = append(append(append(append(r, method...), ' '), path...), " HTTP/1.1\r\nHost: bench\r\n"...)
	if token != "" {
		r = append(append(append(r, "Authorization: Bearer "...), token...), "\r\n"...)
	}
	r = append(r, header...)
	if body != "" || method == "POST" {
		r = append(r, "Content-Type: application/json\r\nContent-Length: "...)
		r = append(strconv.AppendInt(r, int64(len(body)), 10), "\r\n"...)
	}
	c.request = append(append(r, "\r\n"...), body...)
	return c.request
}
