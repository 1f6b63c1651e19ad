# The doors of the project. `make demo` and `make test` need only Go and git.

PREFIX ?= $(HOME)/.local
FUZZTIME ?= 60s
GO ?= go

.PHONY: all build demo test bench soak fuzz lint generate install uninstall clean

all: build

# Without cgo the program needs no shared library, which is a fifth of its
# start-up; without debugging tables it is a third smaller.
build:
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-s -w" -o bin/git-plan ./cmd/git-plan

# The main job, end to end, in a scratch repository.
demo: build
	PATH="$(CURDIR)/bin:$$PATH" bin/git-plan demo

test:
	$(GO) test ./...

# Tables of ratios against native git in the same run; BENCH passes flags, such
# as BENCH="-rows read -huge 100000".
bench:
	$(GO) run ./internal/bench $(BENCH)

# The whole suite under the race detector, three times over, then the crowds of
# writers, kills and failing system calls of `make test` at full length.
soak:
	$(GO) test -race -count 3 -timeout 60m ./...
	GIT_PLAN_TEST_SOAK=1 $(GO) test -timeout 60m -v ./internal/reliability

# Every fuzz target for FUZZTIME.
fuzz:
	@for pkg in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    echo "== $$pkg $$target"; \
	    $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s $$pkg || exit 1; \
	  done; \
	done

lint:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run gofmt -w on these files"; exit 1; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	GOOS=windows $(GO) vet ./...
	GOOS=darwin $(GO) vet ./...

# Files made from the program and its tables; CI fails when they differ.
generate: build
	bin/git-plan man > docs/git-plan.1
	$(GO) test ./validate -run TestRulesManual -update

install: build
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1" \
	  "$(DESTDIR)$(PREFIX)/share/bash-completion/completions" "$(DESTDIR)$(PREFIX)/share/zsh/site-functions" \
	  "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"
	install -m 755 bin/git-plan "$(DESTDIR)$(PREFIX)/bin/git-plan"
	install -m 644 docs/git-plan.1 "$(DESTDIR)$(PREFIX)/share/man/man1/git-plan.1"
	install -m 644 completions/git-plan.bash "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/git-plan"
	install -m 644 completions/git-plan.zsh "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_git-plan"
	install -m 644 completions/git-plan.fish "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/git-plan.fish"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/git-plan" "$(DESTDIR)$(PREFIX)/share/man/man1/git-plan.1" \
	  "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/git-plan" \
	  "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_git-plan" \
	  "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/git-plan.fish"

clean:
	rm -rf bin
