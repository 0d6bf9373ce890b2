#!/usr/bin/env bash
# postgres.sh [-durable] -- COMMAND...: runs a command beside a PostgreSQL server (internal/testkit/postgres).
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Not by `go run`, which a signal ends without ending what it runs.
go build -o bin/withpostgres ./internal/testkit/postgres/withpostgres
exec bin/withpostgres "$@"
