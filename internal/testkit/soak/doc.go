// Package soak says how much of the soak tests to run, and with what luck: SOAK_SCALE is 1 for all of it, and what every
// soak test multiplies its rounds by; SOAK_SEED repeats a run's random numbers.
//
// It imports none of ours, so that the tests of any package can use it.
package soak
