package httpapi

import (
	"fmt"
	"net/http"
	"time"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
)

// Operations that have a limit of their own.
const (
	operationPlayMove    = "playMove"
	operationOpenProfile = "openProfile"
	operationGetPosition = "getPosition" // with a token
	operationRequestHint = "requestHint"
	operationGetAnalysis = "getAnalysis"
	operationExportMe    = "exportMe"
	operationUseCode     = "createDeviceToken"
	operationHealth      = "getHealth"
	operationReadiness   = "getReadiness"

	// These open a table or may begin a game.
	operationOpenTable       = "openTable"
	operationTakeSeat        = "takeSeat"
	operationAgreeRematch    = "agreeRematch"
	operationStartQuickMatch = "startQuickMatch"
)

// limits counts what tokens and addresses ask for. It is nil when the limits are switched off.
type limits struct {
	clock      func() time.Time
	tokens     *buckets     // requests of a token
	moves      *buckets     // moves of a token
	insights   *buckets     // scores, hints and analyses of a token
	games      *buckets     // tables and games that a profile opens and begins
	exports    *buckets     // exports of a profile
	profiles   *newProfiles // profiles opened
	strangers  *buckets     // requests without a token from an address
	preflights *buckets     // preflights from an address
	failures   *buckets     // wrong tokens and codes from an address
	codes      *turns       // of addresses past the limit on failures, to look a code up
	unknown    *turns       // the same for tokens
}

func newLimits(l config.Limits, on bool, clock func() time.Time) (*limits, error) {
	if !on {
		return nil, nil //nolint:nilnil // nil limits are none, not an error
	}
	profiles, err := newNewProfiles(l)
	if err != nil {
		return nil, err
	}
	made := &limits{
		clock: clock, tokens: nil, moves: nil, insights: nil, games: nil, exports: nil, profiles: profiles, strangers: nil, preflights: nil,
		failures: nil, codes: newTurns(codesWaiting), unknown: newTurns(tokensWaiting),
	}
	return made, makeBuckets(
		bucketsOf{
			&made.tokens, "requests_per_second", fmt.Sprintf("this token may send %d requests a second", l.TokenPerSecond),
			l.TokenPerSecond, time.Second, l.TokenBurst,
		},
		bucketsOf{
			&made.moves, "moves_per_second", fmt.Sprintf("this token may play %d moves a second", l.MovesPerSecond),
			l.MovesPerSecond, time.Second, l.MovesPerSecond,
		},
		bucketsOf{
			&made.insights, "insights_per_second", fmt.Sprintf("this token may ask for %d scores, hints and analyses a second", l.InsightsPerSecond),
			l.InsightsPerSecond, time.Second, l.InsightsPerSecond,
		},
		bucketsOf{
			&made.games, "games_per_hour", fmt.Sprintf("this profile may open tables and begin games %d times an hour", l.GamesPerHour),
			l.GamesPerHour, time.Hour, l.GamesPerHour,
		},
		bucketsOf{
			&made.exports, "exports_per_hour", fmt.Sprintf("%d exports an hour may be read of this profile", l.ExportsPerHour),
			l.ExportsPerHour, time.Hour, l.ExportsPerHour,
		},
		bucketsOf{
			&made.strangers, "anonymous_reads_per_second", fmt.Sprintf("%d requests a second may come from this address without a token", l.AnonymousPerSecond),
			l.AnonymousPerSecond, time.Second, l.AnonymousPerSecond,
		},
		bucketsOf{
			&made.preflights, "preflights_per_second",
			fmt.Sprintf("browsers at this address may ask %d times a second what a page may send", l.PreflightsPerSecond),
			l.PreflightsPerSecond, time.Second, l.PreflightsPerSecond,
		},
		bucketsOf{
			&made.failures, "failed_secrets_per_minute", fmt.Sprintf("%d wrong tokens or codes a minute may come from this address", l.FailuresPerMinute),
			l.FailuresPerMinute, time.Minute, l.FailuresPerMinute,
		},
	)
}

// admission is a request that was let in.
type admission struct {
	state  limitState
	refund func() // gives back what only a success should cost
}

// admit counts a request, of which only a look at its size has been taken. The fault is rate_limited.
func (l *limits) admit(o operation, c service.Caller, r *http.Request) (admission, error) {
	a := admission{state: limitState{}, refund: func() {}}
	if l == nil || isProbe(o, r) {
		return a, nil
	}
	now := l.clock()
	general, key := l.strangers, c.Address
	switch {
	case c.Admin != nil:
		general, key = l.tokens, string(c.Admin.ID)
	case !c.Anonymous():
		general, key = l.tokens, string(c.Device)
	}
	var err error
	if a.state, err = general.count(key, now); err != nil {
		if o.id == operationUseCode && mayHoldCode(r) { // a right code is never refused for others' requests
			return a, nil
		}
		return a, err
	}
	own, of, refundable := l.ofOperation(o, c)
	if own == nil {
		return a, nil
	}
	state, refund, err := own.take(of, now)
	a.state = a.state.tighter(state)
	if refundable {
		a.refund = refund
	}
	return a, err
}

// counter counts by a key; refund gives back what was counted.
type counter interface {
	take(key string, now time.Time) (state limitState, refund func(), err error)
}

// ofOperation returns the limit that an operation has besides that for all, who is counted, and whether only a success
// counts; nil for none.
func (l *limits) ofOperation(o operation, c service.Caller) (own counter, of string, refundable bool) {
	if o.id == operationOpenProfile {
		return l.profiles, c.Address, true
	}
	if c.Anonymous() {
		return nil, "", false
	}
	switch o.id {
	case operationPlayMove:
		return l.moves, string(c.Device), false
	case operationGetPosition, operationRequestHint, operationGetAnalysis:
		return l.insights, string(c.Device), false
	case operationOpenTable, operationTakeSeat, operationAgreeRematch, operationStartQuickMatch:
		return l.games, string(c.Profile), true
	default:
		return nil, "", false
	}
}

// export counts an export. The fault is rate_limited.
func (l *limits) export(who profile.ID) (limitState, error) {
	if l == nil {
		return limitState{}, nil
	}
	return l.exports.count(string(who), l.clock())
}

// anonymous counts a request without a token. The fault is rate_limited.
func (l *limits) anonymous(address string) (limitState, error) {
	if l == nil {
		return limitState{}, nil
	}
	return l.strangers.count(address, l.clock())
}

// preflight counts a preflight. The fault is rate_limited.
func (l *limits) preflight(address string) error {
	if l == nil {
		return nil
	}
	_, err := l.preflights.count(address, l.clock())
	return err
}

// failed counts a wrong token or code. The fault is rate_limited.
func (l *limits) failed(address string) (limitState, error) {
	if l == nil {
		return limitState{}, nil
	}
	return l.failures.count(address, l.clock())
}
