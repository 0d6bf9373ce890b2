package fault

import "fmt"

// Kind says whose turn it is to do something about an error.
type Kind uint8

// The kinds, each with the status that most of its codes have.
const (
	Invalid         Kind = iota + 1 // 400: the request is malformed
	Unauthenticated                 // 401: nobody known is asking
	Forbidden                       // 403: known, but not allowed
	Missing                         // 404: not there, or not for the caller
	Conflict                        // 409: the state forbids it now
	Refused                         // 422: against the rules of the game or the house
	Limited                         // 429: too often
	Unavailable                     // 503: the database is away
)

// Code names the reason of a fault. It is part of the contract and never changes.
type Code string

// The codes of the contract. The catalogue in internal/text has a line for each.
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

// Error is an error a caller may see.
type Error struct {
	Kind    Kind
	Code    Code
	Message string // what happened here, in English, without secrets
	Pointer string // the part of the request that is wrong, as a JSON pointer; empty when it is none in particular
}

// Error returns the code and the message.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Is reports whether target is a fault with the same code, so that errors.Is finds one by its code.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Code == e.Code
}

// New makes a fault. The message is formatted as by fmt.Sprintf.
func New(kind Kind, code Code, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Message: fmt.Sprintf(format, args...)}
}

// At makes a fault about one part of the request, named by a JSON pointer.
func At(pointer string, kind Kind, code Code, format string, args ...any) *Error {
	e := New(kind, code, format, args...)
	e.Pointer = pointer
	return e
}
