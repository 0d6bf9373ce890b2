package httpapi

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/zstd"
	"github.com/labstack/echo/v4"

	"github.com/fourinarow/fourinarow/internal/config"
)

// compressFrom is from how many bytes an answer is compressed: a smaller one fits into one packet anyway.
const compressFrom = 1024

// compressing lets a handler's answers be compressed for clients that ask for it. A compressor is taken from a pool when
// so much of an answer has been written, so none is held by a request that waits. The strengths are those that cost a move
// the least.
func compressing(on config.Switch, next http.Handler) (http.Handler, error) {
	if !on {
		return next, nil
	}
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(compressFrom), gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.EnableZstd(true),
		gzhttp.ContentTypeFilter(func(mime string) bool { return mime != mimeProblem && gzhttp.DefaultContentTypeFilter(mime) }))
	if err != nil {
		return nil, fmt.Errorf("set compression up: %w", err)
	}
	compressed := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		compressed.ServeHTTP(&severable{ResponseWriter: w, severed: false}, r)
	}), nil
}

// severable is where answers go that may be compressed. Nothing comes through any more once it is severed: the compressor
// ends what it was given as if it were whole, also when the answer is broken off.
type severable struct {
	http.ResponseWriter

	severed bool
}

// Unwrap returns what the answers go on to.
func (s *severable) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// Write sends a part of an answer.
func (s *severable) Write(part []byte) (int, error) {
	if s.severed {
		return 0, http.ErrAbortHandler
	}
	return s.ResponseWriter.Write(part)
}

// breakOff drops the connection of an answer of which a part was sent: the client would take that for the whole.
func breakOff(w http.ResponseWriter) {
	for {
		if s, found := w.(*severable); found {
			s.severed = true
		}
		inner, wraps := w.(interface{ Unwrap() http.ResponseWriter })
		if !wraps {
			panic(http.ErrAbortHandler)
		}
		w = inner.Unwrap()
	}
}

// secretFields are what answers hold that nobody may guess at by how well an answer is compressed, with text of the guesser
// beside it. The code of a log-in is in an answer that nobody may keep, and these aren't compressed at all.
var secretFields = map[string]bool{"token": true, "invite_code": true}

// carriesSecret reports whether an answer of an operation may hold a token or a code.
func carriesSecret(op *openapi3.Operation) bool {
	if op.Extensions[extensionCache] != nil {
		return true
	}
	for status, response := range op.Responses.Map() {
		if !strings.HasPrefix(status, "2") { // of problems none is compressed
			continue
		}
		for _, content := range response.Value.Content {
			if holdsSecret(content.Schema, map[*openapi3.Schema]bool{}) {
				return true
			}
		}
	}
	return false
}

func holdsSecret(ref *openapi3.SchemaRef, seen map[*openapi3.Schema]bool) bool {
	if ref == nil || ref.Value == nil || seen[ref.Value] {
		return false
	}
	schema := ref.Value
	seen[schema] = true
	for name, property := range schema.Properties {
		if secretFields[name] || holdsSecret(property, seen) {
			return true
		}
	}
	parts := openapi3.SchemaRefs{schema.Items, schema.AdditionalProperties.Schema}
	for _, part := range slices.Concat(parts, schema.AllOf, schema.OneOf, schema.AnyOf) {
		if holdsSecret(part, seen) {
			return true
		}
	}
	return false
}

// leaveUncompressed keeps an answer as it is.
func leaveUncompressed(h http.Header) { h.Set(gzhttp.HeaderNoCompression, "1") }

// An encoding is one that documents are kept in.
type encoding struct {
	name    string
	content []byte
}

// encodingsOf compresses a document as far as it goes, in the order in which clients get them.
func encodingsOf(content string) ([]encoding, error) {
	small, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return nil, fmt.Errorf("set compression up: %w", err)
	}
	var zipped bytes.Buffer
	zip, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("set compression up: %w", err)
	}
	if _, err = zip.Write([]byte(content)); err == nil {
		err = zip.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("compress a document: %w", err)
	}
	return []encoding{{"zstd", small.EncodeAll([]byte(content), nil)}, {"gzip", zipped.Bytes()}}, nil
}

// bestOf returns what a client likes best of some encodings of one content, those it likes alike in their order; nil when
// it names none of them.
func bestOf(encodings []encoding, asks http.Header) (best *encoding) {
	most := 0.0
	for i, e := range encodings {
		if weight := weightOf(asks, e.name); weight > most {
			best, most = &encodings[i], weight
		}
	}
	return best
}

// weightOf returns how much an Accept-Encoding likes an encoding that it names, from 0 to 1 (RFC 9110, section 12.5.3); 0: not
// at all.
func weightOf(asks http.Header, name string) float64 {
	for _, line := range asks.Values(echo.HeaderAcceptEncoding) {
		for item := range strings.SplitSeq(line, ",") {
			coding, weight, _ := strings.Cut(item, ";")
			if !strings.EqualFold(strings.TrimSpace(coding), name) {
				continue
			}
			q, weighed := strings.CutPrefix(strings.TrimSpace(weight), "q=")
			if !weighed {
				return 1
			}
			value, err := strconv.ParseFloat(q, 64)
			if err != nil {
				return 0
			}
			return value
		}
	}
	return 0
}
