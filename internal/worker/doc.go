// Package worker says when to do what falls due by itself; internal/service says what that is, and Duties names it by the
// part of the service that does it.
//
// A worker sweeps over the timers of games and lets thinkers move for the CPU. Beside that it runs each other duty now and
// again, each in a goroutine of its own: the heartbeat, the presence of owners, idle and deserted tables, quick matches,
// the leaderboard, the house rules, deleted players, revoked tokens; and with other replicas it reads
// the feed of what they change, and compares all that is watched. Every duty may run on every replica at once. None holds anything that a kill would lose, but the presence of the
// last seconds.
package worker
