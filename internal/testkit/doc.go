// Package testkit is what tests of several packages share: a clock that a test moves, a database for each test, and a
// PostgreSQL server to make them on.
//
// Nothing but tests may import it; the linter sees to that. What only one package's tests need stays in that package.
package testkit
