#!/usr/bin/env bash
# python.sh build|play: makes, tests and packs the wheel of sdk/python into bin/sdk, or lets a program play with the packed one
# in an empty environment. .ci/sdk.sh calls it; the last line is a row of its table.
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

contract="${CONTRACT:-$PWD/openapi.yaml}"
stage="${STAGE:-$PWD/bin/sdk/stage}"
home="$cache/sdk"
top="$PWD"
requirements="$top/.ci/generators/python/requirements.txt" # sdk/python/requirements.txt adds to them
generator="openapi-python-client $(grep -oP '^openapi-python-client==\K\S+' "$requirements")"
mkdir -p "$home" bin/sdk
need python3 python3-venv
scratch

# environment: prints the folder in the cache of an environment with what sdk/python is made and tested with.
environment() {
  local folder new
  folder="$home/python-$(cat sdk/python/requirements.txt "$requirements" <(python3 --version) | sha256sum | cut -c1-16)"
  if [[ ! -d $folder ]]; then
    new="$(mktemp -d "$home/.unfinished-XXXXXX")"
    python3 -m venv "$new"
    "$new/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --requirement sdk/python/requirements.txt >&2
    mv -T "$new" "$folder"
  fi
  echo "$folder"
}

# generate: makes $scratch/package, which is sdk/python with the generated code inside, and sets $tools.
generate() {
  tools="$(environment)/bin"
  package="$scratch/package"
  cp -r sdk/python "$package"
  raw="$package/src/fourinarow/raw"
  sed '/^ *"304": /d' "$contract" >"$scratch/openapi.yaml" # versions do for ETags; an answer that may be none has no type
  "$tools/python" -m openapi_python_client generate --path "$scratch/openapi.yaml" --config "$package/generator/config.yaml" \
    --meta none --output-path "$raw" --fail-on-warning >&2
  cp "$package/generator/types.py" "$raw/types.py"
  # Python 3.10 reads no Z
  find "$raw" -name '*.py' -exec sed -i 's/fromisoformat(\(.*\))$/fromisoformat(\1.replace("Z", "+00:00"))/' {} +
}

build() {
  generate
  (
    cd "$package"
    "$tools/python" -m ruff check --quiet . >&2
    "$tools/python" -m ruff format --quiet --check --diff . >&2
    MYPYPATH=src "$tools/python" -m mypy --cache-dir "$scratch/mypy" --no-error-summary src/fourinarow tests play >&2
    FOURINAROW_VERSION="$(grep -oPm1 '^  version: \K\S+' "$contract")" \
      "$tools/python" -m hatchling build -t wheel -d "$scratch/wheel" >&2
    "$tools/python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$scratch/site" \
      "$scratch"/wheel/*.whl >&2
    PYTHONPATH="$scratch/site" PYTHONDONTWRITEBYTECODE=1 "$tools/python" -m pytest --quiet tests >&2
  )
  rm -f bin/sdk/*.whl
  cp "$scratch"/wheel/*.whl bin/sdk
  local wheel lines
  wheel="$(basename bin/sdk/*.whl)"
  # without blank lines, comments and docstrings
  lines="$(sed -e '/^ *""".*"""$/d' -e '/^ *"""/,/"""$/d' -e '/^ *\(#.*\)\?$/d' sdk/python/src/fourinarow/*.py | wc -l)"
  printf 'Python; %s; %s; %d kB; %d lines by hand\n' "$generator" "bin/sdk/$wheel" \
    "$(($(stat --format=%s "bin/sdk/$wheel") / 1000))" "$lines"
}

play() {
  local wheels=(bin/sdk/fourinarow-*.whl)
  [[ -f ${wheels[0]} ]] || fail "there is no wheel in bin/sdk: .ci/sdk/python.sh build"
  python3 -m venv "$scratch/empty"
  "$scratch/empty/bin/python" -m pip install --quiet --disable-pip-version-check --constraint "$requirements" "${wheels[0]}" >&2
  cp sdk/python/play/*.py "$scratch"
  cd "$scratch"
  HOME="$scratch" GENERATOR="$generator" "$stage" -binary "$top/bin/fourinarow" -contract "$contract" -- \
    "$scratch/empty/bin/python" play.py
}

case "${1:-}" in
build | play) "$1" ;;
*) fail "python.sh build|play" ;;
esac
