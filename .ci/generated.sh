#!/usr/bin/env bash
# Fails when the generated code isn't what `make generate` makes. It generates in a copy: the clone stays as it is.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need git git
scratch

mkdir "$scratch/clone"
git ls-files --cached --others --exclude-standard -z |
  while IFS= read -r -d '' file; do
    if [[ -e $file ]]; then printf '%s\0' "$file"; fi
  done |
  tar --create --null --files-from=- | tar --extract --directory="$scratch/clone"
cp -R "$scratch/clone" "$scratch/generated"

(cd "$scratch/generated" && go generate ./...)
(cd "$scratch" && diff --recursive --unified clone generated) ||
  fail "generated code is not up to date: run make generate and commit what it changes"
