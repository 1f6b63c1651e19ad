package main

import (
	"fmt"
	"github.com/git-plan/git-plan/internal/store"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// secret is what no command may print or store: it stands in files outside of
// the project.
const secret = "tripwire-4b1d"

// ground is a project with a store, and tripwires all around them.
type ground struct {
	*gittest.Repo
	t alarm
	// top holds the project in repo, and beside it home, outside, the server
	// and the canary.
	top string
	// untouched is what lay outside of the store before anything was tried.
	untouched map[string]string
}

// alarm is what the tripwires are tied to: the test, or what tests them.
type alarm interface {
	Helper()
	Error(...any)
	Errorf(string, ...any)
	Fatal(...any)
	Fatalf(string, ...any)
}

// newGround lays out a project. User and repository name the canary as what
// attributes may ask for: filters, ways to compare, ways to merge.
func newGround(t *testing.T) *ground {
	t.Helper()
	g := &ground{Repo: gittest.New(t), t: t}
	g.top = filepath.Dir(g.Dir)
	above := g.At(g.top)
	above.Write("outside/secret", secret+"\n")
	above.Write("outside/plan.md", "---\ntitle: "+secret+"\n---\n\n"+secret+".\n")
	above.Write("outside/tasks/01-secret.md", "---\nid: secret\n---\n\n"+secret+".\n")
	g.buildCanary()
	g.Repo = g.With("PATH="+filepath.Join(g.top, "canary")+string(os.PathListSeparator)+gittest.Path(os.Getenv("PATH")), "GIT_PLAN_AGENT=tester", nowVariable+"="+gittest.Date)
	for _, key := range []string{"filter.canary.clean", "filter.canary.smudge", "diff.canary.command", "diff.canary.textconv", "merge.canary.driver"} {
		g.Git("config", "--global", key, g.canary())
	}
	g.Git("init", "-q", "--bare", "-b", "main", filepath.Join(g.top, "srv.git"))
	g.Git("remote", "add", "origin", filepath.Join(g.top, "srv.git"))
	g.Git("push", "-q", filepath.Join(g.top, "srv.git"), "main")
	g.must("init", "--no-hooks")
	g.must("dir")
	g.must("sync", "--manual")
	return g
}

// canary is the program that must not run.
func (g *ground) canary() string { return filepath.Join(g.top, "canary", "canary") }

// buildCanary makes the canary, by its own name and by those of programs that
// others start.
func (g *ground) buildCanary() {
	script := "#!/bin/sh\necho \"$0 $*\" >>'" + filepath.Join(g.top, "ran") + "'\n"
	for _, name := range []string{"canary", "less", "more", "vi", "vim", "nano", "emacs", "ssh", "curl", "wget", "xdg-open", "open", "gpg", "make", "npm", "python", "git-lfs", "git-remote-canary"} {
		g.At(g.top).Write("canary/"+name, script)
		if err := os.Chmod(filepath.Join(g.top, "canary", name), 0o755); err != nil {
			g.t.Fatal(err)
		}
	}
}

// told puts the places of this ground into a text.
func (g *ground) told(text string) string {
	return strings.NewReplacer("OUTSIDE", filepath.Join(g.top, "outside"), "CANARY", g.canary()).Replace(text)
}

// run runs a command line, which must end by itself, and gives what it printed.
func (g *ground) run(stdin string, args ...string) (status int, printed string) {
	g.t.Helper()
	var out strings.Builder
	done := make(chan int, 1)
	go func() {
		done <- Main(Env{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &out, Dir: g.Dir, Environ: g.Env, Now: testClock}, args)
	}()
	select {
	case status = <-done:
		return status, out.String()
	case <-time.After(patience):
		g.t.Fatalf("git plan %s hangs", strings.Join(args, " "))
		return 0, ""
	}
}

func (g *ground) must(args ...string) {
	g.t.Helper()
	if status, printed := g.run("", args...); status != 0 {
		g.t.Fatalf("git plan %s: status %d\n%s", strings.Join(args, " "), status, printed)
	}
}

// arm remembers what must stay as it is from now on.
func (g *ground) arm() { g.untouched = g.world() }

// try runs a command line and looks at the tripwires: nothing of what lies
// outside may be printed, whatever else comes of it.
func (g *ground) try(stdin string, args ...string) int {
	g.t.Helper()
	status, _ := g.tried(stdin, args...)
	return status
}

// tried is try with what was printed.
func (g *ground) tried(stdin string, args ...string) (status int, printed string) {
	g.t.Helper()
	status, printed = g.run(stdin, args...)
	line := "git plan " + strings.Join(args, " ")
	if strings.Contains(printed, secret) {
		g.t.Errorf("%s printed a file from outside of the project:\n%s", line, printed)
	}
	if ran, err := os.ReadFile(filepath.Join(g.top, "ran")); err == nil {
		g.t.Errorf("%s ran: %s", line, ran)
		os.Remove(filepath.Join(g.top, "ran"))
	}
	if strings.Contains(printed, "panic:") || strings.Contains(printed, "goroutine ") {
		g.t.Errorf("%s: %s", line, printed)
	}
	return status, printed
}

// whole looks at what was written: nothing outside of the store and the drafts,
// and nothing from outside in them.
func (g *ground) whole() {
	g.t.Helper()
	now := g.world()
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if strings.HasPrefix(name, store.ParkedPrefix) {
			continue // sync keeps there what the gate does not let it publish
		}
		if was, there := g.untouched[name]; !there || was != now[name] {
			g.t.Errorf("%s was written: %q, was %q", name, now[name], was)
		}
	}
	for name := range g.untouched {
		if _, there := now[name]; !there {
			g.t.Errorf("%s was removed", name)
		}
	}
	if strings.Contains(g.Git("cat-file", "--batch-all-objects", "--batch", "--unordered"), secret) {
		g.t.Error("a file from outside of the project is stored")
	}
	err := filepath.WalkDir(filepath.Join(g.Dir, ".plans"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		if data, _ := os.ReadFile(path); strings.Contains(string(data), secret) && !g.linkedIn(path) {
			g.t.Errorf("a file from outside of the project is in %s", path)
		}
		return nil
	})
	if err != nil && !os.IsNotExist(err) {
		g.t.Error(err)
	}
}

// linkedIn reports whether a file is the hard link that a test put there.
func (g *ground) linkedIn(path string) bool {
	there, err := os.Stat(path)
	outside, err2 := os.Stat(filepath.Join(g.top, "outside", "secret"))
	return err == nil && err2 == nil && os.SameFile(there, outside)
}

// world describes everything that no command may change: the project, its
// index, configuration, hooks and refs but those of plans, the home folder, and
// what lies beside them.
func (g *ground) world() map[string]string {
	g.t.Helper()
	world := map[string]string{}
	err := filepath.WalkDir(g.top, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(g.top, path)
		name = filepath.ToSlash(name)
		if ofPlans(name) {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		world[name], err = describeEntry(path, e)
		return err
	})
	if err != nil {
		g.t.Fatal(err)
	}
	for _, line := range strings.Split(g.Git("for-each-ref", "--format=%(refname) %(objectname)"), "\n") {
		ref, commit, _ := strings.Cut(line, " ")
		if !strings.HasSuffix(ref, "/plans") && !strings.Contains(ref, "/proposals/") {
			world[ref] = commit
		}
	}
	return world
}

// ofPlans reports whether a place belongs to the store or to the drafts. Links in the place of these are of the ground, and told apart by describeEntry.
func ofPlans(name string) bool {
	for _, place := range []string{"repo/.plans", "repo/.git/objects", "repo/.git/logs", "repo/.git/refs", "repo/.git/packed-refs", "repo/.git/git-plan", "repo/.git/FETCH_HEAD", "repo/.git/worktrees", "srv.git", "trees", "model/asked"} {
		if name == place {
			return true
		}
	}
	return false
}

func describeEntry(path string, e fs.DirEntry) (string, error) {
	info, err := e.Info()
	if err != nil {
		return "", err
	}
	switch {
	case e.IsDir():
		return info.Mode().String(), nil
	case e.Type()&fs.ModeSymlink != 0:
		to, err := os.Readlink(path)
		return "link to " + to, err
	case !e.Type().IsRegular():
		return info.Mode().String(), nil
	}
	data, err := os.ReadFile(path)
	return fmt.Sprintf("%v %s", info.Mode(), data), err
}

// plant puts files on the plans branch without asking any gate, as whoever may
// push can. What a name ends with says what the entry is: "@" a link, "+" a
// program, "%" a submodule.
func (g *ground) plant(files map[string]string) {
	g.t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "commit refs/heads/plans\ncommitter Eve <eve@example.com> 1767323045 +0000\ndata 5\nplant\nfrom refs/heads/plans^0\n")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := g.told(files[name])
		switch name[len(name)-1] {
		case '@':
			fmt.Fprintf(&b, "M 120000 inline %s\ndata %d\n%s\n", name[:len(name)-1], len(text), text)
		case '+':
			fmt.Fprintf(&b, "M 100755 inline %s\ndata %d\n%s\n", name[:len(name)-1], len(text), text)
		case '%':
			fmt.Fprintf(&b, "M 160000 %s %s\n", g.Git("rev-parse", "main"), name[:len(name)-1])
		default:
			fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
		}
	}
	g.GitInput(b.String(), "fast-import", "--quiet", "--force")
}

// draft writes files into the folder of the current thread.
func (g *ground) draft(files map[string]string) {
	g.t.Helper()
	for name, text := range files {
		g.Write(".plans/thread-1/"+name, g.told(text))
	}
}

// link makes a symbolic link in the project.
func (g *ground) link(to, name string) {
	g.t.Helper()
	full := filepath.Join(g.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := os.Symlink(g.told(to), full); err != nil {
		g.t.Fatal(err)
	}
}
