#!/usr/bin/env bash
# Starts bin/fourinarow as it comes, looks at what it promises of itself, and ends it.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need curl curl
scratch

most_megabytes=60
most_memory=64
binary="$PWD/bin/fourinarow"

megabytes=$(($(stat --format=%s "$binary") / 1000000))
echo "the binary has $megabytes MB"
((megabytes < most_megabytes)) || fail "the binary has $most_megabytes MB or more"

(cd "$scratch" && exec env LISTEN_ADDR=127.0.0.1:0 "$binary" >log 2>&1) &
service=$!
trap '{ kill -KILL "$service" && wait "$service"; } 2>/dev/null || true; rm -rf "$scratch"' EXIT

address=
for ((i = 0; i < 100 && ${#address} == 0; i++)); do
  sleep 0.1
  address="$(grep --only-matching --max-count=1 '127\.0\.0\.1:[1-9][0-9]*' "$scratch/log" | head -n 1 || true)"
done
[[ -n $address ]] || fail "the service didn't say where it listens: $(cat "$scratch/log")"
cat "$scratch/log"

for path in /healthz /readyz /openapi.yaml /openapi.json; do
  curl --fail --silent --show-error --output /dev/null --retry 20 --retry-delay 1 --retry-connrefused --max-time 10 "http://$address$path" ||
    fail "$path doesn't answer"
done
LISTEN_ADDR="$address" "$binary" healthcheck || fail "the service doesn't find itself well"
[[ $(stat --format=%a "$scratch/fourinarow.db") == 600 ]] || fail "others may read the database"

memory=$(($(awk '/^VmRSS:/ {print $2}' "/proc/$service/status") / 1024))
echo "idle, the service has $memory MB of memory"
((memory < most_memory)) || fail "idle, the service has $most_memory MB of memory or more"

kill -TERM "$service"
wait "$service" || fail "told to stop, the service ended with $?: $(cat "$scratch/log")"
echo "the service stopped when it was told to"
