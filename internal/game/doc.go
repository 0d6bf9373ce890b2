// Package game is one game as a state machine: two players, whose turn it is, what was played, how it ended.
//
// A Game is a value. A method checks everything, then returns a changed copy; on an error nothing has changed.
// A command, which is exported, raises the version once when it changed what a reader sees; the steps it is made of,
// which aren't exported, leave it alone.
//
// Time is an argument. The rules of the board are internal/board's; here is what only a server can quarrel over:
// who may move, what a repeated request means, who is here, when the CPU covers, when a turn ends, when a deserted game
// sleeps. Nothing here is stored or sent.
//
// # Presence, cover, sleep and clock
//
// The owner of a side is here, silent or gone:
//
//	here   -- silent for the grace ----------> silent
//	silent -- any request about the game ----> here
//	either -- says away, leaves -------------> gone
//	gone   -- says here, plays, sits down ---> here
//
// Silent and gone are both away; going from one to the other is no change that a reader sees. Who moves follows from that
// and from the settings and isn't kept, so that the two can't disagree. The CPU's own side is the CPU's always; for the side
// of a person whose turn it is:
//
//	owners here  cover  clock     who moves, and when the turn ends
//	-----------  -----  --------  ----------------------------------------------------------------------
//	both         any    any       its owner, until the deadline
//	one of two   on     any       the owner who is here, until the deadline; for the other the CPU, at once
//	one of two   off    any       its owner, here or not, until the deadline
//	none         on     none      nobody: the game sleeps at once
//	none         off    none      its owner, until the deadline
//	none         any    cpu_move  its owner, until the deadline, then the CPU this once; the next turn sleeps
//	none         any    loss      its owner, until the deadline
//
// There is no cover in a game against the CPU. When its person is away it is "none" of the table, with cover on.
//
// The deadline is the clock after the turn began, and ten seconds more at ply 1; without a clock a day, at a ranked table
// five minutes. Outages of the service are given back. A turn that ends is lost, or with cpu_move played by the CPU. The CPU
// drops its disc no sooner than its pace after the disc before. A game sleeps without a deadline until an owner is here:
// then the turn begins anew. After a day of sleep the CPU plays it to its end, and it counts for nobody.
//
// NextDue says when time alone will change something, TaskAt what: a worker needs to know nothing else.
//
// # What the database alone decides
//
// This package decides on a game as somebody has read it. Which of two decisions counts is the database's word: a change is
// stored if the row still has the version and the stamp that it was made on, else it is made anew. So are these: which
// worker attends to a timer, who of two takes a seat, and in which order finished games count for their players.
//
// # The board
//
// The moves string is the whole truth about the board; the position is kept beside it, parsed once by Restore. A finished
// game says "win" or "draw" and nothing that tells one draw from another.
package game
