// Package secret draws the bearer secrets of the service: a prefix that says what kind it is, and 256 random bits.
//
// A secret is never kept, only its SHA-256; so many random bits need no slow hash. Who holds which secret is not here.
package secret
