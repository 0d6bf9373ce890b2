// Package config turns the environment into a Config: every setting of the program with its default, its
// unit and its bounds.
//
// The struct tags are the only place where a setting is described. Load reads defaults and bounds from them and
// Usage prints them, so `--help` cannot promise what the program doesn't do. A wrong value is an error that names
// the variable and says what is allowed; a program that guesses what an operator meant is worse than one that
// doesn't start. All wrong values are reported at once.
//
// A variable that is set but empty counts as not set, since that is what container tools pass for one left out.
//
// The package holds no flags and opens nothing: it doesn't look whether an address is free or a database answers.
// A value that may hold a password is never part of an error, of Usage or of what a Config prints as.
package config
