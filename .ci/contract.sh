#!/usr/bin/env bash
# Lints openapi.yaml with Redocly and Spectral, in the versions of package-lock.json.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need node nodejs
need npm npm
node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || a == 20 && b >= 19 ? 0 : 1)' ||
  fail "the linters of the contract need Node.js 20.19 or newer, this is $(node --version): install a newer one"

# They go with their lock file, and a copy that was not finished has another name.
home="$cache/npm/$(cat .ci/package.json .ci/package-lock.json .ci/.npmrc | sha256sum | cut -c1-16)"
if [[ ! -d $home ]]; then
  mkdir -p "$cache/npm"
  scratch="$(mktemp -d "$cache/npm/.install-XXXXXX")"
  trap 'rm -rf "$scratch"' EXIT
  cp .ci/package.json .ci/package-lock.json .ci/.npmrc "$scratch"
  npm ci --prefix "$scratch" --ignore-scripts
  mv -T "$scratch" "$home" || [[ -d $home ]]
fi

# They shall lint, not call home.
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
"$home/node_modules/.bin/redocly" lint --config .ci/openapi-redocly.yaml openapi.yaml
"$home/node_modules/.bin/spectral" lint --ruleset .ci/openapi-spectral.yaml --fail-severity=hint openapi.yaml
