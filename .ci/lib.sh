# shellcheck shell=bash
# What the scripts in this folder share; they source it. It takes them to the top of the project.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Tools are kept here, outside the clone, so that the next clone finds them.
# shellcheck disable=SC2034 # used by those who source this
cache="${XDG_CACHE_HOME:-${HOME:-/var/tmp}/.cache}/fourinarow"

say() {
  printf '\n== %s\n' "$*"
}

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

# need COMMAND PACKAGE: has the command, through Debian's package when it is missing and we may install it.
need() {
  if command -v "$1" >/dev/null; then
    return
  fi
  if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
    apt-get update -qq >&2 || true # an old list may do
    DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "$2" >&2 || true # said below
  fi
  command -v "$1" >/dev/null || fail "$1 is missing: install it (on Debian: apt-get install $2)"
}

# scratch: sets $scratch to a directory that is removed when the script ends.
scratch() {
  scratch="$(mktemp -d)"
  trap 'rm -rf "$scratch"' EXIT
}

# What generators and SDKs are made with is kept here.
home="$cache/generators"

# kept NAME FILE...: prints the folder of it that goes with these files. It is filled under another name (unfinished).
kept() {
  echo "$home/$1-$(cat "${@:2}" | sha256sum | cut -c1-16)"
}

unfinished() {
  mkdir -p "$home"
  mktemp -d "$home/.unfinished-XXXXXX"
}
