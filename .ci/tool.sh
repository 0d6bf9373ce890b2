#!/usr/bin/env bash
# tool.sh NAME: prints the path of a tool of exactly our version. A missing one is built first, which takes minutes.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case "${1:-}" in
golangci-lint) package=github.com/golangci/golangci-lint/v2/cmd/golangci-lint version=v2.15.0 ;;
deadcode) package=golang.org/x/tools/cmd/deadcode version=v0.52.0 ;;
*) fail "no tool '${1:-}'" ;;
esac

# A tool that was built with an older Go doesn't read the code of a newer one.
home="$cache/bin/$1-$version-$(go env GOVERSION)"
if [[ ! -x $home/$1 ]]; then
  echo "building $1 $version" >&2
  mkdir -p "$cache/bin"
  scratch="$(mktemp -d "$cache/bin/.build-XXXXXX")"
  trap 'rm -rf "$scratch"' EXIT
  GOBIN="$scratch" GOFLAGS='' CGO_ENABLED=0 go install -trimpath "$package@$version" >&2
  mkdir -p "$home"
  mv "$scratch/$1" "$home/$1"
fi
echo "$home/$1"
