# The doors of the project. `make demo` and `make test` need only Go and git.

PREFIX ?= $(HOME)/.local
FUZZTIME ?= 60s
GO ?= go
# Where the program and what is made from it are built.
BUILD ?= bin
SHARE = $(DESTDIR)$(PREFIX)/share

.PHONY: all build man demo test cover trace bench soak fuzz lint generate pictures licences vuln install uninstall dist clean

all: build

# Without cgo the program needs no shared library, which is a fifth of its
# start-up; without debugging tables it is a third smaller.
build:
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-s -w" -o $(BUILD)/git-plan ./cmd/git-plan

# A manual page for each command; only git-plan.1 is kept in the repository.
man: build
	rm -rf $(BUILD)/man
	$(BUILD)/git-plan man -o $(BUILD)/man

# The licences of all that is in the program.
licences:
	mkdir -p $(BUILD)
	{ printf 'git plan\n\n'; cat LICENSE; printf '\n\nThe Go programming language\n\n'; cat "$$($(GO) env GOROOT)/LICENSE"; \
	  $(GO) list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/git-plan | sort -u | \
	  while read -r path version dir; do printf '\n\n%s %s\n\n' "$$path" "$$version"; cat "$$dir"/LICENSE* "$$dir"/COPYING* "$$dir"/NOTICE* 2>/dev/null || true; done; } > $(BUILD)/licences.txt

# Known faults of what is in the program; this asks https://vuln.go.dev.
vuln:
	$(GO) run golang.org/x/vuln/cmd/govulncheck@v1.1.4 ./...

# The main job, end to end, in a scratch repository.
demo: build
	PATH="$(abspath $(BUILD)):$$PATH" git-plan demo

# Many tests wait for another process or for a clock: twice as many run at once as
# there are cores.
PARALLEL ?= $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2))))
test:
	$(GO) test -timeout 20m -parallel $(PARALLEL) ./...

# What part of the statements of the packages that judge, keep and compare plans
# is run by their own tests; COVERAGE is the least that will do.
COVERAGE ?= 90
cover:
	@$(GO) test -cover ./plan ./plan/diag ./validate ./gitstore ./internal/objectdb ./internal/diff | \
	  awk -v least=$(COVERAGE) '{ print } /coverage:/ { for (i = 1; i <= NF; i++) if ($$i == "coverage:" && $$(i+1)+0 < least) low = 1 } \
	    !/^ok/ { low = 1 } END { if (low) { print "a package is below " least "%, or failed; see what: go test -coverprofile=c.out PACKAGE && go tool cover -html=c.out"; exit 1 } }'

# How much of our code one `git plan commit` enters, by package: a new plan of three
# tasks, in a repository of its own that has one plan already.
trace:
	rm -rf $(BUILD)/trace && mkdir -p $(BUILD)/trace/home $(BUILD)/trace/setup $(BUILD)/trace/commit
	$(GO) build -cover -coverpkg=./... -o $(BUILD)/trace/git-plan ./cmd/git-plan
	@cd $(BUILD)/trace && top=$$PWD && export PATH="$$top:$$PATH" HOME="$$top/home" GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GOCOVERDIR="$$top/setup" \
	    GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com && set -e && \
	  git init -q repo && cd repo && git commit -q --allow-empty -m begin && git plan init --no-hooks && \
	  plan() { mkdir -p "$$2/tasks" && printf -- '---\ntitle: %s\n---\n\nWhat it is for.\n' "$$1" >"$$2/plan.md" && \
	    for i in 1 2 3; do printf -- '---\nid: t%s\n---\n\nDo part %s.\n' $$i $$i >"$$2/tasks/0$$i-part.md"; done; } && \
	  plan First ../first && git plan import -f dir --id first ../first && plan Second "$$(git plan dir)" && \
	  GOCOVERDIR="$$top/commit" git plan commit
	@$(GO) tool covdata func -i=$(BUILD)/trace/commit | awk -F '[:\t ]+' -v module="$$($(GO) list -m)/" \
	  'index($$1, module) == 1 && $$NF + 0 > 0 { file = substr($$1, length(module) + 1); package = file; sub("/[^/]*$$", "", package); \
	     functions[package]++; all++; if (!seen[file]++) { files[package]++; allFiles++ } } \
	   END { for (p in functions) printf "%5d functions in %3d files of %s\n", functions[p], files[p], p | "sort -rn"; close("sort -rn"); \
	     printf "%5d functions in %3d files of %s\n", all, allFiles, "the program" }'

# Tables of ratios against native git in the same run; BENCH passes flags, such
# as BENCH="-rows read -huge 100000".
bench:
	$(GO) run ./internal/bench $(BENCH)

# The whole suite under the race detector, three times over, then the crowds of
# writers and pushes, kills, failing system calls, gc and long-running servers of
# `make test` at full length, and the program as `go install` makes it.
soak:
	GORACE=atexit_sleep_ms=0 $(GO) test -race -count 3 -timeout 60m ./...
	GIT_PLAN_TEST_SOAK=1 $(GO) test -timeout 60m -v ./internal/reliability
	GIT_PLAN_TEST_SOAK=1 $(GO) test -run 'TestGoInstall|TestReproducible' ./cmd/git-plan

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
	$(BUILD)/git-plan man > docs/git-plan.1
	$(GO) test ./validate -run TestRulesManual -update

# The pictures of the viewer in the documents; needs Chromium.
pictures:
	$(GO) test ./internal/web -count=1 -run TestPictures -pictures $(CURDIR)/docs/img

install: man licences
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(SHARE)/man/man1" "$(SHARE)/bash-completion/completions" \
	  "$(SHARE)/zsh/site-functions" "$(SHARE)/fish/vendor_completions.d" "$(SHARE)/fish/vendor_conf.d" "$(SHARE)/doc/git-plan"
	install -m 644 $(BUILD)/licences.txt "$(SHARE)/doc/git-plan/licences.txt"
	install -m 755 $(BUILD)/git-plan "$(DESTDIR)$(PREFIX)/bin"
	install -m 644 $(BUILD)/man/*.1 "$(SHARE)/man/man1"
	install -m 644 completions/git-plan.bash "$(SHARE)/bash-completion/completions/git-plan"
	install -m 644 completions/git-plan.zsh "$(SHARE)/zsh/site-functions/_git-plan"
	install -m 644 completions/git-plan.fish "$(SHARE)/fish/vendor_completions.d/git-plan.fish"
	install -m 644 completions/git-plan.conf.fish "$(SHARE)/fish/vendor_conf.d/git-plan.fish"

uninstall:
	rm -f "$(SHARE)/doc/git-plan/licences.txt" "$(DESTDIR)$(PREFIX)/bin/git-plan" "$(SHARE)/man/man1/git-plan.1" \
	  "$(SHARE)/man/man1"/git-plan-*.1 "$(SHARE)/man/man1"/gitplan-*.1 \
	  "$(SHARE)/bash-completion/completions/git-plan" "$(SHARE)/zsh/site-functions/_git-plan" \
	  "$(SHARE)/fish/vendor_completions.d/git-plan.fish" "$(SHARE)/fish/vendor_conf.d/git-plan.fish"

# One archive for this machine's system, to be unpacked over /usr/local.
dist:
	rm -rf $(BUILD)/dist
	$(MAKE) install PREFIX= DESTDIR="$(abspath $(BUILD))/dist"
	tar -C $(BUILD)/dist -czf $(BUILD)/git-plan-$$($(GO) env GOOS)-$$($(GO) env GOARCH).tar.gz bin share

clean:
	rm -rf $(BUILD)
