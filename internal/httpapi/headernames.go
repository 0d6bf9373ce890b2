package httpapi

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// writtenNames are the headers whose names the contract writes otherwise than Go does, by how Go does: Etag,
// Ratelimit-Limit. A name has no case, but the maps of some clients do.
var writtenNames = func() map[string]string {
	names := make(map[string]string)
	for _, name := range []string{"ETag", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", echo.HeaderWWWAuthenticate} {
		names[http.CanonicalHeaderKey(name)] = name
	}
	return names
}()

// spellHeaders writes the names of the headers of an answer as the contract does, with the status line: until then they are
// found as usual. So a header is set by Set and in no other way.
func spellHeaders(c echo.Context) {
	h := c.Response().Header()
	c.Response().Before(func() {
		for inGo, name := range writtenNames {
			if values, isSet := h[inGo]; isSet {
				delete(h, inGo)
				h[name] = values
			}
		}
	})
}
