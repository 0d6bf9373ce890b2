package httpapi

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/fourinarow/fourinarow/internal/text"
)

const (
	cacheAsk   = "private, no-cache" // keep it, but ask each time whether it is still true
	cacheNever = "no-store"
)

// answerHeaders are the headers that the successful answers of an operation have in common. They follow from the
// contract, so no handler sets them; a problem overwrites them with its own.
type answerHeaders struct {
	cache  string
	vary   string // empty: the answer is the same for everybody
	speaks bool   // the answer holds texts for people
}

func (a answerHeaders) write(h http.Header, language func() text.Language) {
	h.Set(echo.HeaderCacheControl, a.cache)
	if a.vary != "" {
		h.Set(echo.HeaderVary, a.vary)
	}
	if a.speaks {
		h.Set(headerContentLanguage, string(language()))
	}
}
