package httpapi_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/httpapi"
)

// partly serves so many bytes that hardly compress, and breaks the answer off.
func partly(t *testing.T, size int) *httptest.Server {
	t.Helper()
	served, err := httpapi.Compressing(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		source := rand.New(rand.NewPCG(1, 2))
		for range size {
			_, err := w.Write([]byte{byte('0' + source.IntN(64))})
			assert.NoError(t, err)
		}
		httpapi.BreakOff(w)
	}))
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(served)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.Start()
	t.Cleanup(server.Close)
	return server
}

// wire asks in a version of HTTP for an encoding, and returns all that comes until the connection is closed.
func wire(t *testing.T, server *httptest.Server, version, encoding string) []byte {
	t.Helper()
	connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	defer connection.Close()
	_, err = fmt.Fprintf(connection, "GET / HTTP/%s\r\nHost: here\r\nAccept-Encoding: %s\r\n\r\n", version, encoding)
	require.NoError(t, err)
	all, err := io.ReadAll(connection)
	require.NoError(t, err)
	return all
}

// unpacking returns what is read of a body in an encoding.
func unpacking(t *testing.T, encoding string, body io.Reader) error {
	t.Helper()
	switch encoding {
	case "gzip":
		d, err := gzip.NewReader(body)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, d)
		return err
	case "zstd":
		d, err := zstd.NewReader(body)
		require.NoError(t, err)
		defer d.Close()
		_, err = io.Copy(io.Discard, d)
		return err
	default:
		_, err := io.Copy(io.Discard, body)
		return err
	}
}

// An answer in HTTP/1.0 has no other end than that of its encoding.
func TestACompressedAnswerThatIsBrokenOffDoesNotEndAsIfItWereWhole(t *testing.T) {
	t.Parallel()
	for _, size := range []int{2_000, 20_000, 100_000, 1_000_000} {
		server := partly(t, size)
		for _, encoding := range []string{"gzip", "zstd", "identity"} {
			for _, version := range []string{"1.0", "1.1"} {
				what := fmt.Sprint(size, " bytes, ", encoding, ", HTTP/", version)
				all := wire(t, server, version, encoding)
				if len(all) == 0 {
					continue // not even a beginning was sent
				}
				assert.False(t, bytes.HasSuffix(all, []byte("\r\n0\r\n\r\n")), "%s: no last chunk", what)
				answered, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(all)), nil)
				require.NoError(t, err, what)
				err = unpacking(t, encoding, answered.Body)
				_ = answered.Body.Close() // it says the same again
				if encoding == "identity" && version == "1.0" {
					continue // there is no telling
				}
				assert.ErrorIs(t, err, io.ErrUnexpectedEOF, what)
			}
		}
	}
}
