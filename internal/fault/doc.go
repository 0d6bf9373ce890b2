// Package fault holds the errors a caller may see: a kind, a stable code and a message.
//
// It is not HTTP: the status of a code stands in the catalogue of internal/text and nowhere else. It holds no state
// of a game or table either; internal/service adds that where the caller may read it. Any error that is not a fault
// is ours, not the caller's: it is logged whole and answered as `internal`.
package fault
