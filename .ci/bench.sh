#!/usr/bin/env bash
# The figures: BENCH chooses some by a pattern, GOTEST_FLAGS adds to the flags of go test.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

read -ra more <<<"${GOTEST_FLAGS:-}"
exec .ci/postgres.sh -durable -- go test -run '^$' -bench "${BENCH:-.}" -benchmem -p 1 -timeout=1h "${more[@]}" ./...
