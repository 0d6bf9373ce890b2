package httpapi

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/service"
)

// Deps is everything the API needs.
type Deps struct {
	Service service.Parts
	Config  config.Config
	Version string // of the program

	Logger  *slog.Logger
	Clock   func() time.Time
	Random  io.Reader // the ids of requests are drawn from it
	Metrics *Metrics
	// Ready returns why the service cannot work, or nil: whether the database stores and nobody has told it to stop.
	Ready func() error
}

// server has a method for each operation of the contract; api.StrictServerInterface names them.
type server struct {
	admins   *service.Admins
	devices  *service.Devices
	games    *service.Games
	history  *service.History
	insights *service.Insights
	leaving  *service.Leaving
	matches  *service.Matches
	profiles *service.Profiles
	rules    *service.HouseRules
	tables   *service.Tables

	deps     Deps
	peers    echo.IPExtractor // says who sent a request
	limits   *limits
	exports  *runningExports
	contract *contract
}

// API is the handlers of the API.
type API struct {
	Public http.Handler
	Admin  http.Handler // of the operations of admins alone; nil where Public has them
}

// New returns the handlers of the API. The error says which operation of the contract has no guard in front of
// it, or which guard belongs to no operation.
func New(d Deps) (API, error) {
	c, err := embeddedContract()
	if err != nil {
		return API{}, err
	}
	limits, err := newLimits(d.Config.Limits, bool(d.Config.RateLimit), d.Clock)
	if err != nil {
		return API{}, err
	}
	parts := d.Service
	s := &server{
		admins: parts.Admins, devices: parts.Devices, games: parts.Games, history: parts.History, insights: parts.Insights,
		leaving: parts.Leaving, matches: parts.Matches, profiles: parts.Profiles, rules: parts.Rules, tables: parts.Tables,
		deps: d, peers: clientAddress(d.Config.TrustedProxies), limits: limits, exports: newRunningExports(d.Config.Limits.ExportsAtOnce), contract: c,
	}
	e := s.newEcho()
	if err := register(e, api.NewStrictHandler(s, []api.StrictMiddlewareFunc{refuseNothing}), c.operations, s.guards(c.operations)); err != nil {
		return API{}, err
	}
	for _, p := range pages {
		e.GET(p.path, s.show(p))
	}
	served, err := compressing(d.Config.Server.Compression, e)
	if err != nil {
		return API{}, err
	}
	if !s.adminsApart() {
		return API{Public: s.entrance(served, forAll), Admin: nil}, nil
	}
	return API{Public: s.entrance(served, forPlayers), Admin: s.entrance(served, forAdmins)}, nil
}

// newEcho returns an Echo with everything that stands in front of all operations.
func (s *server) newEcho() *echo.Echo {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.answerError
	e.Use(s.front)
	return e
}

// entrance answers preflights, gives every other request its id and hands HEAD requests on as GET; net/http leaves the body of their answers
// away.
func (s *server) entrance(next http.Handler, to audience) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isPreflight(r) {
			s.answerPreflight(w, r)
			return
		}
		x := &exchange{id: s.requestID(r), method: r.Method, audience: to, asks: r.Header, query: r.URL.RawQuery}
		x.caller.Address = addressKey(s.peers, r)
		w.Header().Set(headerRequestID, x.id)
		inner := r.WithContext(withExchange(r.Context(), x))
		if r.Method == http.MethodHead { // a copy: net/http must go on seeing HEAD
			inner.Method = http.MethodGet
		} else { // in its place: of thousands that wait nobody needs two
			*r = *inner
			inner = r
		}
		next.ServeHTTP(w, inner)
	})
}

// refuseNothing makes an error of a handler that returned neither an answer nor an error; the generated code would
// send an empty 200.
func refuseNothing(next api.StrictHandlerFunc, operation string) api.StrictHandlerFunc {
	return func(c echo.Context, request any) (any, error) {
		response, err := next(c, request)
		if err == nil && response == nil {
			return nil, fmt.Errorf("%s returned neither an answer nor an error", operation)
		}
		return response, err
	}
}
