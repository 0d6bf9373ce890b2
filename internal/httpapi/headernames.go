package httpapi

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// headerName is a name as Go writes it, Etag or Ratelimit-Limit, and as the contract does.
type headerName struct{ inGo, written string }

// writtenNames are the headers whose names the contract writes otherwise than Go does. A name has no case, but the maps
// of some clients do.
var writtenNames = func() (names []headerName) {
	for _, name := range []string{"ETag", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", echo.HeaderWWWAuthenticate} {
		names = append(names, headerName{inGo: http.CanonicalHeaderKey(name), written: name})
	}
	return names
}()

// spellHeaders writes the names of the headers of an answer as the contract does, with the status line: until then they are
// found as usual. So a header is set by Set, or under the name that Set gives it.
func spellHeaders(c echo.Context) {
	h := c.Response().Header()
	c.Response().Before(func() {
		for _, name := range writtenNames {
			if values, isSet := h[name.inGo]; isSet {
				delete(h, name.inGo)
				h[name.written] = values
			}
		}
	})
}
