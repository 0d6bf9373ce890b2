// Package analysis says what perfect play knows about a position and about a finished game: what each column
// is worth, which are best, how a game would go on, and which moves of a game held what their side had.
//
// It claims nothing that isn't proven. A search that was cut short leaves bounds instead of scores
// (solver.ColumnScore); from them it says that a column wins, or that a move was a mistake, where that is
// certain, and nothing where it isn't.
//
// It searches with a solver that it is given, and knows no players, no clock and no storage.
package analysis
