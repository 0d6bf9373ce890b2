#!/usr/bin/env bash
# The whole suite, on SQLite and on PostgreSQL. GOTEST_FLAGS adds to the flags of go test.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need curl curl # one of the tests is the walk-through of the README

# The race detector needs a C compiler with its headers.
flags=(-shuffle=on -timeout=20m -parallel=6) # more than there are cores: some wait
if CGO_ENABLED=1 go build -race runtime/cgo 2>/dev/null; then
  export CGO_ENABLED=1
  flags+=(-race)
  # SQLite is C translated to Go: what it works on lies outside Go's memory, where the detector sees nothing, and being
  # watched it takes three times as long. Packages with instances of generic code can't be left out like that: the linker
  # takes one copy of an instance for the whole program, and might take the one that isn't watched.
  flags+=(-gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/memory=-race=false)
  export GORACE="${GORACE:-atexit_sleep_ms=100}" # instead of a second, for each package
else
  echo "no C compiler here: the tests run without the race detector"
fi

# Times are UTC whatever the zone of the server, so the tests run in one that is far from it.
export TZ="${TEST_TZ:-Asia/Kathmandu}"
read -ra more <<<"${GOTEST_FLAGS:-}"
exec .ci/postgres.sh -- go test "${flags[@]}" "${more[@]}" ./...
