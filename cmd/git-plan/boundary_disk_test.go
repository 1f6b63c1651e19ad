package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// disk is what somebody puts in the way of the program on disk.
type disk struct {
	name string
	set  func(*ground)
}

// disks are the ways tried with files that are not what they seem. Git makes
// such links where a project's commits hold them.
func disks() []disk {
	instead := func(to, name string) func(*ground) {
		return func(g *ground) {
			if err := os.RemoveAll(filepath.Join(g.Dir, name)); err != nil {
				g.t.Fatal(err)
			}
			g.link(to, name)
		}
	}
	drafted := func(then func(*ground)) func(*ground) {
		return func(g *ground) { g.draft(plain()); then(g) }
	}
	return []disk{
		{"the folder of drafts is a link", instead("OUTSIDE", ".plans")},
		{"the folder of drafts is a link to nothing", instead("OUTSIDE/made", ".plans")},
		{"the folder of drafts is a link into git", instead(".git/hooks", ".plans")},
		{"a thread's folder is a link", instead("OUTSIDE", ".plans/thread-1")},
		{"a thread's folder is a relative link", instead("../../outside", ".plans/thread-1")},
		{"a thread's folder is a link to nothing", instead("OUTSIDE/made", ".plans/thread-1")},
		{"a thread's folder is a link into git", instead("../.git", ".plans/thread-1")},
		{"plan.md is a link", instead("OUTSIDE/plan.md", ".plans/thread-1/plan.md")},
		{"a task is a link", drafted(instead("OUTSIDE/tasks/01-secret.md", ".plans/thread-1/tasks/02-secret.md"))},
		{"a task is a link to a device", drafted(instead("/dev/zero", ".plans/thread-1/tasks/02-zero.md"))},
		{"the tasks are a link", drafted(instead("OUTSIDE/tasks", ".plans/thread-1/tasks"))},
		{"the signals are a link", drafted(instead("OUTSIDE/tasks", ".plans/thread-1/signals"))},
		{"a task is a pipe", drafted(func(g *ground) { pipe(g, ".plans/thread-1/tasks/02-pipe.md") })},
		{"plan.md is a pipe", func(g *ground) { pipe(g, ".plans/thread-1/plan.md") }},
		{"a task is a folder", drafted(func(g *ground) { g.Write(".plans/thread-1/tasks/02-two.md/01-three.md", "---\nid: x\n---\n\nX.\n") })},
		{"a draft holds a repository", drafted(func(g *ground) {
			g.Write(".plans/thread-1/.git/config", g.told("[core]\n\tfsmonitor = CANARY\n\tpager = CANARY\n"))
		})},
		{"the instructions are a link", func(g *ground) { g.link("OUTSIDE/secret", "docs/agents.md") }},
		{"the folder of the instructions is a link", func(g *ground) { g.link("OUTSIDE", "docs") }},
		{"tracked files are links", func(g *ground) {
			g.link("OUTSIDE/secret", "way.go")
			g.link("OUTSIDE", "src")
			g.Commit("links")
		}},
		{"the project names filters", func(g *ground) {
			g.Write("a.go", "// TODO: be careful with this one\n")
			g.Commit("a file")
			g.Write(".gitattributes", "* diff=canary merge=canary\n.plans/** filter=canary\n")
		}},
		{"git's programs stand in the project", func(g *ground) {
			for _, name := range []string{"git", "git-plan", "sh", "less"} {
				g.Write(name, "#!/bin/sh\n"+g.canary()+"\n")
				if err := os.Chmod(filepath.Join(g.Dir, name), 0o755); err != nil {
					g.t.Fatal(err)
				}
			}
		}},
	}
}

func pipe(g *ground, name string) {
	g.t.Helper()
	if out, err := exec.Command("mkfifo", filepath.Join(g.Dir, name)).CombinedOutput(); err != nil {
		g.t.Fatalf("mkfifo: %v: %s", err, out)
	}
}

// No link, pipe or other odd file in the place of drafts leads a command out of
// the project, or has it wait.
func TestBoundaryDisk(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the tripwires are programs for sh, and links")
	}
	for _, d := range disks() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			g := newGround(t)
			stored := map[string]string{}
			for name, text := range plain() {
				stored["q/"+name] = text
			}
			g.plant(stored)
			d.set(g)
			g.arm()
			g.sweep("q", drafting(), writers(), []string{
				"list", "show q", "check plans", "grep .",
				"dir", "request-thread-dir", "context --json", "checkout --force q", "commit", "remove-thread --thread-id thread-2", "clear-current", "start --goal x", "status",
			})
			if out, err := os.ReadDir(filepath.Join(g.top, "outside")); err != nil || len(out) != 3 {
				t.Errorf("outside there is now %v (%v)", out, err)
			}
		})
	}
}

// A hard link shares its bytes with a file elsewhere. It cannot be told from a
// file, and only who can read that file can make one; but nothing is ever
// written into it.
func TestBoundaryHardLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the tripwires are programs for sh, and links")
	}
	g := newGround(t)
	g.At(g.top).Write("outside/shared", "---\nid:    one\n---\n\nShared.\n")
	g.draft(plain())
	name := filepath.Join(g.Dir, ".plans/thread-1/tasks/01-one.md")
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(g.top, "outside", "shared"), name); err != nil {
		t.Skip(err)
	}
	g.arm()
	g.sweep("p", []string{"fmt", "commit --id p", "task start p/one", "checkout --force p", "clear-current"})
}

// embed puts a bare repository into the project as ordinary files, which git
// clones like any others. Its configuration names the canary wherever one may
// name a program, and its store wants a judge.
func (g *ground) embed(dir, more string) {
	g.t.Helper()
	full := filepath.Join(g.Dir, filepath.FromSlash(dir))
	g.Git("clone", "-q", "--bare", "--branch", "plans", filepath.Join(g.top, "srv.git"), full)
	text := "[core]\n\trepositoryformatversion = 0\n\tpager = CANARY\n\teditor = CANARY\n\tsshCommand = CANARY\n\tfsmonitor = CANARY\n\thooksPath = ../canary\n" + more +
		"[plan]\n\tremote = origin\n\tblockOnSignal = true\n[plan \"llm\"]\n\tcommand = CANARY\n[gpg]\n\tprogram = CANARY\n[remote \"origin\"]\n\turl = ssh://example.com/x\n\tfetch = +refs/*:refs/remotes/origin/*\n[commit]\n\tgpgSign = true\n"
	g.Write(dir+"/config", g.told(text))
	g.Write(dir+"/objects/keep/x", "")
	g.Write(dir+"/refs/keep/x", "")
	g.Git("add", "-f", dir)
	g.Commit("a folder " + dir)
}

// A repository that came with the files of a project is not taken for one of
// the user's, wherever in it a command is run, and whatever it is called.
func TestBoundaryEmbedded(t *testing.T) {
	for name, more := range map[string]string{"bare": "\tbare = true\n", "with a working tree": "\tbare = false\n\tworktree = ../..\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := withPlan(t)
			g.must("sync", "--manual")
			g.embed("fixtures/data", more)
			g.embed("fixtures/data/modules/inner", more) // one in the other
			g.arm()
			for _, dir := range []string{"fixtures/data", "fixtures/data/objects", "fixtures/data/modules/inner"} {
				inside := *g
				inside.Repo = g.At(filepath.Join(g.Dir, filepath.FromSlash(dir)))
				for _, line := range []string{"list", "status", "judge p", "suggest", "sync", "propose p", "task start p/one", "replan p --force --reason x", "start --goal x", "verify", "doctor", "doctor --fix", "init", "hooks status", "commit", "prime", "web --help", "log -p"} {
					inside.try("", strings.Fields(line)...)
				}
				if status, said := inside.run("", "list"); status != 128 || !strings.Contains(said, "came with the files of") {
					t.Errorf("in %s list ended with %d:\n%s", dir, status, said)
				}
				inside.try(`{"hook_event_name":"Stop","cwd":"`+inside.Dir+`"}`, "agent-hook")
			}
			g.try(`{"hook_event_name":"Stop","cwd":"`+filepath.Join(g.Dir, "fixtures/data")+`"}`, "agent-hook")
			g.try("", "list")
			g.whole()
		})
	}
}

// One of the user's own, beside or in a working tree, is none of these.
func TestBoundaryEmbeddedNot(t *testing.T) {
	g := withPlan(t)
	g.must("sync", "--manual")
	g.Git("clone", "-q", "--bare", filepath.Join(g.top, "srv.git"), filepath.Join(g.Dir, "mine.git"))
	for _, dir := range []string{filepath.Join(g.top, "srv.git"), filepath.Join(g.Dir, "mine.git"), filepath.Join(g.Dir, "mine.git", "refs"), filepath.Join(g.Dir, ".git")} {
		inside := *g
		inside.Repo = g.At(dir)
		inside.must("list")
	}
	g.embed("theirs", "\tbare = true\n")
	named := *g
	named.Repo = g.At(filepath.Join(g.Dir, "theirs")).With("GIT_DIR=" + filepath.Join(g.Dir, "theirs"))
	named.must("list")
}

// What a file is called while it is written can be told beforehand. A project
// that brings links by all such names, hard ones or soft, has nothing written
// through them.
func TestBoundaryTemporary(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the tripwires are programs for sh, and links")
	}
	for name, link := range map[string]func(string, string) error{"soft": os.Symlink, "hard": os.Link} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := withPlan(t)
			g.At(g.top).Write("outside/shared", "Shared.\n")
			g.must("checkout", "p")
			temporary := fmt.Sprintf(".tmp%d", os.Getpid()) // the commands run in this process
			for _, dir := range []string{".plans/thread-1", "docs/plan"} {
				for file, text := range map[string]string{"plan.md": "---\ntitle:    Odd\n---\n\nText.\n", "tasks/01-one.md": "---\nid:    one\n---\n\nDo it.\n"} {
					g.Write(dir+"/"+file, text)
					if err := link(filepath.Join(g.top, "outside", "shared"), filepath.Join(g.Dir, dir, file)+temporary); err != nil {
						t.Skip(err)
					}
				}
			}
			g.arm()
			for _, line := range []string{"fmt docs/plan/plan.md", "fmt docs/plan", "fmt", "task start p/one", "commit", "checkout --force p", "clear-current", "commit"} {
				g.try("", strings.Fields(line)...)
			}
			for _, file := range []string{"docs/plan/plan.md", "docs/plan/tasks/01-one.md"} {
				if text := g.Read(file); strings.Contains(text, ":    ") {
					t.Errorf("%s was not put into form:\n%s", file, text)
				}
			}
			if data, err := os.ReadFile(filepath.Join(g.top, "outside", "shared")); err != nil || string(data) != "Shared.\n" {
				t.Errorf("outside there is now %q (%v)", data, err)
			}
		})
	}
}

// While somebody puts a link in the place of a thread's folder, and takes it
// away, again and again, no command reads or writes where it leads.
func TestBoundaryRace(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the tripwires are programs for sh, and links")
	}
	g := newGround(t)
	stored := map[string]string{}
	for name, text := range plain() {
		stored["p/"+name] = text
	}
	g.plant(stored)
	g.must("checkout", "p")
	g.arm()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		thread, aside := filepath.Join(g.Dir, ".plans/thread-1"), filepath.Join(g.Dir, ".plans/aside")
		for {
			select {
			case <-stop:
				return
			default:
			}
			if os.Rename(thread, aside) == nil {
				_ = os.Symlink(filepath.Join(g.top, "outside"), thread)
				time.Sleep(time.Millisecond)
				_ = os.RemoveAll(thread)
				_ = os.Rename(aside, thread)
			}
			time.Sleep(time.Millisecond)
		}
	}()
	for end := time.Now().Add(3 * time.Second); time.Now().Before(end); {
		for _, line := range []string{"fmt", "commit", "checkout --force p", "clear-current", "task start p/one", "task reopen p/one"} {
			g.try("", strings.Fields(line)...)
		}
	}
	close(stop)
	<-stopped
	g.whole()
}
