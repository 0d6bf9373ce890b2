// Package admin is who may change how the service plays: a name, and a token that an operator hands out on the command
// line.
//
// An admin is no player: its token opens no game, and a player's opens no rule. The name is the "who" of every edit. The
// token itself is never kept, only its SHA-256. What admins may edit is internal/houserule's.
package admin
