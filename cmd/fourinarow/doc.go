// Command fourinarow is the program: it reads the configuration, wires the packages together and runs.
//
//	fourinarow [serve]      start the service (the default)
//	fourinarow migrate      bring the database's schema up to date and stop
//	fourinarow verify       recompute every game and rating from the moves, and say what differs
//	fourinarow healthcheck  ask a running service whether it is ready; for containers
//	fourinarow admin-token  hand out, list or revoke the tokens of admins
//	fourinarow play         a game against the CPU in the terminal
//	fourinarow solve MOVES  what each column is worth after these moves
//	fourinarow rules        print the rules of the game; rules --lang TAG in another language
//	fourinarow version      print the version
//
// It decides nothing about the game. The clock, the environment and the source of secrets are handed out here; no package
// below reads them by itself. house.go is where the service is wired, and serve.go runs it behind its listeners.
package main
