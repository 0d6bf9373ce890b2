package httpapi

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/fourinarow/fourinarow/internal/text"
)

// operationPreflight is what metrics call preflights; they are no operation of the contract.
const operationPreflight = "preflight"

// preflightHeaders are the headers of the answer to a preflight.
var preflightHeaders = append(slices.Clone(everywhere),
	fixed("Access-Control-Allow-Methods", corsMethods),
	fixed("Access-Control-Allow-Headers", corsHeaders),
	fixed("Access-Control-Max-Age", corsMaxAge),
)

// isPreflight reports whether a browser asks if a page may send a request.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get(echo.HeaderAccessControlRequestMethod) != ""
}

// answerPreflight says that any page may send any request. Browsers ask for each URL that is new to them, so these are
// counted apart and leave no line in the log.
func (s *server) answerPreflight(w http.ResponseWriter, r *http.Request) {
	start := s.deps.Clock()
	x := &exchange{operation: operationPreflight, asks: r.Header}
	status := http.StatusNoContent
	if err := s.limits.preflight(addressKey(s.peers, r)); err != nil {
		x.id = s.requestID(r)
		p := problemOf(err, text.English)
		p.limit = limitState{}
		status = statusOf(p.fault.Code)
		writeFixed(w.Header(), everywhere)
		w.Header().Set(headerRequestID, x.id)
		p.write(w, x)
	} else {
		writeFixed(w.Header(), preflightHeaders)
		w.WriteHeader(status)
	}
	s.deps.Metrics.answered(x, status, max(s.deps.Clock().Sub(start), 0))
}
