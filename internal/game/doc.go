// Package game is one game as a state machine: two players, whose turn it is, what was played, how it ended.
//
// A Game is a value. A method checks everything, then returns a changed copy; on an error nothing has changed.
// A command, which is exported, raises the version once when it changed what a reader sees; the steps it is made of,
// which aren't exported, leave it alone.
// Time is an argument. The rules of the board are internal/board's; here is what only a server can quarrel over:
// who may move, what a repeated request means, who is here, when the CPU covers, when a turn ends, when a deserted game
// sleeps. Nothing here is stored or sent.
//
// Who controls a side isn't kept but follows from who is here and whether the turn has timed out, so that the two can't
// disagree. NextDue says when time alone will change something, TaskAt what: a worker needs to know nothing else.
//
// The moves string is the whole truth about the board; the position is kept beside it, parsed once by Restore. A finished game says "win" or "draw" and nothing that tells
// one draw from another.
package game
