package httpapi

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/fourinarow/fourinarow/internal/fault"
)

// readBody reads the body once, at most the limit, and takes it from the request; see leaveBody. A body that the
// operation doesn't take is read too, and thrown away: net/http notices that a client went away only after it.
func (s *server) readBody(c echo.Context, o operation) ([]byte, error) {
	r := c.Request()
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	limit := int64(s.deps.Config.Limits.BodyBytes)
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	switch {
	case int64(len(body)) > limit:
		return nil, tooLarge(limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, fault.New(fault.RequestTimeout, "the body did not arrive in time; send the same request again")
	case err != nil && errors.Is(r.Context().Err(), context.Canceled):
		return nil, context.Canceled
	case err != nil && o.takes == bodyIgnored:
		return nil, invalid([]wrongPart{{"", "the body ended before its end"}})
	case err != nil:
		return nil, fault.New(fault.MalformedJSON, "the body ended before its end")
	case o.takes == bodyIgnored:
		body = nil
	case len(body) > 0:
		if err = checkMediaType(r.Header); err != nil {
			return nil, err
		}
	}
	r.Body, r.ContentLength = http.NoBody, 0
	return body, nil
}

func tooLarge(limit int64) error {
	return fault.New(fault.BodyTooLarge, "a body has at most %d bytes", limit)
}

// checkMediaType accepts application/json, with the charset it always has or without.
func checkMediaType(h http.Header) error {
	for _, line := range h.Values(echo.HeaderContentEncoding) {
		for coding := range strings.SplitSeq(line, ",") {
			if coding = strings.TrimSpace(coding); coding != "" && !strings.EqualFold(coding, "identity") {
				return fault.New(fault.UnsupportedMediaType, "the body is sent as it is, without a Content-Encoding")
			}
		}
	}
	sent := h.Values(echo.HeaderContentType)
	if len(sent) == 1 {
		media, params, err := mime.ParseMediaType(sent[0])
		charset, named := params["charset"]
		if err == nil && media == echo.MIMEApplicationJSON && (!named || strings.EqualFold(charset, "utf-8")) {
			return nil
		}
	}
	return fault.New(fault.UnsupportedMediaType, "the body is not application/json in UTF-8")
}
