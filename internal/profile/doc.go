// Package profile is a player: an id, a name, a language, the secrets of its devices, and what its games add up to.
//
// A profile is a guest: nobody registers, whoever holds a device's token is the player. The token itself is never
// kept, only its SHA-256 (internal/secret). What a player does at tables is not here.
//
// A rating is an integer of millionths of a point, and what a game gains is reckoned in integers too: what one side
// gains the other loses, exactly, on every machine.
package profile
