package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/git-plan/git-plan/plan/diag"
)

// Whatever the plans branch holds, it is read, shown and judged without a
// panic, without a way out of the project, without a character that a
// terminal obeys, and hides none of the plans beside it.
func TestHostileTrees(t *testing.T) {
	for name, kinds := range map[string][]hostile{
		"names": named(), "entries": entries(), "shapes": layouts(), "own files": owned(), "commits": commits(), "repositories": around(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &forge{withPlan(t)}
			base := f.Git("rev-parse", "plans")
			f.serve()
			f.arm()
			for _, kind := range kinds {
				t.Run(kind.name, func(t *testing.T) { f.reads(t, kind, base) })
				f.sweepUp()
				f.point(filepath.Join(f.Dir, ".git"), base)
			}
		})
	}
}

// serve lets the server see every object of the project, as it does of a push.
func (f *forge) serve() {
	f.At(filepath.Join(f.top, "srv.git")).Write("objects/info/alternates", filepath.Join(f.Dir, ".git", "objects")+"\n")
}

// reads has every way of reading meet one kind.
func (f *forge) reads(t *testing.T, kind hostile, base string) {
	on := *f.ground
	on.t = t
	g := &forge{&on}
	tip := kind.commit(g, base)
	g.judged(t, kind, base, tip)
	g.fetched(base, tip)
	g.point(filepath.Join(g.Dir, ".git"), tip)
	for _, line := range []string{
		"list", "list --json", "list --archived", "show h", "show h --json", "show h/fine", "check h", "check plans --format sarif", "check plans --format github", "check plans~1..plans",
		"log", "log h", "log h --json", "events", "diff plans~1 plans", "diff plans~1 plans --format markdown", "diff " + base + " plans --json", "graph h", "next h", "status", "prime", "grep .", "export -t planspec h",
		"task start h/fine", "archive --force h", "propose h", "doctor", "checkout h", "check", "commit --dry-run", "commit", "clear-current",
	} {
		g.quiet(t, line)
	}
	_, signed := g.run("", "verify") // asks git, which asks gpg of a signature
	harmless(t, "verify", signed)
	os.Remove(filepath.Join(g.top, "ran"))
	g.point(filepath.Join(g.Dir, ".git"), tip)
	checked, said := g.quiet(t, "check plans")
	told := said
	if kind.dead {
		_, told = g.quiet(t, "list")
	}
	if (checked == 0) != kind.passes() {
		t.Errorf("check ended with %d:\n%.600s", checked, said)
	}
	for want := range strings.SplitSeq(kind.told, "\n") {
		if !strings.Contains(told, want) {
			t.Errorf("nothing tells of %q:\n%.2000s", want, told)
		}
	}
	g.neighbour(t, kind)
	if !kind.own {
		g.whole()
	}
}

// passes says whether check finds no error in it.
func (h hostile) passes() bool {
	return (h.told == "" || strings.HasSuffix(h.told, "warning")) && !h.dead
}

// neighbour looks whether the good plan is read as ever.
func (f *forge) neighbour(t *testing.T, kind hostile) {
	t.Helper()
	if kind.dead {
		if status, said := f.quiet(t, "show p"); status == 0 {
			t.Errorf("show p read a store that cannot be read:\n%s", said)
		}
		return
	}
	for line, want := range map[string]string{"list": "p  ", "show p": "A plan.", "log p": "", "log --graph p": "", "next p": "", "graph p": "", "grep A.plan": "p/plan.md", "checkout p": "", "use p": ""} {
		if kind.own || strings.HasPrefix(kind.name, "two of the good") {
			f.quiet(t, line)
		} else if status, said := f.quiet(t, line); status != 0 || !strings.Contains(said, want) {
			t.Errorf("%s: status %d\n%.600s", line, status, said)
		}
	}
}

// judged has the server's hook meet it.
func (f *forge) judged(t *testing.T, kind hostile, base, tip string) {
	t.Helper()
	server := *f.ground
	server.Repo = f.At(filepath.Join(f.top, "srv.git"))
	f.point(server.Dir, base)
	status, said := server.run(base+" "+tip+" refs/heads/plans\n", "hooks", "run", "pre-receive")
	harmless(t, "pre-receive", said)
	if (status == 0) != kind.landable {
		t.Errorf("pre-receive ended with %d\n%.600s", status, said)
	}
}

// fetched has sync meet it on a remote.
func (f *forge) fetched(base, tip string) {
	f.t.Helper()
	f.point(filepath.Join(f.top, "srv.git"), tip)
	for _, line := range []string{"sync"} {
		f.point(filepath.Join(f.Dir, ".git"), base)
		status := f.try("", strings.Fields(line)...)
		if _, said := f.run("", "show", "p"); status > 128 && strings.Contains(said, "goroutine") {
			f.t.Errorf("%s: %s", line, said)
		}
	}
	f.point(filepath.Join(f.top, "srv.git"), base)
}

// quiet runs a command, looks at the tripwires, and at every character that it
// printed.
func (f *forge) quiet(t *testing.T, line string) (status int, said string) {
	t.Helper()
	status, said = f.tried("", strings.Fields(line)...)
	harmless(t, line, said)
	return status, said
}

// harmless finds what a terminal would obey in what a command printed.
func harmless(t *testing.T, line, said string) {
	t.Helper()
	if !utf8.ValidString(said) {
		t.Errorf("%s printed bytes that are no text: %.300q", line, said)
	}
	obeyed := func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || diag.IsBidi(r) || slices.Contains([]rune("\u200b\u2028\u2029\ufeff"), r)
	}
	if i := strings.IndexFunc(said, obeyed); i >= 0 {
		t.Errorf("%s printed a character that is obeyed: %.120q", line, said[i:])
	}
	if strings.Contains(said, "panic") || strings.Contains(said, "goroutine ") {
		t.Errorf("%s: %.2000s", line, said)
	}
}
