// Command filldata fills an SQLite file and a PostgreSQL database by playing against a given service over HTTP, as people
// would, and keeps them with what that service answers about them; see migrations/testdata. Its last minute is spent on
// clocks that have to run out.
//
//	.ci/postgres.sh -- go run ./internal/testkit/kept/filldata -service bin/fourinarow -out migrations/testdata/0005
//
// It knows no types of the contract, so that it can fill databases by programs whose contract differs, and it is no test:
// what it can't do or doesn't find as it should be is an error, and nothing is kept.
package main
