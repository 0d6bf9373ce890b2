package httpapi

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/fourinarow/fourinarow/internal/fault"
)

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

// count takes one from a bucket. The fault is rate_limited.
func (b *buckets) count(key string, now time.Time) (limitState, error) {
	bucket := b.of(key)
	if bucket.AllowN(now, 1) {
		return b.stateOf(bucket, now), nil
	}
	taken := bucket.ReserveN(now, 1)
	wait := taken.DelayFrom(now)
	if wait == 0 { // somebody has put one back meanwhile
		return b.stateOf(bucket, now), nil
	}
	taken.CancelAt(now)
	return b.refusal(bucket, now, wait)
}

// take is count with a function that puts back what was taken.
func (b *buckets) take(key string, now time.Time) (state limitState, refund func(), err error) {
	bucket := b.of(key)
	taken := bucket.ReserveN(now, 1)
	if wait := taken.DelayFrom(now); wait > 0 {
		taken.CancelAt(now)
		state, err = b.refusal(bucket, now, wait)
		return state, func() {}, err
	}
	return b.stateOf(bucket, now), func() { taken.CancelAt(now) }, nil
}

func (b *buckets) refusal(bucket *rate.Limiter, now time.Time, wait time.Duration) (limitState, error) {
	state := b.stateOf(bucket, now)
	return state, &limitError{fault: fault.New(fault.RateLimited, "%s", b.what), after: wait, state: state}
}

func (b *buckets) stateOf(bucket *rate.Limiter, now time.Time) limitState {
	left := max(bucket.TokensAt(now), 0)
	return limitState{
		known: true, atOnce: b.atOnce, left: int(left),
		full: seconds(time.Duration((float64(b.atOnce) - left) / float64(b.rate) * float64(time.Second))),
	}
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

// limitHeaders are where an answer tells a state, as http.Header keeps their names.
var limitHeaders = [...]string{
	http.CanonicalHeaderKey("RateLimit-Limit"), http.CanonicalHeaderKey("RateLimit-Remaining"), http.CanonicalHeaderKey("RateLimit-Reset"),
}

func (s limitState) write(h http.Header) {
	if !s.known {
		return
	}
	values := []string{strconv.Itoa(s.atOnce), strconv.Itoa(s.left), strconv.Itoa(s.full)} // in one piece for all three
	for i, name := range limitHeaders {
		h[name] = values[i : i+1 : i+1]
	}
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
