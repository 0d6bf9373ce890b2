#!/usr/bin/env bash
# sdk.sh build|play [NAME...]: makes the SDKs and packs them into bin/sdk, or lets a program that uses a packed SDK play on the
# stage (.ci/sdk/stage). What a language needs stands in .ci/sdk/NAME.sh. CONTRACT is another contract to generate from.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

verb="${1:-}"
[[ $verb == build || $verb == play ]] || fail "sdk.sh build|play [NAME...]"
shift
if (($# == 0)); then
  for script in .ci/sdk/*.sh; do
    set -- "$@" "$(basename "$script" .sh)"
  done
fi

CONTRACT="$(realpath "${CONTRACT:-openapi.yaml}")"
STAGE="$PWD/bin/sdk/stage"
export CONTRACT STAGE
mkdir -p bin/sdk
if [[ $verb == play ]]; then
  [[ -x bin/fourinarow ]] || fail "bin/fourinarow is missing: make build"
  go build -o "$STAGE" ./.ci/sdk/stage
fi

rows="$(mktemp)"
trap 'rm -f "$rows"' EXIT
failed=()
for name; do
  say "$verb $name"
  [[ -x .ci/sdk/$name.sh ]] || fail "no SDK '$name'"
  started="$SECONDS"
  if row="$(".ci/sdk/$name.sh" "$verb")"; then
    printf '%s; %d s in all\n' "$(tail -n 1 <<<"$row")" "$((SECONDS - started))" | tee -a "$rows"
  else
    failed+=("$name")
  fi
done
say "$verb"
cat "$rows"
((${#failed[@]} == 0)) || fail "${failed[*]}"
