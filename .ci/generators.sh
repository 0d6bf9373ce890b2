#!/usr/bin/env bash
# generators.sh [NAME...]: makes a client of openapi.yaml with each generator, compiles it strictly, and lets a program play with
# it against bin/fourinarow and against a gateway that behaves as gateways and later versions do (.ci/generators/play).
# Nothing that is generated is kept; generators, libraries and compiled libraries are, outside the clone.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source .ci/jvm.sh

all=(openapi-fetch hey-api python kotlin java oapi-codegen ogen rust progenitor)

if (($# != 1)); then
  if (($# == 0)); then
    set -- "${all[@]}"
  fi
  table="$(mktemp)"
  trap 'rm -f "$table"' EXIT
  failed=()
  for name; do
    say "$name"
    ROWS="$table" "$0" "$name" || failed+=("$name")
  done
  say "generator; operations; compiled; played; seconds"
  cat "$table"
  ((${#failed[@]} == 0)) || fail "${failed[*]}"
  exit
fi

name="$1"
started="$SECONDS"
contract="$PWD/openapi.yaml"
programs="$PWD/.ci/generators"
[[ -x bin/fourinarow ]] || fail "bin/fourinarow is missing: make build"
scratch

# operations: fails unless the names on standard input, however they are written, are those of the contract's operations.
operations() {
  plain() { tr -d _ | tr '[:upper:]' '[:lower:]' | sort -u; }
  grep -oP '^\s+operationId: \K\w+' "$contract" | plain >"$scratch/wanted"
  plain >"$scratch/names"
  local missing
  missing="$(comm -23 "$scratch/wanted" "$scratch/names" | tr '\n' ' ')"
  [[ -z $missing ]] || fail "not generated: $missing"
}

# play PROGRAM...: plays; the options in $skip say what the client can't ask.
play() {
  go build -o "$scratch/play" ./.ci/generators/play
  played="$("$scratch/play" ${skip:+-skip "$skip"} bin/fourinarow "$contract" "$@")"
}

# typescript_project: sets $modules, what typescript/package-lock.json names, and makes the scratch folder a project with it.
typescript_project() {
  need node nodejs
  need npm npm
  local files=("$programs"/typescript/{package.json,package-lock.json,tsconfig.json} .ci/.npmrc) # one generator looks for tsconfig.json from itself
  modules="$(kept npm "${files[@]}")"
  if [[ ! -d $modules ]]; then
    local new
    new="$(unfinished)"
    cp "${files[@]}" "$new"
    npm ci --prefix "$new" --ignore-scripts >&2
    mv -T "$new" "$modules"
  fi
  ln -s "$modules/node_modules" "$scratch/node_modules"
  cp "$programs"/typescript/{package.json,tsconfig.json} "$scratch"
}

# typescript NAME: compiles and plays NAME.ts with what was generated beside it.
typescript() {
  compiled="tsc --strict"
  cp "$programs/typescript/$1.ts" "$scratch"
  "$modules/node_modules/.bin/tsc" --project "$scratch"
  play node "$scratch/out/$1.js"
}

version_of_module() {
  node -p 'require(process.argv[1]).version' "$modules/node_modules/$1/package.json"
}

run_openapi-fetch() {
  typescript_project
  generator="openapi-typescript $(version_of_module openapi-typescript), openapi-fetch $(version_of_module openapi-fetch)"
  "$modules/node_modules/.bin/openapi-typescript" "$contract" --output "$scratch/openapi-typescript.d.ts" >&2
  sed -n '/^export interface operations/,/^}/p' "$scratch/openapi-typescript.d.ts" | grep -oP '^    \K\w+(?=: \{$)' | operations
  typescript openapi-fetch
}

run_hey-api() {
  typescript_project
  generator="@hey-api/openapi-ts $(version_of_module @hey-api/openapi-ts)"
  (cd "$scratch" && "$modules/node_modules/.bin/openapi-ts" --input "$contract" --output "$scratch/hey-api" --client @hey-api/client-fetch --silent >&2)
  grep -oP '^export const \K\w+(?= = <)' "$scratch/hey-api/sdk.gen.ts" | operations
  typescript hey-api
}

run_python() {
  need python3 python3-venv
  local venv new
  venv="$(kept python "$programs/python/requirements.txt" <(python3 --version))"
  if [[ ! -d $venv ]]; then
    new="$(unfinished)"
    python3 -m venv "$new"
    "$new/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --requirement "$programs/python/requirements.txt" >&2
    mv -T "$new" "$venv"
  fi
  local python="$venv/bin/python"
  generator="openapi-python-client $("$python" -c 'import importlib.metadata as m; print(m.version("openapi-python-client"))')"
  "$python" -m openapi_python_client generate --path "$contract" --config "$programs/python/config.yaml" --meta none \
    --output-path "$scratch/fourinarow_client" --fail-on-warning >&2
  (cd "$scratch/fourinarow_client/api" && find . -mindepth 2 -name '*.py' ! -name '__init__.py' -printf '%f\n') | sed 's/\.py$//' | operations
  cp "$programs/python/play.py" "$scratch"
  compiled="mypy --strict"
  (cd "$scratch" && "$python" -m mypy --strict --no-error-summary play.py fourinarow_client >&2)
  PYTHONPATH="$scratch" play "$python" "$scratch/play.py"
}

run_kotlin() {
  openapi_generator kotlin --library jvm-okhttp4 --output "$scratch/made" \
    --additional-properties=serializationLibrary=kotlinx_serialization,packageName=fourinarow
  grep -rhoP '^    fun \K\w+(?=WithHttpInfo\()' "$scratch/made/src/main/kotlin/fourinarow/apis" | operations
  mkdir -p "$scratch/maven/src/main/kotlin"
  cp -r "$scratch/made/src/main/kotlin/fourinarow" "$programs/kotlin/Play.kt" "$scratch/maven/src/main/kotlin"
  cp "$programs/kotlin/pom.xml" "$scratch/maven"
  compiled="kotlinc -Werror but one"
  maven -f "$scratch/maven" compile >&2
  play java -cp "$scratch/maven/target/classes:$scratch/maven/target/libraries/*" PlayKt
}

run_java() {
  openapi_generator java --library native --output "$scratch/made" \
    --additional-properties=openApiNullable=false,useJakartaEe=true,invokerPackage=fourinarow,apiPackage=fourinarow.api,modelPackage=fourinarow.model
  grep -rhoP 'ApiResponse<.*> \K\w+(?=WithHttpInfo\()' "$scratch/made/src/main/java/fourinarow/api" | operations
  mkdir -p "$scratch/maven/src/main/java"
  cp -r "$scratch/made/src/main/java/fourinarow" "$programs/java/Play.java" "$scratch/maven/src/main/java"
  cp "$programs/java/pom.xml" "$scratch/maven"
  compiled="javac -Xlint:all,-deprecation -Werror"
  maven -f "$scratch/maven" compile >&2
  play java -cp "$scratch/maven/target/classes:$scratch/maven/target/libraries/*" Play
}

run_oapi-codegen() {
  generator="oapi-codegen $(go list -m -f '{{.Version}}' github.com/oapi-codegen/oapi-codegen/v2)"
  cp -r "$programs/oapi-codegen" "$scratch/program"
  mkdir "$scratch/program/client"
  go tool oapi-codegen -config "$programs/oapi-codegen/config.yaml" -o "$scratch/program/client/client.gen.go" "$contract"
  sed -n '/^type ClientWithResponsesInterface/,/^}/p' "$scratch/program/client/client.gen.go" |
    grep -oP '^\t\K\w+(?=WithResponse\()' | operations
  compiled="go vet"
  (cd "$scratch/program" && go vet ./... && go build -o "$scratch/program/play" .)
  play "$scratch/program/play"
}

run_ogen() {
  cp -r "$programs/ogen" "$scratch/program"
  generator="ogen $(cd "$scratch/program" && go list -m -f '{{.Version}}' github.com/ogen-go/ogen)"
  (cd "$scratch/program" && go tool ogen -config ogen.yaml -target client -package client -loglevel error "$contract" >&2)
  sed -n '/^type Invoker interface/,/^}/p' "$scratch/program/client/oas_client_gen.go" | grep -oP '^\t\K\w+(?=\(ctx)' | operations
  compiled="go vet"
  (cd "$scratch/program" && go vet ./... && go build -o "$scratch/program/play" .)
  skip=invalid play "$scratch/program/play"
}

# rust FOLDER: compiles the program in it, and plays. Of libraries Cargo shows no warnings, only of what was generated and the program.
rust() {
  compiled="cargo build, no warning"
  export CARGO_TARGET_DIR="$home/cargo"
  (cd "$1" && cargo build --locked --quiet) 2>&1 | tee "$scratch/log" >&2
  ! grep --quiet '^warning' "$scratch/log" || fail "the compiler warns"
  play "$CARGO_TARGET_DIR/debug/play-$name"
}

run_rust() {
  need cargo cargo
  cp -r "$programs/rust" "$scratch/program"
  openapi_generator rust --library reqwest --output "$scratch/program/generated" \
    --additional-properties=packageName=fourinarow,reqwestDefaultFeatures=
  grep -rhoP '^pub async fn \K\w+' "$scratch/program/generated/src/apis" | operations
  skip=unchanged rust "$scratch/program" # to this client a 304 is a failure, and it doesn't show the ETag
}

run_progenitor() {
  need cargo cargo
  generator="progenitor $(grep -A1 '^name = "progenitor"$' "$programs/progenitor/Cargo.lock" | grep -oP 'version = "\K[^"]+')"
  cp -r "$programs/progenitor" "$scratch/program"
  CONTRACT="$contract" CLIENT="$scratch/client.rs" rust "$scratch/program"
  grep -oP '^    pub async fn \K\w+(?=<)' "$scratch/client.rs" | operations
}

[[ " ${all[*]} " == *" $name "* ]] || fail "no generator '$name': there are ${all[*]}"
"run_$name"
made="$(wc -l <"$scratch/wanted")"
printf '%s; %d of %d; %s; %s; %d\n' "$generator" "$made" "$made" "$compiled" "$played" "$((SECONDS - started))" | tee -a "${ROWS:-/dev/null}"
