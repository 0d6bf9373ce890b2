package httpapi

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/fault"
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
	games      *buckets     // requests of a profile that open a table or may begin a game
	exports    *buckets     // exports of a profile
	profiles   *newProfiles // profiles opened
	strangers  *buckets     // requests without a token from an address
	preflights *buckets     // preflights from an address
	failures   *buckets     // wrong tokens and codes from an address
	turns      *turns       // of addresses past the limit on failures
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
		failures: nil, turns: newTurns(),
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
	if a.state, _, err = general.take(key, now); err != nil {
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
	state, _, err := l.exports.take(string(who), l.clock())
	return state, err
}

// anonymous counts a request without a token. The fault is rate_limited.
func (l *limits) anonymous(address string) (limitState, error) {
	if l == nil {
		return limitState{}, nil
	}
	state, _, err := l.strangers.take(address, l.clock())
	return state, err
}

// preflight counts a preflight. The fault is rate_limited.
func (l *limits) preflight(address string) error {
	if l == nil {
		return nil
	}
	_, _, err := l.preflights.take(address, l.clock())
	return err
}

// failed counts a wrong token or code. The fault is rate_limited.
func (l *limits) failed(address string) (limitState, error) {
	if l == nil {
		return limitState{}, nil
	}
	state, _, err := l.failures.take(address, l.clock())
	return state, err
}

// bucketsOf describes the buckets of a limit.
type bucketsOf struct {
	into   **buckets
	name   string // as GET /v1/service tells it
	says   string // what is told to who is over the limit
	many   int
	every  time.Duration
	atOnce int
}

// makeBuckets makes the buckets of limits.
func makeBuckets(all ...bucketsOf) error {
	for _, b := range all {
		made, err := newBuckets(b.name+": "+b.says, b.many, b.every, b.atOnce)
		if err != nil {
			return err
		}
		*b.into = made
	}
	return nil
}

// buckets are the token buckets of one limit, one a key. Only so many are kept: who was forgotten starts anew.
type buckets struct {
	what   string // told to who is over the limit
	rate   rate.Limit
	atOnce int
	byKey  *lru.Cache[string, *rate.Limiter]
}

// bucketsKept is how many keys a limit remembers; about 200 bytes each.
const bucketsKept = 20_000

func newBuckets(what string, many int, every time.Duration, atOnce int) (*buckets, error) {
	byKey, err := lru.New[string, *rate.Limiter](bucketsKept)
	if err != nil {
		return nil, fmt.Errorf("make the buckets of a limit: %w", err)
	}
	return &buckets{what: what, rate: rate.Limit(float64(many) / every.Seconds()), atOnce: atOnce, byKey: byKey}, nil
}

// take takes one from a bucket. refund puts it back. The fault is rate_limited.
func (b *buckets) take(key string, now time.Time) (state limitState, refund func(), err error) {
	bucket := b.of(key)
	taken := bucket.ReserveN(now, 1)
	wait := taken.DelayFrom(now)
	if wait > 0 {
		taken.CancelAt(now)
	}
	left := max(bucket.TokensAt(now), 0)
	state = limitState{
		known: true, atOnce: b.atOnce, left: int(left),
		full: seconds(time.Duration((float64(b.atOnce) - left) / float64(b.rate) * float64(time.Second))),
	}
	if wait > 0 {
		return state, func() {}, &limitError{
			fault: fault.New(fault.RateLimited, "%s", b.what), after: wait, state: state,
		}
	}
	return state, func() { taken.CancelAt(now) }, nil
}

func (b *buckets) of(key string) *rate.Limiter {
	if bucket, found := b.byKey.Get(key); found {
		return bucket
	}
	fresh := rate.NewLimiter(b.rate, b.atOnce)
	if other, found, _ := b.byKey.PeekOrAdd(key, fresh); found {
		return other
	}
	return fresh
}

// limitState is how near a caller is to a limit.
type limitState struct {
	known  bool
	atOnce int
	left   int
	full   int // seconds until all are there again
}

// tighter returns the state with less left.
func (s limitState) tighter(other limitState) limitState {
	if !s.known || (other.known && other.left < s.left) {
		return other
	}
	return s
}

func (s limitState) write(h http.Header) {
	if !s.known {
		return
	}
	h.Set("RateLimit-Limit", strconv.Itoa(s.atOnce))
	h.Set("RateLimit-Remaining", strconv.Itoa(s.left))
	h.Set("RateLimit-Reset", strconv.Itoa(s.full))
}

// limitError is a 429 with the time after which the next try succeeds.
type limitError struct {
	fault *fault.Error
	after time.Duration
	state limitState
}

// Error returns the code and the message of the fault.
func (e *limitError) Error() string { return e.fault.Error() }

// Unwrap returns the fault.
func (e *limitError) Unwrap() error { return e.fault }

// seconds returns a time in whole seconds, rounded up.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
