// Package httpapi answers requests: it finds out who is asking, checks the request against the contract, calls the
// service and writes what comes back.
//
// It is the only package that knows HTTP, Echo and the wire types of package api. A handler converts, calls and
// converts; it decides nothing about games. Every error, wherever it comes from, becomes an answer in one place
// (problem.go); what is not a fault of the caller's is logged there once and told to nobody.
//
// The generated server validates almost nothing, and a per-operation middleware under a misspelt key silently never
// runs. So New counts: it refuses to serve when an operation of the contract has no guard in front of it. The guard
// (guard.go) authenticates before it reads a body, counts against the limits, validates against the contract and
// only then lets the strict server decode.
//
// The limits and the counts of waiting requests are those of one process, not of all replicas together.
package httpapi
