// Package text is what people read: for now the catalogue of problems, in English.
//
// A text is found by its code and a language. It is not what a program decides by: codes and statuses are the same
// in every language. Nothing here is formatted with what a request brought, so no text can carry a secret.
package text
