// Package cpu chooses a column for a position, at one of the levels of package level. It is a policy over what the solver
// knows: no search of its own, no clock, no games and no storage.
//
// The same position, level and seed give the same column, as long as the context leaves the time to think;
// when it doesn't, the CPU plays the best it has found and says so (solver.ErrCutShort). Another seed gives
// another choice among moves that are as good to it, so that no two games need be alike.
//
// # The levels
//
// Every level takes a win in one.
//
//   - Easy is a beginner. It is drawn to the middle, sees the other side's three in a row every other time,
//     and thinks no further.
//   - Medium never misses a win or a loss in one and never plays right below the other side's threat. It looks
//     three plies ahead, and what it sees there is blurred: among moves that don't lose it often takes the
//     second best.
//   - Hard looks eight plies ahead, and from ply 20 on it plays perfectly. What it gets wrong is the
//     opening, where wins and draws are thirty plies away.
//   - Perfect plays one of the columns with the best exact score: it never gives away a win or a draw, wins as
//     fast and loses as late as it can.
//
// Why like this: people lose to threats they overlook, so the lower levels overlook what people overlook
// instead of playing random moves now and then, which feels like being given a game. Hard costs a few
// milliseconds a move, whatever the position, so that hundreds can play against it at once; only perfect
// needs the exact score early, and with it the book.
//
// # When time is short
//
// Whoever asks sets the budget, by the context. When perfect runs out of it, it takes a column that is proven
// to be best by then, though there may be others; without one it plays as hard does when nothing is blurred:
// it looks eight plies ahead and takes what looks best. With the book of ply 10 a second is enough for any
// position; without one most of the first dozen plies take longer than that, and perfect opens like a good
// player instead of a perfect one.
//
// When more turns wait than can be thought about, the weaker level that is still quick takes the turn
// (Under): nobody waits for the sake of somebody else's perfect opponent.
package cpu
