// Package store keeps profiles, tables and games in PostgreSQL or SQLite, behind the interfaces that internal/service
// names. It is the only package that knows GORM, SQL and drivers: rows stop here, and so do the texts of drivers'
// errors.
//
// Both databases run the same code; all that differs is in dialect.go. Statements are written out where they are hot or
// guarded, GORM builds the inserts and fills the rows.
//
// A decision is not made here. About a running game the service decides on what it has read, and hands over the result
// together with what it rested on; a guarded UPDATE, which writes the columns that differ and no others, and its count
// of rows then say whether that still holds. When it doesn't, the answer is service.ErrChanged and nothing has changed.
// About a table it decides while its row and that of its game are locked. Locks are taken in one order: table, game,
// profiles, timers.
//
// What ends a game, be it a disc, a clock, a resignation or a leaver, goes through one place (count.go) in the transaction
// that stores the end: there the game counts for its players, whose rows are locked, lower id first. So a player's games
// and changes of rating are numbered without gaps, and lists are ordered by these numbers.
//
// A timer says when to look at a game, and the game what is to be done then. Whoever sets a timer makes it sooner or
// leaves it, and counts; whoever has claimed it sets it later only while nobody has counted since. So a moment that
// comes nearer is never lost, and a look too many costs nothing but itself.
//
// A write that has begun is finished even when its client goes away meanwhile: it runs on a context of its own with a
// timeout of its own. So no transaction stays open, and whoever waits for the change is woken for it. When the
// connection breaks while the answer to a commit is under way, nobody here knows what became of it: the fault is
// outcome_unknown, and the same request sent again finds out.
//
// Times are kept in microseconds; what is finer is cut off. They come back in UTC.
package store
