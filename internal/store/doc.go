// Package store keeps profiles, tables and games in PostgreSQL or SQLite, behind the interfaces that internal/service
// names beside its nouns. It is the only package that knows GORM, SQL and drivers: rows stop here, and so do the texts of
// drivers' errors.
//
// Both databases run the same statements. What differs between them is in dialect.go, but for how writes run: PostgreSQL
// has a pool of connections; an SQLite file has one connection that writes (connection.go), and its jobs share commits
// (queue.go). Statements are written out where they are hot or guarded. The columns of games and tables are named once, in
// their mappings (columns.go, games_row.go, tables_row.go).
//
// A decision is not made here. About a running game the service decides on what it has read, and hands over the game
// before and after. A guarded UPDATE of the columns that differ, and its count of rows, then say whether the row still has
// the version and the stamp of before; when it hasn't, the answer is service.ErrChanged and nothing has changed. About a
// table, and about a quick match, the service decides in a transaction in which their rows are locked. Locks are taken in
// one order: table, game, profiles, timers.
//
// What ends a game, be it a disc, a clock, a resignation or a leaver, goes through one place (count.go) in the transaction
// that stores the end: there the game counts for its players, whose rows are locked, lower id first. So a player's games
// and changes of rating are numbered without gaps, and lists are ordered by these numbers.
//
// A timer says when a worker has to attend to a game, and the game what is to be done then. A write that sets a timer makes
// it sooner or leaves it, and counts; the worker that has claimed it sets it later only while nobody has counted since. So
// a moment that comes nearer is never lost, and a timer too many costs a read.
//
// SQLite has one writer. All writes queue up for its connection (queue.go), and those that wait share a transaction and so
// the time of its commit, each as a savepoint. So nothing that writes may wait for another write.
//
// A write that has begun is finished even when its client goes away meanwhile: it runs on a context of its own with a
// timeout of its own. So no transaction stays open, and subscribers are woken for the change. When the connection breaks
// while the answer to a commit is under way, nobody here knows what became of it: the fault is outcome_unknown, and the
// same request sent again finds out.
//
// Times are kept in microseconds; what is finer is cut off. They come back in UTC.
package store
