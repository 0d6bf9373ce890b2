package httpapi

import (
	"maps"
	"net/http"
)

const (
	cacheAsk   = "private, no-cache" // keep it, but ask each time whether it is still true
	cacheNever = "no-store"
)

// answerHeaders are the headers that the successful answers of an operation have in common. They follow from the
// contract, so no handler sets them; a problem overwrites them with its own.
type answerHeaders struct {
	fixed  map[string][]string // shared by all answers
	speaks bool                // the answer holds texts for people
}

func (a answerHeaders) write(h http.Header, x *exchange) {
	maps.Copy(h, a.fixed)
	if a.speaks {
		h.Set(headerContentLanguage, string(x.language()))
	}
}
