// Package live is where requests wait until something changes.
//
// Requests that wait are woken by topic. A topic names one thing that has states, by its kind and its id; a waiter joins
// one topic and is woken when that topic is named. A wake-up says "read again" and nothing else: the database has the
// truth, so a wake-up too many costs a read and none can be wrong. Join first, then read, then wait: then no change falls
// in between. A waiter also says which state it has read, so that changes without a wake-up are found by comparing.
//
// Waiters are counted by party, so that nobody takes more places than it may.
//
// The package imports none of ours and knows nothing of games. It holds no database connection and starts no goroutine.
package live
