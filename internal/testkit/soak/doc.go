// Package soak says how much of the soak tests to run: SOAK_SCALE is 1 for all of it, and what every soak test
// multiplies its rounds by.
//
// It imports none of ours, so that the tests of any package can use it.
package soak
