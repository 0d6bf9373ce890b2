// Package store keeps profiles, tables and games in PostgreSQL or SQLite, behind the interfaces that internal/service
// names beside its nouns. It is the only package that knows GORM, SQL and drivers: rows stop here, and so do the texts of
// drivers' errors.
//
// Both databases run the same statements. What differs between them is in dialect.go, but for how statements run. On
// PostgreSQL a pool of connections does, and any number of processes serve one database: each publishes what it changes in
// a feed that the others read (feed.go). An SQLite file is one process's (exclusive.go); it has one connection that writes
// (connection.go), whose jobs share commits (queue.go, job.go), and prepares what it reads by (prepared.go). Statements are
// written out where they are hot or guarded. The columns of games and tables are named once, in their mappings (columns.go,
// games_row.go, tables_row.go).
//
// Games stay in memory as they were last read or written (memory.go), each for as long as the version and the stamp of its
// row say that it is the same state. Where other processes may have changed the row, a version check reads these two
// columns first, and the requests of a moment share one (versioncheck.go). A row that no game or table can have is an error
// where it was asked for by its id, and is left out where many are read (unreadable.go).
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
