// Package testkit is what tests of several packages share: a clock that stands still, a scripted CPU player, helpers
// that fail a test instead of returning an error, a database for each test.
//
// Nothing but tests may import it; the linter sees to that. What only one package's tests need stays in that package.
package testkit
