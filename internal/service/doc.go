// Package service has one method for each thing a caller may ask. A method finds out who is asking, loads, makes one
// decision of the domain, saves it guarded by what the decision rested on, and wakes those who wait.
//
// It knows no HTTP and no SQL: it names the stores it needs, and internal/store has them. It keeps no state that a
// restart would lose, only a cache of tokens that lives for two seconds.
//
// A save is refused with ErrChanged when somebody else was faster; then the method looks again and decides anew, so
// that of any number of requests for one ply or one seat exactly one succeeds and the others are told why not.
package service
