// Package profile is a player: an id, a name, a language, and the secrets of its devices.
//
// A profile is a guest: nobody registers, whoever holds a device's token is the player. The token itself is never
// kept, only its SHA-256 (internal/secret). What a player does at tables is not here.
package profile
