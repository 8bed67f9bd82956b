# What a developer runs. `make ci` is what .ci/run runs; CONTRIBUTING.md says when to run what.
GO          ?= go
STATICCHECK ?= $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2
PLATFORMS   := linux/amd64 linux/arm64 darwin/arm64 windows/amd64
FUZZTIME    ?= 10s
# For one package; go test's own ten minutes are not enough on a machine that has much else to do.
TIMEOUT     ?= 2h
RUN         ?= .
BENCH       ?= .

# Packages in which goroutines meet; -race of everything takes too long for each change.
RACE := ./internal/event/... ./internal/mem/... ./internal/kv/... ./internal/actor/... ./internal/engine/... ./internal/dml/... \
	./internal/query/... ./internal/session/... ./internal/pgwire/... ./internal/capture/... .

.PHONY: all build cross fmt vet staticcheck lint test race sim slt fuzz bench docs rewrite ci deep deps clean

all: build

build: ## the binaries, static, into bin/
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/ ./cmd/...

cross: ## every platform that is released compiles without cgo
	@set -e; for p in $(PLATFORMS); do echo "build $$p"; CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) build ./...; done

fmt: ## fails where gofmt would change a file
	@out=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "not gofmt'ed:"; echo "$$out"; exit 1; fi

vet:
	$(GO) vet ./...

staticcheck:
	$(STATICCHECK) ./...

lint: fmt vet ## the rules of the repository: layers, sizes, words, documents
	$(GO) test -timeout $(TIMEOUT) ./internal/lint ./internal/errs ./internal/settings

test: deps ## every test; installs PostgreSQL 15 where it is missing
	$(GO) test -timeout $(TIMEOUT) ./...

race: ## the race detector and the invariant checks, where goroutines meet
	$(GO) test -race -timeout $(TIMEOUT) $(RACE)

sim: ## the whole engine under seeded faults
	$(GO) test -count=1 -timeout $(TIMEOUT) ./internal/sim/... $(SIMFLAGS)

# The ways in which each script's views come to be; internal/slt/README.md describes them.
WAYS := incremental,backfill,throttled,arranged,restarted,parallel,rescaled

slt: build ## SQL scripts against the real binary, each in every way, and once with every row of state read back from the store
	bin/slt -engine tidemark -binary bin/tidemark -dir testdata/slt -root testdata/slt -ways $(WAYS) -jobs 2 -summary=false
	TIDEMARK_STATE_MEMORY=2kB bin/slt -engine tidemark -binary bin/tidemark -dir testdata/slt -root testdata/slt -ways incremental -jobs 2 -summary=false

fuzz: ## every fuzz target for FUZZTIME, from the committed corpus
	.ci/fuzz $(FUZZTIME)

bench: ## benchmarks; BENCH=name for some of them
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem ./...

docs: ## write the generated pages anew
	$(GO) test ./internal/errs ./internal/settings ./internal/reference -run Page -rewrite

# Packages whose tests compare with files that -rewrite writes; other test binaries do not know the flag.
REWRITE = $$(grep -rlE --include='*_test.go' 'cockroachdb/datadriven"|internal/golden"' . | xargs -n1 dirname | sort -u)

rewrite: ## write golden files anew; read the diff before you commit it. RUN=TestName for some of them
	$(GO) test $(REWRITE) -run '$(RUN)' -rewrite

ci: lint staticcheck build cross test slt race fuzz

deep: ## the long programme: hours. What passed is counted in testing/ledger.jsonl
	.ci/deep

deps: ## PostgreSQL 15 and a C compiler for the race detector, by apt
	.ci/deps

clean:
	rm -rf bin dist
