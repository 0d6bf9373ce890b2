// Package live is where requests wait until something changes.
//
// A hub has topics (the id of a game or a table); a waiter joins some of them and is woken when one of them is
// named. A wake-up says "look again" and nothing else: the database has the truth, so a wake-up too many costs a
// read and none can be wrong. Join first, then read, then wait: then no change falls in between.
//
// It imports none of ours and knows nothing of games. It holds no database connection and starts no goroutine.
package live
