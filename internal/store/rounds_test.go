//go:build !soak

package store_test

import "testing"

// rounds is how often the tests let something race; the soak does it five times as often.
func rounds(_ testing.TB, number int) int { return number / 5 }
