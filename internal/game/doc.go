// Package game is one game as a state machine: two players, whose turn it is, what was played, how it ended.
//
// A Game is a value. A method checks everything, then returns a changed copy; on an error nothing has changed.
// Time is an argument. The rules of the board are internal/board's; here is what only a server can quarrel over:
// who may move, what a repeated request means, what a reader may see. Nothing here is stored or sent.
//
// The moves string is the whole truth about the board. A finished game says "win" or "draw" and nothing that tells
// one draw from another.
package game
