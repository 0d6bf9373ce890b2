// Package solver is perfect play: the exact score of any position, of each of its columns, and the columns
// that reach it. It chooses nothing - which of the best columns, or a worse one, is internal/cpu's business -
// and it knows no players, no clock and no storage.
//
// A score is 22 minus the number of discs the winner will have played when he wins, from the side to move:
// 18 for a win with the fourth disc, 1 for one with the last, negative for a loss, 0 for a draw. Solve asks
// for it within a window, Analyze for every column, Best for the best columns. Every search has a budget,
// its context and WithNodeLimit; one that is cut short says so and keeps what it proved.
//
// # How it searches
//
// The search is negamax with an empty window (test): it only ever asks "is the score at least beta?", and a
// few such questions pin it down (nextBeta). What makes the trees small:
//
//   - Nobody leaves a win in one, so a node has no such win and only moves that allow none. Children are
//     judged before they are visited (fan.judge): a move after which the other side can't answer all threats
//     wins, and is never searched.
//   - A node with one sensible move is no node: it is played on the spot and takes no slot in a table.
//   - A side that answers above every move of the other reaches a score that needs no search (bound.go).
//   - The children are looked up in the table before any is searched (recall).
//   - Moves that make the most threats go first.
//
// Two tables remember results: one small enough for the processor's cache for the many late positions, a
// large one for the few early ones (table.go). They stay warm from one position to the next, which is why a
// Pool hands out the solver used last.
//
// The ideas are the field's: bit boards after Fhourstones (John Tromp), the ladder from alpha-beta to a
// perfect player after Pascal Pons's tutorial, follow-up rules after Victor Allis, enhanced transposition
// cut-offs after Plaat and others, stepping by empty windows (MTD) after the same. The bounds in bound.go,
// the two tables and the judging of children are this package's own combination of them.
//
// # The book
//
// A Book holds the scores of one whole ply, and a search from an earlier one ends at it. It is made by
// cmd/bookgen, embedded from bookdata, and its absence is a normal state: then everything is searched.
package solver
