#!/usr/bin/env bash
# Schemathesis against the service, on SQLite and on PostgreSQL at once: as a player, as an admin and as nobody, in all its
# phases and with all its checks. FUZZ_SEED repeats or changes what it sends, FUZZ_EXAMPLES (per operation) says how much,
# FUZZ_LEAST how many requests there have to be. What Schemathesis can't know stands in .ci/fuzz/hooks.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

seed="${FUZZ_SEED:-1}"
examples="${FUZZ_EXAMPLES:-15}"
least="${FUZZ_LEAST:-10000}"
identities=(device admin none)

# install: has Schemathesis in exactly the versions of requirements.txt, and sets $python.
install() {
  need python3 python3
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || fail "Schemathesis needs Python 3.10 or newer, this is $(python3 --version)"
  if ! python3 -c 'import ensurepip, venv' 2>/dev/null && [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
    apt-get update -qq >&2 || true # an old list may do
    DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends python3-venv >&2 || true # said below
  fi
  python3 -c 'import ensurepip, venv' 2>/dev/null || fail "python3 has no venv: install it (on Debian: apt-get install python3-venv)"

  # It goes with its lock file and its Python, and a copy that was not finished has another name.
  local home
  home="$cache/python/schemathesis-$({ cat .ci/fuzz/requirements.txt && python3 -VV && command -v python3; } | sha256sum | cut -c1-16)"
  if [[ ! -d $home ]]; then
    mkdir -p "$cache/python"
    local unfinished
    unfinished="$(mktemp -d "$cache/python/.install-XXXXXX")"
    python3 -m venv "$unfinished"
    "$unfinished/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary=:all: \
      --requirement .ci/fuzz/requirements.txt || { rm -rf "$unfinished" && fail "Schemathesis can't be installed"; }
    mv -T "$unfinished" "$home" || [[ -d $home ]]
  fi
  python="$home/bin/python"
}

# open_guest ADDRESS: opens a profile and prints its token.
open_guest() {
  curl --fail --silent --show-error --json '{}' "http://$1/v1/profiles" | sed -E 's/.*"token":"([^"]*)".*/\1/'
}

# fuzz DATABASE: starts the service on it and sends it everything. What there is to say goes to $scratch/DATABASE.*
fuzz() {
  local name="$1" log="$scratch/$1.log" address='' failed=0 identity tokens began service
  # Limits would answer for the service, and waiting takes the time of the gate. A move is as true without the disk's word.
  (cd "$scratch" && exec env LISTEN_ADDR=127.0.0.1:0 RATE_LIMIT=off OPEN_TABLES_PER_PROFILE=1000 WAIT_MAX_SECONDS=1 CPU_PACE=0s \
    SQLITE_SYNCHRONOUS=normal "$binary" >"$log" 2>&1) &
  service=$!
  # shellcheck disable=SC2064 # the service of now
  trap "kill -KILL $service 2>/dev/null || true" EXIT
  for ((i = 0; i < 300 && ${#address} == 0; i++)); do
    sleep 0.1
    address="$(grep --only-matching --max-count=1 '127\.0\.0\.1:[1-9][0-9]*' "$log" | head -n 1 || true)"
  done
  [[ -n $address ]] || fail "the service on $name didn't say where it listens: $(cat "$log")"

  for identity in "${identities[@]}"; do
    case "$identity" in
    device) tokens="$(open_guest "$address") $(open_guest "$address")" ;;
    admin) tokens="$("$binary" admin-token create fuzz 2>/dev/null)" ;;
    none) tokens='' ;;
    esac
    began=$SECONDS
    if ! (cd .ci/fuzz && FUZZ_URL="http://$address" FUZZ_IDENTITY="$identity" FUZZ_TOKENS="$tokens" FUZZ_COUNT="$scratch/$name.$identity.count" \
      PYTHONDONTWRITEBYTECODE=1 exec "$python" -c 'from schemathesis.cli import schemathesis; schemathesis()' \
      --config-file schemathesis.toml run "$contract" --url "http://$address" --checks all --phases examples,coverage,fuzzing,stateful \
      --seed "$seed" --max-examples "$examples" --no-color) >"$scratch/$name.$identity.out" 2>&1; then
      failed=1
    fi
    echo "$name, $identity: $(awk '{all += $1} END {print all + 0}' "$scratch/$name.$identity.count") requests in $((SECONDS - began)) s" | tee -a "$scratch/$name.said"
  done

  kill -TERM "$service"
  trap - EXIT
  wait "$service" || { echo "told to stop, the service on $name ended with $?" && failed=1; }
  if grep --extended-regexp 'level=ERROR|^panic:|^goroutine [0-9]+ ' "$log"; then
    echo "this is in the log of the service on $name" && failed=1
  fi
  "$binary" verify || { echo "the database $name isn't as it was played" && failed=1; }
  return "$failed"
}

case "${1:-}" in
'')
  need curl curl
  make build
  install
  export python
  # A server of its own: nobody's database is fuzzed.
  exec env -u TEST_DATABASE_URL .ci/postgres.sh -- .ci/fuzz.sh both
  ;;
both)
  scratch
  binary="$PWD/bin/fourinarow" contract="$PWD/openapi.yaml"
  (DATABASE_URL="sqlite://$scratch/fuzz.db" fuzz sqlite) &
  sqlite=$!
  (DATABASE_URL="$TEST_DATABASE_URL" fuzz postgres) &
  postgres=$!
  failed=0
  wait "$sqlite" || failed=1
  wait "$postgres" || failed=1
  for database in sqlite postgres; do
    for identity in "${identities[@]}"; do
      grep --quiet --extended-regexp '^=+ .*(failure|error).* =+$|Traceback' "$scratch/$database.$identity.out" || continue
      say "$database, $identity"
      cat "$scratch/$database.$identity.out"
    done
  done
  echo "never carried out: $(awk '{seen[$2]} $3 < 300 {done[$2]} END {for (o in seen) if (!(o in done)) printf "%s ", o}' "$scratch"/*.count)"
  requests="$(cat "$scratch"/*.count | awk '{all += $1} END {print all}')"
  echo "$requests requests in $SECONDS s with seed $seed"
  ((failed == 0)) || fail "the service and its contract differ"
  ((requests >= least)) || fail "there were fewer than $least requests"
  ;;
*) fail "no such part: $1" ;;
esac
