package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// installation is what `make install` put into a folder.
type installation struct {
	dest  string // what stands for the root of the file system
	share string
	work  string // a store, as the manual's examples have it
	env   []string
}

// TestInstalled installs the program as a packager does, uses all that was
// installed, and takes it out again.
func TestInstalled(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not installed")
	}
	in := install(t)
	t.Run("pages", in.testPages)
	t.Run("version", func(t *testing.T) {
		if out := in.output(t, "git", "plan", "version", "--json"); !strings.Contains(out, `"version":"`) {
			t.Errorf("git plan version printed %q", out)
		}
	})
	t.Run("serve", in.testServe)
	t.Run("bash", in.testBash)
	t.Run("fish", in.testFish)
	t.Run("zsh", in.testZsh)
	in.make(t, "uninstall")
	filepath.WalkDir(in.dest, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			t.Errorf("make uninstall left %s (%v)", path, err)
		}
		return nil
	})
}

func install(t *testing.T) *installation {
	t.Helper()
	in := &installation{dest: t.TempDir(), work: filepath.Join(manualFixture(t), "shop")}
	in.share = filepath.Join(in.dest, "usr", "share")
	in.env = append(gittest.Env(t.TempDir()), "PATH="+filepath.Join(in.dest, "usr", "bin")+":"+os.Getenv("PATH"),
		"XDG_DATA_DIRS="+in.share+":/usr/share", "MANPATH="+filepath.Join(in.share, "man"), "MANPAGER=cat", "GIT_PAGER=cat", "TERM=dumb")
	in.make(t, "install")
	return in
}

func (in *installation) make(t *testing.T, target string) {
	t.Helper()
	cmd := exec.Command("make", "-C", filepath.Join("..", ".."), target, "BUILD="+filepath.Join(t.TempDir(), "build"), "DESTDIR="+in.dest, "PREFIX=/usr")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("make %s: %v\n%s", target, err, out)
	}
}

// output runs a program in the store.
func (in *installation) output(t *testing.T, name string, args ...string) string {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	cmd := exec.CommandContext(ctx, in.program(name), args...)
	cmd.Dir, cmd.Env = in.work, in.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Logf("%s %q: %v", name, args, err) // shells end with odd statuses; the words count
	}
	return string(out)
}

func (in *installation) program(name string) string {
	if path := filepath.Join(in.dest, "usr", "bin", name); exec.Command("test", "-x", path).Run() == nil {
		return path
	}
	return name
}

// testServe has the installed program do what it needs the libraries of others
// for.
func (in *installation) testServe(t *testing.T) {
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	cmd := exec.CommandContext(ctx, in.program("git"), "plan", "mcp", "--tools", "planning", "--persist")
	cmd.Dir, cmd.Env, cmd.Stdin = in.work, in.env, strings.NewReader(hello)
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte(`"planning_read_plan"`)) || bytes.Contains(out, []byte(`"plan_status"`)) {
		t.Errorf("git plan mcp: %v\n%s", err, out)
	}
	if out := in.output(t, "git", "plan", "report", "-o", filepath.Join(t.TempDir(), "pages")); !strings.Contains(out, "index.html") {
		t.Errorf("git plan report: %s", out)
	}
	if out := in.output(t, "git", "plan", "ci", "run", "--targets", "HEAD", "-h"); !strings.Contains(out, "--comment") {
		t.Errorf("git plan ci run -h: %s", out)
	}
}

// testPages looks at every page with the tools that are there, and has git find
// the page of a command.
func (in *installation) testPages(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(in.share, "man", "man1", "git-*.1"))
	if err != nil || len(pages) < 40 {
		t.Fatalf("%d pages were installed: %v", len(pages), err)
	}
	tools := map[string][]string{"mandoc": {"-T", "lint", "-W", "warning"}, "groff": {"-man", "-Tutf8", "-ww", "-z"}}
	for name, args := range tools {
		if _, err := exec.LookPath(name); err != nil {
			t.Logf("%s is not installed, and does not judge the pages", name)
		} else if said := in.output(t, name, append(args, pages...)...); said != "" {
			t.Errorf("%s says of the pages:\n%s", name, said)
		}
	}
	if _, err := exec.LookPath("man"); err != nil {
		t.Skip("man is not installed")
	}
	for _, args := range [][]string{{"plan", "--help"}, {"help", "plan"}, {"help", "plan-commit"}, {"help", "git-plan-commit"}} {
		page := regexp.MustCompile(`.\x08`).ReplaceAllString(in.output(t, "git", args...), "") // bold, as teletypes had it
		if !strings.Contains(page, "GIT-PLAN") || !strings.Contains(page, "EXIT STATUS") {
			t.Errorf("git %q shows %q", args, page)
		}
	}
}

// installedCases are lines and words that the shells must offer at their ends.
func installedCases() map[string]string {
	return map[string]string{
		"git pla":                       "plan",
		"git plan com":                  "commit",
		"git plan task done sign":       "sign-token",
		"git plan task done auth/d":     "auth/docs",
		"git plan show auth@v":          "auth@v1",
		"git -C ../shop plan next o":    "old",
		"git-plan explain depends-cyc":  "depends-cycle",
		"git plan graph --format merm":  "mermaid",
		"git plan list --status=replan": "replanning",
	}
}

// testBash has bash load the completion as bash-completion and git's own find
// it.
func (in *installation) testBash(t *testing.T) {
	const loader = "/usr/share/bash-completion/bash_completion"
	for _, file := range []string{loader, "/usr/share/bash-completion/completions/git"} {
		if _, err := os.Stat(file); err != nil {
			t.Skip("bash-completion, or that of git, is not installed")
		}
	}
	const driver = `source ` + loader + `
COMP_LINE=$0 COMP_POINT=${#0} COMP_TYPE=9 COMP_KEY=9
words=${0//=/ = } words=${words//@/ @ }
read -ra COMP_WORDS <<<"$words"
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_completion_loader "${COMP_WORDS[0]}"
function=$(complete -p "${COMP_WORDS[0]}") function=${function##*-F } function=${function%% *}
$function "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
`
	for line, want := range installedCases() {
		_, want, _ = cutLast(want, "@") // bash takes what follows an @ for a word of its own
		out := in.output(t, "bash", "--norc", "-c", driver, line)
		if !bytes.Contains([]byte(out), []byte(want)) {
			t.Errorf("%q offers %q, not %s", line, out, want)
		}
	}
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}

// testFish has fish find the completion by itself.
func (in *installation) testFish(t *testing.T) {
	if _, err := exec.LookPath("fish"); err != nil {
		t.Skip("fish is not installed")
	}
	for line, want := range installedCases() {
		if out := in.output(t, "fish", "-i", "-c", "complete -C '"+line+"'"); !strings.Contains(out, want) {
			t.Errorf("%q offers %q, not %s", line, out, want)
		}
	}
	if out := in.output(t, "fish", "-i", "-c", "complete -C 'git plan task done '"); !strings.Contains(out, "sign-token\tsign token") {
		t.Errorf("the tasks are %q, without their titles", out)
	}
}

// testZsh has zsh find the completion by itself, at a terminal of its own.
func (in *installation) testZsh(t *testing.T) {
	if _, err := exec.LookPath("zsh"); err != nil {
		t.Skip("zsh is not installed")
	}
	const driver = `zmodload zsh/zpty || exit
zpty z zsh -f -i
zpty -w z "stty cols 200; fpath=($1 \$fpath); autoload -Uz compinit; compinit -D -u; bindkey '^I' list-choices; PS1='REA''DY> '"
zpty -r -m z out '*READY> *'
zpty -w -n z "$0"$'\t\C-u'
zpty -w z "print DO''NE"
zpty -r -m z out '*DONE*'
print -r -- "$out"
`
	functions := filepath.Join(in.share, "zsh", "site-functions")
	for line, want := range installedCases() {
		if out := in.output(t, "zsh", "-f", "-c", driver, line, functions); !strings.Contains(out, want) {
			t.Errorf("%q offers %q, not %s", line, out, want)
		}
	}
	if out := in.output(t, "zsh", "-f", "-c", driver, "git plan task done ", functions); !strings.Contains(out, "-- sign token") {
		t.Errorf("the tasks are %q, without their titles", out)
	}
}
