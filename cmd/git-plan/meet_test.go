package main

import (
	"archive/tar"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// way is how the work of two clones comes together.
type way string

// The ways, in each of which clone A has landed and clone B meets it.
const (
	native   way = "native" // git merge in a worktree of the plans
	synced   way = "sync"   // git plan sync, both having committed
	threaded way = "thread" // B's edits are in a thread when A's arrive
	pushed   way = "push"   // both commit with --push
)

// edit changes one file of the store: old to new where old is given, else the
// whole file; without either the file goes.
type edit struct{ path, old, new string }

func sub(path, old, new string) edit { return edit{path, old, new} }
func put(path, text string) edit     { return edit{path: path, new: text} }
func del(path string) edit           { return edit{path: path} }

// outcome is what a meeting must end with.
type outcome struct {
	// conflicts are what must be decided, as "plan/task field".
	conflicts []string
	// refused is what git merge says where it or its hook stops; only natively.
	refused string
	// says is the error_type of a mutation that is refused with --push.
	says string
	// files are the differences from what both began with.
	files []edit
	// notes must be told.
	notes []string
}

// meeting is one scenario: what A does, what B does, and what comes of it.
type meeting struct {
	name string
	a, b []edit
	// aRun and bRun are commands after the edits, without `git plan`.
	aRun, bRun []string
	want       outcome
	// in is what a way has of its own; without is a way that cannot be gone.
	in      map[way]outcome
	without []way
}

// TestMeetings lets two clones do each of the things that can meet, each way
// that they can meet, and holds what comes of it against docs/merge.md.
func TestMeetings(t *testing.T) {
	seed := newMeetingSeed(t)
	for _, m := range slices.Concat(taskMeetings(), statusMeetings(), storeMeetings()) {
		for _, w := range []way{native, synced, threaded, pushed} {
			if slices.Contains(m.without, w) {
				continue
			}
			t.Run(m.name+"/"+string(w), func(t *testing.T) {
				t.Parallel()
				newEncounter(t, seed).meet(m, w)
			})
		}
	}
}

// encounter is two clones and the server they share.
type encounter struct {
	t              *testing.T
	top            string
	srv, a, b      *gittest.Repo
	base           map[string]string
	aTree, bTree   *gittest.Repo
	aTip, bTip     string
	said, complain string // what the last command wrote
}

// newMeetingSeed makes what every meeting begins with.
func newMeetingSeed(t *testing.T) *gittest.Repo {
	t.Helper()
	top := gittest.New(t)
	e := &encounter{t: t}
	e.open(top)
	for _, who := range []string{"ant", "bee"} {
		top.Write("for-"+who+"/plan.md", "---\ntitle: Auth\n---\n\nOnce more.\n")
		top.Write("for-"+who+"/tasks/"+map[string]string{"ant": "01", "bee": "02"}[who]+"-"+who+".md", madeTask(who, ""))
	}
	top.Git("init", "-q", "--template=", "--bare", "-b", "main", "srv.git")
	e.plan(e.srv, "hooks", "install")
	for _, g := range []*gittest.Repo{e.a, e.b} {
		top.Git("init", "-q", "--template=", "-b", "main", filepath.Base(g.Dir))
		g.Git("config", "maintenance.auto", "false")
		g.Git("commit", "-q", "--allow-empty", "-m", "begin")
		g.Git("remote", "add", "origin", "../srv.git")
		e.plan(g, "init")
		if g == e.a {
			e.storePlans()
		}
		e.plan(g, "sync")
	}
	return top
}

// storePlans puts the first plans on A's store.
func (e *encounter) storePlans() {
	tree := e.tree(e.a, "seed")
	for _, name := range slices.Sorted(maps.Keys(meetingFiles())) {
		tree.Write(name, meetingFiles()[name])
	}
	tree.Commit("two plans")
	e.a.Git("worktree", "remove", "--force", tree.Dir)
}

func newEncounter(t *testing.T, seed *gittest.Repo) *encounter {
	e := &encounter{t: t}
	top := filepath.Join(t.TempDir(), "top")
	if err := os.CopyFS(top, os.DirFS(seed.Dir)); err != nil {
		t.Fatal(err)
	}
	e.open(seed.For(t, top))
	e.base = e.files(e.a)
	return e
}

func (e *encounter) open(top *gittest.Repo) {
	e.top = top.Dir
	top = top.With(nowVariable + "=" + gittest.Date)
	e.srv = top.At(filepath.Join(e.top, "srv.git"))
	e.a = top.At(filepath.Join(e.top, "a")).With("GIT_PLAN_AGENT=ant")
	e.b = top.At(filepath.Join(e.top, "b")).With("GIT_PLAN_AGENT=bee")
}

// try runs a program and gives its exit status.
func (e *encounter) try(g *gittest.Repo, name string, args ...string) int {
	e.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = g.Dir, g.Env
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	e.said, e.complain = out.String(), errs.String()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		e.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// plan runs the program, which must succeed.
func (e *encounter) plan(g *gittest.Repo, args ...string) {
	e.t.Helper()
	if status := e.try(g, "git-plan", args...); status != 0 {
		e.t.Fatalf("git plan %s in %s: status %d\n%s%s", strings.Join(args, " "), filepath.Base(g.Dir), status, e.said, e.complain)
	}
}

// tree makes a worktree of a clone's plans.
func (e *encounter) tree(g *gittest.Repo, name string) *gittest.Repo {
	e.t.Helper()
	g.Git("worktree", "add", "-q", "../"+name, "plans")
	return g.At(filepath.Join(e.top, name))
}

// files gives the store of a clone.
func (e *encounter) files(g *gittest.Repo) map[string]string {
	e.t.Helper()
	out := map[string]string{}
	r := tar.NewReader(strings.NewReader(g.Git("archive", "--format=tar", "plans") + strings.Repeat("\x00", 1024)))
	for {
		h, err := r.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			e.t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		data, err := io.ReadAll(r)
		if err != nil {
			e.t.Fatal(err)
		}
		out[h.Name] = string(data)
	}
}

// apply makes edits to files of the store.
func (e *encounter) apply(files map[string]string, edits []edit) map[string]string {
	e.t.Helper()
	out := maps.Clone(files)
	for _, d := range edits {
		switch {
		case d.old == "" && d.new == "":
			delete(out, d.path)
		case d.old == "":
			out[d.path] = d.new
		case strings.Count(out[d.path], d.old) != 1:
			e.t.Fatalf("%q stands %d times in %s", d.old, strings.Count(out[d.path], d.old), d.path)
		default:
			out[d.path] = strings.Replace(out[d.path], d.old, d.new, 1)
		}
	}
	return out
}

// write brings a folder that holds the files below prefix in line with edits.
func (e *encounter) write(dir *gittest.Repo, prefix string, edits []edit) {
	e.t.Helper()
	now := e.apply(e.base, edits)
	for _, d := range edits {
		name := strings.TrimPrefix(d.path, prefix)
		if text, ok := now[d.path]; ok {
			dir.Write(name, text)
		} else if err := os.Remove(filepath.Join(dir.Dir, filepath.FromSlash(name))); err != nil {
			e.t.Fatal(err)
		}
	}
}

// commitNatively makes edits as one commit of plain git.
func (e *encounter) commitNatively(tree *gittest.Repo, edits []edit) {
	e.t.Helper()
	if len(edits) == 0 {
		return
	}
	e.write(tree, "", edits)
	tree.Git("add", "-A")
	tree.Git("commit", "-q", "-m", "edit in "+filepath.Base(tree.Dir))
}

// draft puts edits of one plan into a thread, and gives the command that
// commits it.
func (e *encounter) draft(g *gittest.Repo, edits []edit) []string {
	e.t.Helper()
	id, _, _ := strings.Cut(edits[0].path, "/")
	args := []string{"commit"}
	if _, stored := e.base[id+"/plan.md"]; stored {
		e.plan(g, "checkout", id)
	} else {
		e.plan(g, "dir")
		args = append(args, "--id", id)
	}
	e.write(g.At(filepath.Join(g.Dir, ".plans", "thread-1")), id+"/", edits)
	return args
}

// prepare does B's edits in a thread, and gives the command that is to meet
// what lands.
func (e *encounter) prepare(m meeting) []string {
	e.t.Helper()
	if len(m.b) == 0 {
		return m.bRun
	}
	return e.draft(e.b, m.b)
}

// meet lets both work and come together, and looks at what came of it.
func (e *encounter) meet(m meeting, w way) {
	want, ok := m.in[w]
	if !ok {
		want = m.want
	}
	switch w {
	case native:
		e.bothCommit(m)
		e.mergeNatively(want)
	case synced:
		e.bothCommit(m)
		e.sync(want)
	case threaded:
		args := e.prepare(m)
		e.landNatively(m)
		e.plan(e.b, "sync")
		e.bTip = e.aTip
		e.finish(want, args)
	case pushed:
		args := e.prepare(m)
		e.land(m)
		e.bTip = e.aTip // what is fetched stays, whatever comes of the change
		e.finish(want, append(args, "--push"))
	}
	if e.t.Failed() {
		return
	}
	e.meetAgain()
}

// bothCommit lands A's work, and leaves B's committed where it is.
func (e *encounter) bothCommit(m meeting) {
	e.t.Helper()
	e.landNatively(m)
	e.bTree = e.tree(e.b, "b-tree")
	e.commitNatively(e.bTree, m.b)
	if m.bRun != nil {
		e.plan(e.b, m.bRun...)
	}
	e.bTip = e.b.Git("rev-parse", "plans")
}

func (e *encounter) landNatively(m meeting) {
	e.t.Helper()
	e.aTree = e.tree(e.a, "a-tree")
	e.commitNatively(e.aTree, m.a)
	if m.aRun != nil {
		e.plan(e.a, m.aRun...)
	}
	e.a.Git("push", "-q", "origin", "plans")
	e.aTip = e.a.Git("rev-parse", "plans")
}

// land lands A's work through a thread.
func (e *encounter) land(m meeting) {
	e.t.Helper()
	if len(m.a) == 0 || m.a[0] == del("shop/plan.md") {
		e.landNatively(m)
		return
	}
	e.plan(e.a, append(e.draft(e.a, m.a), "--push")...)
	e.aTip = e.a.Git("rev-parse", "plans")
}
