package fault

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Kind says whose turn it is to do something about a fault. It follows from the code.
type Kind uint8

// The kinds. The zero value is that of a code that there isn't.
const (
	Invalid         Kind = iota + 1 // the request is malformed
	Unauthenticated                 // nobody known is asking
	Forbidden                       // known, but not allowed
	Missing                         // not there, or not for the caller
	Conflict                        // the state forbids it now
	Refused                         // against the rules of the game or the house
	Limited                         // too often
	Unavailable                     // the service can't now
	Broken                          // an error of the service
)

// Code names the reason of a fault. It is part of the contract and never changes.
type Code string

// The codes of the contract. A code has a line in kinds as well, and one in the texts of each language.
const (
	InvalidRequest       Code = "invalid_request"
	MalformedJSON        Code = "malformed_json"
	InvalidName          Code = "invalid_name"
	NoToken              Code = "unauthenticated"
	NotAllowed           Code = "forbidden"
	NotSeated            Code = "not_seated"
	RankedGameRunning    Code = "ranked_game_running"
	NotFound             Code = "not_found"
	MethodNotAllowed     Code = "method_not_allowed"
	RequestTimeout       Code = "request_timeout"
	StalePly             Code = "stale_ply"
	NotYourTurn          Code = "not_your_turn"
	TimeIsUp             Code = "time_is_up"
	GameFinished         Code = "game_finished"
	GameRunning          Code = "game_running"
	SeatTaken            Code = "seat_taken"
	TableClosed          Code = "table_closed"
	StaleGame            Code = "stale_game"
	StaleVersion         Code = "stale_version"
	NotHost              Code = "not_host"
	CPUTableNotRanked    Code = "cpu_table_not_ranked"
	ClientRefReused      Code = "client_ref_reused"
	TooManyTables        Code = "too_many_tables"
	AlreadyMatched       Code = "already_matched"
	QuickMatchWaiting    Code = "quick_match_waiting"
	TooManyDevices       Code = "too_many_devices"
	CodeExpired          Code = "code_expired"
	BodyTooLarge         Code = "body_too_large"
	UnsupportedMediaType Code = "unsupported_media_type"
	ColumnFull           Code = "column_full"
	ImpossibleMoves      Code = "impossible_moves"
	RuleNotChangeable    Code = "rule_not_changeable"
	OptionNotOffered     Code = "option_not_offered"
	InvalidRule          Code = "invalid_rule"
	PreconditionFailed   Code = "precondition_failed"
	VersionRequired      Code = "version_required"
	RateLimited          Code = "rate_limited"
	Away                 Code = "unavailable"
	OutcomeUnknown       Code = "outcome_unknown"
	Internal             Code = "internal"
)

var kinds = map[Code]Kind{
	InvalidRequest:       Invalid,
	MalformedJSON:        Invalid,
	InvalidName:          Invalid,
	MethodNotAllowed:     Invalid,
	RequestTimeout:       Invalid,
	BodyTooLarge:         Invalid,
	UnsupportedMediaType: Invalid,
	VersionRequired:      Invalid,
	NoToken:              Unauthenticated,
	NotAllowed:           Forbidden,
	NotSeated:            Forbidden,
	NotHost:              Forbidden,
	RankedGameRunning:    Forbidden,
	NotFound:             Missing,
	CodeExpired:          Missing,
	StalePly:             Conflict,
	NotYourTurn:          Conflict,
	TimeIsUp:             Conflict,
	GameFinished:         Conflict,
	GameRunning:          Conflict,
	SeatTaken:            Conflict,
	TableClosed:          Conflict,
	StaleGame:            Conflict,
	StaleVersion:         Conflict,
	TooManyTables:        Conflict,
	AlreadyMatched:       Conflict,
	QuickMatchWaiting:    Conflict,
	TooManyDevices:       Conflict,
	PreconditionFailed:   Conflict,
	CPUTableNotRanked:    Refused,
	ClientRefReused:      Refused,
	ColumnFull:           Refused,
	ImpossibleMoves:      Refused,
	RuleNotChangeable:    Refused,
	OptionNotOffered:     Refused,
	InvalidRule:          Refused,
	RateLimited:          Limited,
	Away:                 Unavailable,
	OutcomeUnknown:       Unavailable,
	Internal:             Broken,
}

// Codes returns every code of the contract, in the order of the alphabet.
func Codes() []Code { return slices.Sorted(maps.Keys(kinds)) }

// Kind returns the kind of a code, and zero for a code that there isn't.
func (c Code) Kind() Kind { return kinds[c] }

// Error is an error a caller may see.
type Error struct {
	Code    Code
	Message string // what happened here, in English, without secrets
	Pointer string // the part of the request that is wrong, as a JSON pointer; empty when it is none in particular
}

// Error returns the code and the message.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Kind returns the kind of the code.
func (e *Error) Kind() Kind { return e.Code.Kind() }

// New makes a fault. The message is formatted as by fmt.Sprintf.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// At makes a fault about one part of the request, named by a JSON pointer.
func At(pointer string, code Code, format string, args ...any) *Error {
	e := New(code, format, args...)
	e.Pointer = pointer
	return e
}

// Is reports whether an error is, or wraps, a fault with a code.
func Is(err error, code Code) bool {
	f, found := errors.AsType[*Error](err)
	return found && f.Code == code
}

// KindOf returns the kind of the fault that an error is or wraps, and zero when it is none.
func KindOf(err error) Kind {
	if f, found := errors.AsType[*Error](err); found {
		return f.Kind()
	}
	return 0
}
