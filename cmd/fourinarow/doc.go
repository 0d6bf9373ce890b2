// Command fourinarow is the program: it reads the configuration, wires the rooms of the house together and runs.
//
//	fourinarow [serve]      start the service (the default)
//	fourinarow migrate      bring the database's schema up to date and stop
//	fourinarow healthcheck  ask a running service whether it is ready; for containers
//	fourinarow admin-token  hand out, list or revoke the tokens of admins
//	fourinarow play         a game against the CPU in the terminal
//	fourinarow solve MOVES  what each column is worth after these moves
//	fourinarow rules        print the rules of the game; rules --lang de|pl|ru in another language
//	fourinarow version      print the version
//
// It decides nothing about the game. The clock, the random source and the environment are handed out here and
// nowhere below.
package main
