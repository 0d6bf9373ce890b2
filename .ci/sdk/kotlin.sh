#!/usr/bin/env bash
# kotlin.sh build: generates, tests and packs the Kotlin SDK into bin/sdk: a jar, its sources and its pom.
# kotlin.sh play: compiles sdk/kotlin/play in an empty project with the packed jar, and lets it play.
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
source .ci/jvm.sh

contract="${CONTRACT:-$PWD/openapi.yaml}"
version="$(grep -m1 -oP '^  version: \K\S+' "$contract")"
packed="bin/sdk/fourinarow-$version"
scratch

# project FOLDER: makes the scratch folder a project with what is in this one.
project() {
  cp -r "$1/." "$scratch"
  sed -i "s/@version@/$version/" "$scratch/pom.xml"
}

build() {
  project sdk/kotlin
  openapi_generator kotlin --library jvm-okhttp4 --output "$scratch/made" \
    --additional-properties=serializationLibrary=kotlinx_serialization,packageName=io.github.fourinarow
  mkdir -p bin/sdk
  cp -r "$scratch/made/src/main/kotlin/." "$scratch/src/main/kotlin"
  maven -f "$scratch" package >&2
  cp "$scratch/target/fourinarow-$version.jar" "$packed.jar"
  cp "$scratch/pom.xml" "$packed.pom"
  jar --create --file "$packed-sources.jar" --date 2026-01-01T00:00:00Z -C "$scratch/src/main/kotlin" .
  local operations lines
  operations="$(grep -rhoP '^    fun \K\w+(?=WithHttpInfo\()' "$scratch/made/src/main/kotlin" | sort -u | wc -l)"
  printf '%s\n%d\n' "$generator" "$operations" >"$packed.made"
  lines="$(find sdk/kotlin/src/main -name '*.kt' -exec cat {} + | grep -vcE '^\s*($|//|/?\*)')"
  printf 'Kotlin; %s; %s; %d kB; %d lines by hand\n' "$generator" "$packed.jar" "$(($(stat -c %s "$packed.jar") / 1000))" "$lines"
}

play() {
  [[ -f $packed.jar ]] || fail "$packed.jar is missing: make sdk"
  need java openjdk-17-jdk-headless
  need mvn maven
  project sdk/kotlin/play
  rm -rf "$home/maven/io/github/fourinarow" # another build of the same version
  maven org.apache.maven.plugins:maven-install-plugin:3.1.4:install-file -Dfile="$packed.jar" -DpomFile="$packed.pom" >&2
  maven -f "$scratch" compile >&2
  local made
  mapfile -t made <"$packed.made"
  GENERATOR="${made[0]}" OPERATIONS="${made[1]}" "${STAGE:-bin/sdk/stage}" -contract "$contract" -- \
    java -cp "$scratch/target/classes:$scratch/target/libraries/*" PlayKt
}

case "${1:-}" in
build | play) "$1" ;;
*) fail "kotlin.sh build|play" ;;
esac
