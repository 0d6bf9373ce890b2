#!/usr/bin/env bash
# The soak tests: without the race detector, since they are about the speed and the order of the real thing, and one
# package after the other, since each wants the machine for itself. SOAK_SCALE (1) says how much of them,
# SOAK_SEED with what luck; without one they draw and print it.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

export SOAK_SCALE="${SOAK_SCALE:-1}"
mapfile -t packages < <(grep --recursive --files-with-matches --include='*_test.go' '^func TestSoak' . | xargs --no-run-if-empty dirname | sort --unique)
[[ ${#packages[@]} -gt 0 ]] || fail "there is no soak test"
exec .ci/postgres.sh -durable -- go test -tags soak -run '^TestSoak' -count=1 -p 1 -timeout="${SOAK_TIMEOUT:-2h}" "${packages[@]}"
