#!/usr/bin/env bash
# Everything that can be said of the code without running it.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

say "generated code is what the contract generates"
.ci/generated.sh

say "modules"
go mod verify
go mod tidy -diff

say "vet"
go vet ./...

say "linters"
golangci="$(.ci/tool.sh golangci-lint)"
"$golangci" fmt --diff
"$golangci" run

say "dead code"
dead="$("$(.ci/tool.sh deadcode)" -test -tags soak ./...)"
[[ -z $dead ]] || fail "nothing reaches this code:"$'\n'"$dead"

say "the client alone"
.ci/client.sh

say "contract"
.ci/contract.sh
