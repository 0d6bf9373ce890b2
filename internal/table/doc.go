// Package table is a room with settings and two seats: who may sit down, what follows when somebody does, what
// follows when somebody leaves.
//
// A Table is a value; a method checks everything, then returns a changed copy. A command, which is exported, raises the
// version once; the steps it is made of, which aren't exported, leave it alone. Time and chance are arguments. The game
// that is played at a table is internal/game's; here is only a summary of it.
package table
