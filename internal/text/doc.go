// Package text is what people read, in each of its languages: the name of the game, the titles of problems, the names and
// descriptions of house rules, the names of guests.
//
// The texts stand in languages/, one file a language, for translators; the Go code names them by their keys and reads
// every file once. To add a language is to add its file: the tests say what it lacks, and no code names it. Which language a request is answered in is decided here too (see Choose), but not by whom: HTTP
// headers are read by internal/httpapi, the locale of a player is kept by internal/store. A text is not what a program
// decides by: codes are the same in every language. Nothing here is formatted with what a request
// brought, so no text can carry a secret.
package text
