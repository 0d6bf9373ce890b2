// Package worker says when to do what falls due by itself; internal/service says what that is.
//
// It starts the only goroutines of the program that are not a request: a heartbeat, a sweep over the timers, the
// CPU's thinkers, the writer of who was here, the reader of the house rules, and on PostgreSQL the look for what other
// replicas have changed. Each may run on every replica at once; none holds anything that a kill would lose.
package worker
