# `make help` lists what there is. What takes more than a line stands in .ci/.

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)

.DEFAULT_GOAL := help
.PHONY: help build run generate test soak bench bench-solver lint sdk test-sdk fuzz generators smoke check

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## bin/fourinarow, a static binary
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X main.version=$(VERSION)' -o bin/fourinarow ./cmd/fourinarow

run: ## the service on 127.0.0.1:8080 over ./fourinarow.db
	go run ./cmd/fourinarow

generate: ## everything that comes from openapi.yaml
	go generate ./...

test: ## the gate: the whole suite on SQLite and on PostgreSQL
	.ci/test.sh

soak: ## races, kills, load and real clocks: SOAK_SCALE=1 is all of it, SOAK_SEED=n repeats one
	.ci/soak.sh

bench: build ## moves and polls beside the machine's limits, a quarter of an hour; BENCH_PAIRS=2 BENCH_SECONDS=5, BENCH_DIR=, ARGS=-v
	.ci/bench.sh $(ARGS)

bench-solver: ## perfect play on the field's six sets of positions; ARGS=-json, ARGS=-full
	go run ./cmd/benchsolver $(ARGS)

lint: ## code, generated code, dead code, modules, contract
	.ci/lint.sh

sdk: ## the SDKs, generated, tested and packed into bin/sdk; minutes, and npm, PyPI, Maven Central
	.ci/sdk.sh build $(SDKS)

test-sdk: build ## each packed SDK plays over a bad network; SDKS='go python' are some of them
	.ci/sdk.sh play $(SDKS)

generators: build ## SDKs of seven generators: made, compiled strictly, played with; minutes, and npm, PyPI, Maven Central, crates.io
	.ci/generators.sh

smoke: build ## start the binary and look at it
	.ci/smoke.sh

fuzz: ## Schemathesis: 10,000 requests and more against both databases; FUZZ_SEED=n sends others
	.ci/fuzz.sh

check: ## all that the gate does
	.ci/run
