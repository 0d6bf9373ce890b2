// Package fault holds the errors a caller may see: a stable code, a message, and the part of the request that is wrong.
//
// The code is the whole decision: its kind follows from it here, its status in internal/httpapi, what people read about it
// in internal/text. It holds no state of a game or table; internal/service adds that where the caller may read it. Any
// error that is not a fault is ours, not the caller's: it is logged whole and answered as `internal`.
package fault
