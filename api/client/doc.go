// Package client is generated from openapi.yaml: a Go client of the service, with a type for each request and answer.
// Nothing in it is written by hand except this file.
//
// It is for programs outside this module, so it shares nothing with the server, not even types. It is no SDK: it
// doesn't wait, repeat or remember tokens.
package client

//go:generate go tool oapi-codegen -config client.cfg.yaml ../../openapi.yaml
