package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// completionCases are lines that end where the user asks, with a word that must
// be offered and one that must not.
func completionCases() []struct{ line, want, not string } {
	return []struct{ line, want, not string }{
		{"git-plan ", "commit", "man"},
		{"git-plan com", "commit", "check"},
		{"git-plan task d", "done", "start"},
		{"git-plan hooks un", "uninstall", "install"},
		{"git-plan hooks install --ch", "--chain", "--json"},
		{"git-plan commit --dr", "--dry-run", "--message"},
		{"git-plan next --agent=b --js", "--json", "--plan"},
		{"git-plan diff --format m", "markdown", "json"},
		{"git-plan graph --format d", "dot", "mermaid"},
		{"git-plan check READ", "README.md", "git-plan"},
	}
}

// TestCompletion asks each shell that is installed what it would offer.
func TestCompletion(t *testing.T) {
	for _, name := range []string{"bash", "fish", "zsh"} {
		t.Run(name, func(t *testing.T) {
			shell, err := exec.LookPath(name)
			if err != nil {
				t.Skipf("%s is not installed", name)
			}
			for _, c := range completionCases() {
				offered := ask(t, shell, completionDriver(name), c.line)
				if !slices.Contains(offered, c.want) || slices.Contains(offered, c.not) {
					t.Errorf("%q offers %q: %s must be there, %s not", c.line, offered, c.want, c.not)
				}
			}
		})
	}
}

// TestCompletionThroughGit goes the way of `git plan`, by git's own completion
// for bash, where that is installed.
func TestCompletionThroughGit(t *testing.T) {
	const gits = "/usr/share/bash-completion/completions/git"
	shell, err := exec.LookPath("bash")
	if _, missing := os.Stat(gits); err != nil || missing != nil {
		t.Skip("bash or git's completion for it is not installed")
	}
	driver := "source " + gits + "\n" + strings.ReplaceAll(completionDriver("bash"), "\n_git_plan\n", "\n__git_wrap__git_main\n")
	for line, want := range map[string]string{
		"git plan com": "commit", "git plan task d": "done", "git -C .. plan commit --dr": "--dry-run", "git --no-pager plan lo": "log",
	} {
		if offered := ask(t, shell, driver, line); !slices.Equal(offered, []string{want}) {
			t.Errorf("%q offers %q, not %s", line, offered, want)
		}
	}
}

// completionDriver is a script that prints what a shell offers for the line in
// its first argument; $0 is the shell's completion file. What only a terminal
// has is put in its place.
func completionDriver(shell string) string {
	switch shell {
	case "bash":
		return `source "$0"
COMP_LINE=$1 COMP_POINT=${#1}
read -ra COMP_WORDS <<<"${1//=/ = }"
[[ $1 == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_git_plan
for word in "${COMPREPLY[@]}"; do echo "${word% }"; done
((${#COMPREPLY[@]})) || compgen -f -- "${COMP_WORDS[COMP_CWORD]}"
`
	case "fish":
		return `source $argv[1]; complete -C $argv[2] | string replace -r '\t.*' ''`
	}
	return `_describe() { print -l -- ${items%%:*} | grep -e "^${words[CURRENT]}" }
_files() { print -l -- ${words[CURRENT]}* }
words=(${(z)1}); [[ $1 == *" " ]] && words+=('')
CURRENT=$#words
source "$0"
`
}

// ask runs a driver where one file, README.md, lies.
func ask(t *testing.T, shell, driver, line string) []string {
	t.Helper()
	name := filepath.Base(shell)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "README.md"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	args := map[string][]string{"bash": {"--norc", "-c", driver}, "fish": {"--no-config", "-c", driver}, "zsh": {"-f", "-c", driver}}[name]
	cmd := exec.Command(shell, append(args, mustAbs(filepath.Join("..", "..", "completions", "git-plan."+name)), line)...)
	cmd.Dir, cmd.Env = dir, gittest.Env(dir)
	out, err := cmd.Output()
	if err != nil {
		t.Logf("%s: %v", name, err) // shells end with odd statuses; the words count
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}
