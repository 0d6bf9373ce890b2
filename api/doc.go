// Package api is generated from openapi.yaml: the wire types and the strict Echo server; and it holds the contract itself.
// Nothing in it is written by hand except this file. The Go client is the package api/client.
//
// It is not the domain: these types stop in internal/httpapi, which converts them. It decides nothing and
// validates almost nothing (a missing number arrives as zero); internal/httpapi checks requests against the
// embedded contract before a handler sees them.
package api

import _ "embed" // the contract

// Contract is openapi.yaml as it was when the program was built, byte for byte.
//
//go:embed openapi.yaml
var Contract string

//go:generate cp ../openapi.yaml openapi.yaml
//go:generate go tool oapi-codegen -config server.cfg.yaml ../openapi.yaml
