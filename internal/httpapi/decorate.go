package httpapi

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
)

const (
	corsMethods = "GET, HEAD, POST, PUT, PATCH, DELETE"
	corsHeaders = "Authorization, Content-Type, Accept-Language, If-Match, If-None-Match, X-Request-Id"
	corsExposed = "ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Location, Date, X-Request-Id"
	corsMaxAge  = "86400" // seconds a browser may remember the answer to a preflight request

	// A page has a policy of its own; see pages.
	contentPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

// everywhere are the headers that every answer has. Any page may call the API: there are no cookies, so a foreign page
// can do no more than a foreign program.
var everywhere = []fixedHeader{
	fixed("X-Content-Type-Options", "nosniff"),
	fixed("X-Frame-Options", "DENY"),
	fixed("Referrer-Policy", "no-referrer"),
	fixed("Content-Security-Policy", contentPolicy),
	fixed("Access-Control-Allow-Origin", "*"),
	fixed("Access-Control-Expose-Headers", corsExposed),
}

// decorate sets the headers that every answer has.
func decorate(c echo.Context) {
	writeFixed(c.Response().Header(), everywhere)
	spellHeaders(c)
}

// answerOptions answers OPTIONS requests that are no preflights: which methods a path takes.
func answerOptions(c echo.Context) error {
	r, h := c.Request(), c.Response().Header()
	allowed := allowedMethods(c)
	switch {
	case aboutTheServer(r):
		h.Set(echo.HeaderAllow, "OPTIONS, "+corsMethods)
	case allowed == "":
		return echo.ErrNotFound
	default:
		h.Set(echo.HeaderAllow, allowed)
	}
	return c.NoContent(http.StatusNoContent)
}

// aboutTheServer reports whether a request asks about no path but the server as a whole: OPTIONS * (RFC 9110, section 9.3.7).
func aboutTheServer(r *http.Request) bool { return r.Method == http.MethodOptions && r.URL.Path == "*" }

// allowedMethods returns the methods of a path, with HEAD where there is GET; empty for a path nobody knows.
func allowedMethods(c echo.Context) string {
	registered, _ := c.Get(echo.ContextKeyHeaderAllow).(string)
	if registered == "" {
		return ""
	}
	methods := strings.Split(registered, ", ")
	for i, method := range methods {
		if method == http.MethodGet {
			methods[i] = "GET, HEAD"
		}
	}
	return strings.Join(methods, ", ")
}
