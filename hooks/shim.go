package hooks

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// shim is the text between git and the program: a script in the folder of
// hooks, or a command in git's configuration. It carries a checksum of itself,
// so that a shim of any version is known, and known to be as it was written.
type shim struct {
	event Event
	// program is the absolute path of git-plan, tried before PATH.
	program string
	// server refuses where the program is missing; a client warns.
	server bool
	// chained runs the hook that was there before first. Only in scripts.
	chained bool
}

// chainedSuffix names the hook that was there before, beside the shim.
const chainedSuffix = ".git-plan-chained"

// notFound is in what a shim says when it finds no program.
const notFound = "git-plan is not found"

const shimHead = `#!/bin/sh
# Written by "git plan hooks install"; "git plan hooks uninstall" removes it.
# Do not edit it. A hook of your own in its place runs before it after
# "git plan hooks install --chain".
`

// script gives the shim as a file.
func (s shim) script() string {
	var b strings.Builder
	b.WriteString(shimHead)
	b.WriteString(strings.Join(s.lines(), "\n") + " \"$@\"\n")
	body := b.String()
	return strings.Replace(body, shimHead, shimHead+"# git plan shim, checksum "+checksum(body)+"\n", 1)
}

// command gives the shim as one line for git's configuration. Git adds the
// arguments behind it.
func (s shim) command() string {
	body := strings.Join(s.lines(), "; ")
	return ": git plan shim, checksum " + checksum(body) + "; " + body
}

// lines are the shim's statements. Behind the last one come the arguments.
func (s shim) lines() []string {
	lines := []string{fmt.Sprintf(`if [ "$1" = %s ]; then shift; else %s=; fi`, probeArgument, probeVariable)}
	if s.chained {
		lines = append(lines, s.chain()...)
	}
	if s.event == ReferenceTransaction {
		lines = append(lines, `case $1 in committed | aborted) exit 0 ;; esac`) // too late to refuse
	}
	return append(lines,
		"p="+shellQuote(filepath.ToSlash(s.program)),
		// A relative entry in PATH would run what lies in the project.
		`[ -x "$p" ] || { p=$(command -v git-plan); case $p in /*) ;; *) p=$(git --exec-path)/git-plan ;; esac; }`,
		fmt.Sprintf(`[ -x "$p" ] || { echo %s >&2; exit %d; }`, shellQuote(s.missing()), s.missingStatus()),
		fmt.Sprintf(`exec "$p" hooks run %s`, s.event),
	)
}

// chain gives the statements that run the earlier hook first. What git feeds on
// standard input goes to both, by way of a file.
func (s shim) chain() []string {
	const begin, end = `if [ -z "$` + probeVariable + `" ] && [ -f "$c" ] && [ -x "$c" ]; then`, `fi`
	name := `c=$0` + chainedSuffix
	if !s.event.readsInput() {
		return []string{name, begin, `  "$c" "$@" || exit`, end}
	}
	return []string{
		name, begin,
		`  t=$(mktemp "${TMPDIR:-/tmp}/git-plan.XXXXXX") || exit 1`,
		`  trap 'rm -f "$t"' 0`,
		`  trap 'exit 1' 1 2 15`,
		`  cat >"$t" || exit 1`,
		`  "$c" "$@" <"$t" || exit`,
		`  exec <"$t"`,
		`  rm -f "$t"`,
		`  trap - 0 1 2 15`,
		end,
	}
}

// readsInput reports whether git feeds a hook something on standard input.
func (e Event) readsInput() bool {
	return e == PrePush || e == PreReceive || e == ReferenceTransaction
}

// missing is what is said where there is no program.
func (s shim) missing() string {
	if s.server {
		return fmt.Sprintf("error: %s here, so the %s hook refuses what it cannot judge: install git-plan on this server", notFound, s.event)
	}
	return fmt.Sprintf("warning: %s, so its %s hook did not run: install git-plan, or remove the hook", notFound, s.event)
}

func (s shim) missingStatus() int {
	if s.server {
		return 1
	}
	return 0
}

// checksum is short: it finds edits, not forgeries.
func checksum(body string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(body)))[:16]
}

// shimText says whose a hook's file is, from its text.
type shimText struct {
	// ours: git plan wrote it. intact: and nobody changed it since.
	ours, intact bool
}

// The marks by which a shim is known. They are compiled where they are looked
// for: every run of the program pays for what is compiled at its start.
const (
	shimMark    = `(?m)^# git plan shim, checksum ([0-9a-f]{16})\n`
	commandMark = `(?s)^: git plan shim, checksum ([0-9a-f]{16}); (.*)$`
)

// readShim looks at the text of a hook.
func readShim(text string) shimText {
	at := regexp.MustCompile(shimMark).FindStringSubmatchIndex(text)
	if at == nil {
		return shimText{}
	}
	body := text[:at[0]] + text[at[1]:]
	return shimText{ours: true, intact: checksum(body) == text[at[2]:at[3]]}
}

// isOurCommand reports whether a command in git's configuration was written by
// git plan and not changed since.
func isOurCommand(value string) bool {
	m := regexp.MustCompile(commandMark).FindStringSubmatch(value)
	return m != nil && checksum(m[2]) == m[1]
}

// callsUs reports whether the text of somebody's hook, or of the file of a
// program that manages hooks, runs git plan for an event.
func callsUs(text string, event Event) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, program := range []string{"git plan", "git-plan"} {
			_, rest, found := strings.Cut(line, program+" hooks run ")
			name, _, _ := strings.Cut(rest+" ", " ")
			if found && strings.Trim(name, `"',;|&)]}`) == string(event) {
				return true
			}
		}
	}
	return false
}

// shellQuote gives a word as a POSIX shell takes it.
func shellQuote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
