#!/usr/bin/env bash
# go.sh build|play: the SDK for Go. Its package is this module, packed as a module proxy serves it.
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
scratch

contract="${CONTRACT:-$PWD/openapi.yaml}"
module="$(go list -m)"
version="$(grep -m1 -oP '^  version: \K\S+' "$contract")"
proxy="$PWD/bin/sdk/go"
client=api/client/client.gen.go
generator="oapi-codegen $(go list -m -f '{{.Version}}' github.com/oapi-codegen/oapi-codegen/v2)"

build() {
  sed "s|^output: .*|output: $scratch/client.gen.go|" api/client/client.cfg.yaml >"$scratch/client.cfg.yaml"
  go tool oapi-codegen -config "$scratch/client.cfg.yaml" "$contract"
  printf '{"Replace": {"%s": "%s"}}\n' "$PWD/$client" "$scratch/client.gen.go" >"$scratch/overlay.json"
  go vet -overlay "$scratch/overlay.json" ./sdk/go/... >&2
  go test -overlay "$scratch/overlay.json" ./sdk/go/... >&2
  rm -rf "$proxy"
  local archive lines
  archive="$(git ls-files -z --cached --others --exclude-standard |
    go run ./.ci/sdk/pack -replace "$client=$scratch/client.gen.go" "$proxy" "$module" "v$version")"
  lines="$(find sdk/go -maxdepth 1 -name '*.go' ! -name '*_test.go' -exec cat {} + | grep -vc -e '^\s*$' -e '^\s*//')"
  printf 'Go; %s; %s; %d kB; %d lines by hand\n' "$generator" "${archive#"$PWD/"}" "$(($(stat --format=%s "$archive") / 1000))" "$lines"
}

# play: builds the program in an empty project with an empty cache of modules; what isn't ours comes from the usual one.
play() {
  [[ -d $proxy ]] || build >&2
  local usual
  usual="$(go env GOMODCACHE)/cache/download"
  cp -r sdk/go/play "$scratch/program"
  (
    cd "$scratch/program"
    export GOMODCACHE="$scratch/modules" GOFLAGS="-modcacherw" GONOSUMDB="$module" GOWORK=off
    GOPROXY="file://$proxy,file://$usual,$(go env GOPROXY)"
    export GOPROXY
    go mod init example.com/play
    go get "$module@v$version"
    go mod tidy
    go build -o "$scratch/play" .
  ) >&2
  GENERATOR="$generator" "$STAGE" -contract "$contract" -- "$scratch/play"
}

case "${1:-}" in
build | play) "$1" ;;
*) fail "go.sh build|play" ;;
esac
