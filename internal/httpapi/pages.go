package httpapi

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// page is an address that people open in a browser. It is no operation of the contract: no client is generated for it, it
// takes GET and HEAD alone, and parameters that somebody has put behind it mean nothing.
type page struct {
	path   string
	policy string // its Content-Security-Policy
	of     func(c *contract) document
}

// pages lists the pages.
var pages = []page{
	{"/docs", policyOfDocs, func(c *contract) document { return c.page }},
}

// policyOfDocs is for a page with its own style, no script, no image and nothing from elsewhere.
const policyOfDocs = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// show answers with a page.
func (s *server) show(p page) echo.HandlerFunc {
	shown := p.of(s.contract)
	return func(c echo.Context) error {
		exchangeOf(c.Request().Context()).route = p.path
		if err := s.countStray(c); err != nil {
			return err
		}
		h := c.Response().Header()
		h.Set(echo.HeaderContentSecurityPolicy, p.policy)
		h.Set(echo.HeaderCacheControl, cacheAsk)
		h.Set("ETag", etag(shown.tag))
		if shown.unchangedFor(ifNoneMatchOf(c.Request())) {
			return c.NoContent(http.StatusNotModified)
		}
		return sentDocument{shown, echo.MIMETextHTMLCharsetUTF8, c.Request().Header}.send(c.Response())
	}
}

// ifNoneMatchOf returns the If-None-Match of a request; nil when it has none.
func ifNoneMatchOf(r *http.Request) *string {
	joinLines(r.Header, "If-None-Match")
	if sent := r.Header.Get("If-None-Match"); sent != "" {
		return &sent
	}
	return nil
}
