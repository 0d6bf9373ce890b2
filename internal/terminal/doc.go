// Package terminal is the game for one person at a terminal: a board of letters, a game against the CPU, and what the
// solver knows about a position, written for people.
//
// It is given all that it needs: where it writes and whether colours are welcome there, keys, a clock, the CPU and a
// solver. It opens nothing and knows neither environment nor files, so that tests sit in the player's chair. How keys
// come from a real terminal, one at a time, is the program's business.
//
// Red discs are R or, in colour, a red circle; yellow ones Y or a yellow diamond. The disc played last stands in round
// brackets and winning ones in square ones, so nothing depends on colours.
package terminal
