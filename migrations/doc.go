// Package migrations is the schema of the database as SQL, embedded: a folder for each dialect, the same numbers in
// both, so that a version of the schema means the same tables and columns on either (a test holds them to it), but for the
// feed of changes: an SQLite file has no other replicas to tell.
//
// A migration that has landed is never edited; what it got wrong the next one mends. There is no way down: a program
// that meets a newer schema than it knows refuses to start, and a backup is the way back. Applying them is
// internal/store's.
//
// The folder schema lists what the migrations of a dialect make in all, a line each. A test writes it anew, and
// `fourinarow verify` names the lines that a database lacks.
//
// What older programs have left in databases lies in testdata, which isn't embedded; a test holds every program to it.
//
// In both dialects ids are UUIDs in canonical form, and every time is an integer of microseconds since 1970. Constraints
// repeat what the domain promises, for the day on which somebody writes by hand: closed sets and bounds, never what the
// contract leaves open. A row of games has hardly any, because each move rewrites it; a game that can't be is an error
// where it is read, and `fourinarow verify` finds it. Settings are a JSON document in both dialects, as text.
package migrations

import "embed"

// Files holds the folders postgres, sqlite and schema.
//
//go:embed postgres/*.sql sqlite/*.sql schema/*.txt
var Files embed.FS
