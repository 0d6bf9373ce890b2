package httpapi

import (
	"net/http"
)

const (
	cacheAsk   = "private, no-cache" // keep it, but ask each time whether it is still true
	cacheNever = "no-store"
)

// answerHeaders are the headers that the successful answers of an operation have in common. They follow from the
// contract, so no handler sets them; a problem overwrites them with its own.
type answerHeaders struct {
	fixed  []fixedHeader
	speaks bool // the answer holds texts for people
}

// fixedHeader is a header that is the same in many answers. They share the values, which nobody changes in their place.
type fixedHeader struct {
	name   string // as Go writes it
	values []string
}

func fixed(name, value string) fixedHeader {
	return fixedHeader{name: http.CanonicalHeaderKey(name), values: []string{value}}
}

func writeFixed(h http.Header, headers []fixedHeader) {
	for _, header := range headers {
		h[header.name] = header.values
	}
}

func (a answerHeaders) write(h http.Header, x *exchange) {
	writeFixed(h, a.fixed)
	if a.speaks {
		h.Set(headerContentLanguage, string(x.language()))
	}
}
