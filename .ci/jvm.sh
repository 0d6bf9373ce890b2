# shellcheck shell=bash
# What is made with Java: sourced after lib.sh. Needs $contract and $scratch.

# openapi_generator GENERATOR OPTIONS...: runs it, and sets $generator to its name and version.
openapi_generator() {
  local version=7.25.0
  need java openjdk-17-jdk-headless
  need mvn maven
  local jar="$home/openapi-generator-cli-$version.jar"
  if [[ ! -f $jar ]]; then
    mkdir -p "$home"
    maven org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
      -Dartifact="org.openapitools:openapi-generator-cli:$version" -DoutputDirectory="$scratch/jar" >&2
    mv "$scratch/jar/openapi-generator-cli-$version.jar" "$jar"
  fi
  # shellcheck disable=SC2034 # for whoever sources this
  generator="openapi-generator $version $1"
  java -jar "$jar" generate --input-spec "$contract" --generator-name "$@" >"$scratch/log" || fail "$(cat "$scratch/log")"
}

maven() {
  mvn --quiet --batch-mode -Dstyle.color=never --no-transfer-progress -Dkotlin.compiler.daemon=false \
    -Dmaven.repo.local="$home/maven" "$@"
}
