#!/usr/bin/env bash
# The figures of cmd/benchservice: BENCH_PAIRS and BENCH_SECONDS say how much of them, BENCH_DIR on which disk both databases
# are (a directory that other users can reach), arguments are the command's.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

go build -o bin/benchservice ./cmd/benchservice
export TMPDIR="${BENCH_DIR:-${TMPDIR:-/tmp}}"
exec .ci/postgres.sh -durable -- bin/benchservice -pairs "${BENCH_PAIRS:-5}" -seconds "${BENCH_SECONDS:-20}" "$@"
