# Everything a contributor does, by name. `make` alone lists it.

VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS   = -s -w -X seed/internal/cli.version=$(VERSION)
GOBUILD   = CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags "$(LDFLAGS)"
FUZZTIME ?= 10m

.PHONY: help run build test test-deps test-full lint bench fuzz fuzz-short cross \
	reproducible wasm man completions dist release conformance clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## build seed and walk through it on the bundled example
	@./scripts/demo bin/seed

build: ## bin/seed
	@mkdir -p bin
	$(GOBUILD) -o bin/seed ./cmd/seed

test: test-deps ## install what the tests need where that is allowed, then run them all
	@./scripts/test

test-deps:
	@./scripts/test-deps

test-full: test-deps ## what takes long: every cut offset in every shell, long fuzzing
	@SEED_TEST_FULL=1 ./scripts/test -timeout 6h
	@./scripts/fuzz "$(FUZZTIME)"

lint: ## format, vet, staticcheck, go.mod, licences, shellcheck
	@./scripts/lint

bench: build ## measure against tar and plain hashing on this machine; fails over budget
	@bad=0; ./bench/run.sh bin/seed || bad=$$?; ./bench/capsule.sh bin/seed || bad=$$?; exit $$bad

fuzz: ## each fuzz target for FUZZTIME (10m)
	@./scripts/fuzz "$(FUZZTIME)"

fuzz-short: ## each fuzz target for a few seconds
	@./scripts/fuzz 5s

cross: ## compile for linux, macOS and windows on amd64 and arm64
	@./scripts/cross

reproducible: ## build twice in different places, compare the bytes
	@./scripts/reproducible

wasm: ## compile the pure packages for js/wasm
	@./scripts/wasm

man: build ## manual pages into dist/man
	@mkdir -p dist/man
	bin/seed man --dir dist/man

completions: build ## shell completions into dist/completions
	@mkdir -p dist/completions
	bin/seed completion bash > dist/completions/seed.bash
	bin/seed completion zsh > dist/completions/_seed
	bin/seed completion fish > dist/completions/seed.fish
	bin/seed completion powershell > dist/completions/seed.ps1

dist: man completions ## release archives and their checksums into dist/
	@VERSION="$(VERSION)" ./scripts/release

release: dist

conformance: ## rewrite the tests column of docs/conformance/*.md
	@go run ./internal/house/keep conformance

clean: ## remove what was built
	rm -rf bin dist bench/out
