package gitstore

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// onLinux skips a test of what only Linux tells of other processes.
func onLinux(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("this system does not tell who has a file open")
	}
}

// aged sets the age of a file or folder.
func aged(t *testing.T, path string, ago time.Duration) {
	t.Helper()
	at := time.Now().Add(-ago)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// quietly starts a program that is ended with the test.
func quietly(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
}

// locksBy gives which of the locks are stale, and why not.
func locksBy(t *testing.T, s *Store) map[string]string {
	t.Helper()
	locks, err := s.Locks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, l := range locks {
		stale, why := l.Stale(s.Processes(t.Context()))
		if stale {
			why = "stale"
		}
		found[filepath.Base(l.Path)] = why
	}
	return found
}

// A lock is stale when it is old and nobody can hold it.
func TestStaleLocks(t *testing.T) {
	t.Parallel()
	onLinux(t)
	r, tree, s := checkedOut(t)
	ref := filepath.Join(r.Dir, ".git", testRef+".lock")
	packed := filepath.Join(r.Dir, ".git/packed-refs.lock")
	index := tree.Git("rev-parse", "--path-format=absolute", "--git-path", "index.lock")
	for _, path := range []string{ref, packed, index} {
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	aged(t, ref, 11*time.Minute)
	aged(t, index, 11*time.Minute)
	want := map[string]string{"plans.lock": "stale", "index.lock": "stale", "packed-refs.lock": "it is new"}
	if got := locksBy(t, s); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v", got)
	}
	locks, _ := s.Locks(t.Context())
	for _, l := range locks {
		if err := l.Break(); err != nil {
			t.Error(err)
		}
		gone(t, l.Path)
	}
	put(t, s, file("a.md", "after"))
}

// So is every other lock that a command of ours would meet: of refs that are
// named, of the configuration, and of the HEAD of a worktree that has the ref.
func TestLocksOfOthers(t *testing.T) {
	t.Parallel()
	onLinux(t)
	r, tree, s := checkedOut(t)
	head := tree.Git("rev-parse", "--path-format=absolute", "--git-path", "HEAD.lock")
	for _, name := range []string{"config.lock", "shallow.lock", "refs/remotes/origin/plans.lock", "refs/heads/proposals/a/b.lock", "refs/heads/main.lock", "HEAD.lock"} {
		r.Write(".git/"+name, "")
		aged(t, filepath.Join(r.Dir, ".git", name), time.Hour)
	}
	if err := os.WriteFile(head, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	aged(t, head, time.Hour)
	locks, err := s.Locks(t.Context(), "refs/remotes/origin/plans", "refs/heads/proposals/", "refs/remotes/none/")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range locks {
		rel, _ := filepath.Rel(filepath.Join(r.Dir, ".git"), l.Path)
		got = append(got, rel)
	}
	want := []string{"config.lock", "shallow.lock", "refs/remotes/origin/plans.lock", "refs/heads/proposals/a/b.lock", strings.TrimPrefix(head, filepath.Join(r.Dir, ".git")+"/")}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	inside := hurry(open(t, tree))
	if _, err := inside.Update(t.Context(), "test", adding("change", file("a.md", "inside"))); err == nil {
		t.Error("a change made in the worktree does not meet the lock of its HEAD")
	}
	for _, l := range locks {
		if err := l.Break(); err != nil {
			t.Error(err)
		}
	}
	put(t, inside, file("a.md", "inside"))
}

// A lock of git's upkeep is stale later: another machine may be at work with it.
func TestUpkeepLocks(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	here, err := os.Hostname()
	if err != nil {
		t.Skip(err)
	}
	names := []string{"objects/maintenance.lock", "objects/pack/multi-pack-index.lock", "objects/info/commit-graph.lock", "objects/info/commit-graphs/commit-graph-chain.lock", "gc.pid.lock", "gc.log.lock", "packed-refs.new"}
	for _, name := range names {
		r.Write(".git/"+name, "")
	}
	idle := &Processes{}
	for _, row := range []struct {
		text string
		age  time.Duration
		want []string
	}{
		{"12 " + here, time.Minute, nil},
		{"12 " + here, 11 * time.Minute, []string{"gc.pid"}},
		{"12 elsewhere", 11 * time.Hour, names},
		{"12 elsewhere", 25 * time.Hour, append(slices.Clone(names), "gc.pid")},
		{"", 11 * time.Hour, names},
	} {
		r.Write(".git/gc.pid", row.text)
		for _, name := range append(slices.Clone(names), "gc.pid") {
			aged(t, filepath.Join(r.Dir, ".git", name), row.age)
		}
		locks, err := s.UpkeepLocks()
		if err != nil || len(locks) != len(names)+1 {
			t.Fatalf("%+v, %v", locks, err)
		}
		var got []string
		for _, l := range locks {
			if stale, _ := l.Stale(idle); stale {
				rel, _ := filepath.Rel(filepath.Join(r.Dir, ".git"), l.Path)
				got = append(got, rel)
			}
			if stale, why := l.Stale(&Processes{gits: []string{"git gc"}}); stale && row.age > time.Hour {
				t.Errorf("%s is stale while git is at work (%s)", l.Path, why)
			}
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%q after %s: %q, want %q", row.text, row.age, got, row.want)
		}
	}
}

// One that a living process has open, or that a git may hold which waits for
// something, is not, however old it is.
func TestHeldLocks(t *testing.T) {
	t.Parallel()
	onLinux(t)
	r, tree, s := checkedOut(t)
	ref := filepath.Join(r.Dir, ".git", testRef+".lock")
	file, err := os.Create(ref)
	if err != nil {
		t.Fatal(err)
	}
	holder := exec.Command("sleep", "60")
	holder.ExtraFiles = []*os.File{file}
	quietly(t, holder)
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	aged(t, ref, 48*time.Hour)
	if got := locksBy(t, s)["plans.lock"]; got != fmt.Sprintf("it is open in process %d (sleep 60)", holder.Process.Pid) {
		t.Errorf("open: %s", got)
	}

	tree.Write("a.md", "edited")
	commit := exec.Command("git", "commit", "-a")
	commit.Dir, commit.Env = tree.Dir, append(slices.Clone(tree.Env), "GIT_EDITOR=sleep 10 #")
	quietly(t, commit)
	index := tree.Git("rev-parse", "--path-format=absolute", "--git-path", "index.lock")
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(index); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Skip("this git does not hold the index during the editor")
		}
	}
	time.Sleep(50 * time.Millisecond) // it closes the file before it starts the editor
	aged(t, index, 48*time.Hour)
	if got := locksBy(t, s)["index.lock"]; !strings.Contains(got, "git commit -a") {
		t.Errorf("during the editor: %q", got)
	}
}

// The lock of a reftable is like the others.
func TestStaleLockOfReftable(t *testing.T) {
	t.Parallel()
	onLinux(t)
	r := reftable(t)
	s := hurry(open(t, r))
	put(t, s, file("a.md", "1"))
	r.Write(".git/reftable/tables.list.lock", "")
	aged(t, filepath.Join(r.Dir, ".git/reftable/tables.list.lock"), time.Hour)
	if got := locksBy(t, s)["tables.list.lock"]; got != "stale" {
		t.Errorf("%q", got)
	}
	locks, _ := s.Locks(t.Context())
	if err := locks[0].Break(); err != nil {
		t.Error(err)
	}
	put(t, s, file("a.md", "2"))
}

// Where nothing is known of processes, age alone counts, and a day of it.
func TestStaleInTheDark(t *testing.T) {
	t.Parallel()
	dark := &Processes{blind: "it is dark"}
	for age, want := range map[time.Duration]string{time.Minute: "it is new", time.Hour: "it is dark", 25 * time.Hour: ""} {
		if stale, why := (Lock{Path: "x.lock", Age: age}).Stale(dark); stale != (want == "") || why != want {
			t.Errorf("%s: %v, %q", age, stale, why)
		}
	}
}

// A git of another user may hold what it may have made, unless what it was asked
// for takes no locks.
func TestStrangers(t *testing.T) {
	t.Parallel()
	onLinux(t)
	path := filepath.Join(t.TempDir(), "x.lock")
	write(t, path, "")
	us := os.Getuid()
	for _, tt := range []struct {
		name  string
		one   process
		owned bool
		holds bool
	}{
		{"it could be anybody's", process{program: "git", users: []int{us + 1}}, false, true},
		{"its user is not known", process{program: "git"}, true, true},
		{"it is another user's", process{program: "git", users: []int{us + 1, us + 1}}, true, false},
		{"it acts as another", process{program: "git", users: []int{us + 1, us}}, true, true},
		{"it reads", process{program: "git", users: []int{us}, args: []string{"git", "-C", "x", "log", "-p"}}, true, false},
		{"it waits for git plan", process{program: "git", users: []int{us}, args: []string{"git", "plan", "mcp"}}, true, false},
		{"it only names a reader", process{program: "git", users: []int{us}, args: []string{"git", "-c", "log", "commit", "-m", "log"}}, true, true},
		{"it is git plan", process{program: "git-plan-full", users: []int{us}}, true, false},
	} {
		p := &Processes{ours: map[int]string{}, owned: tt.owned}
		tt.one.id, tt.one.hidden = 7, true
		p.add(tt.one, nil)
		if stale, why := (Lock{Path: path, Age: time.Hour}).Stale(p); stale == tt.holds || tt.holds != strings.Contains(why, "process 7 (git") {
			t.Errorf("%s: %v, %q", tt.name, stale, why)
		}
	}
}

// A server of tools that lives as long as its agent, and the git that waits for
// it, hold no locks; what it has left behind is not taken from it.
func TestLongLivedHoldNothing(t *testing.T) {
	t.Parallel()
	root := []string{"/r"}
	p := &Processes{open: map[string]string{}, ours: map[int]string{}}
	p.add(process{id: 5, program: "git", args: []string{"/usr/bin/git", "plan", "mcp"}, dir: "/r"}, root)
	p.add(process{id: 6, program: "git-plan-full", args: []string{"/usr/bin/git-plan-full", "mcp"}, dir: "/r"}, root)
	p.add(process{id: 7, program: "git", args: []string{"git", "--no-pager", "log"}, dir: "/r"}, root)
	if stale, why := (Lock{Path: "/r/x.lock", Age: time.Hour}).Stale(p); !stale {
		t.Error(why)
	}
	if stale, _ := (Leftover{Path: "/r/pack-1.keep", owner: 6}).Stale(p); stale {
		t.Error("what a living process keeps was taken for left behind")
	}
	p.add(process{id: 8, program: "git", args: []string{"git", "commit", "-m", "daemon"}, dir: "/r"}, root)
	if stale, why := (Lock{Path: "/r/x.lock", Age: time.Hour}).Stale(p); stale || !strings.Contains(why, "process 8") {
		t.Errorf("%v, %q", stale, why)
	}
}

// A lock that was taken anew is not the one that was looked at.
func TestBreakExpectsTheLock(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a", "1"))
	r.Write(".git/"+testRef+".lock", "")
	path := filepath.Join(r.Dir, ".git", testRef+".lock")
	aged(t, path, time.Hour)
	locks, err := s.Locks(t.Context())
	if err != nil || len(locks) != 1 {
		t.Fatalf("%v, %v", locks, err)
	}
	replace(t, path, nil)
	if err := locks[0].Break(); err == nil {
		t.Error("a fresh lock was broken")
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// The lock of git plan itself is reported while it is held, and only then.
func TestOwnLock(t *testing.T) {
	t.Parallel()
	s := open(t, gittest.New(t))
	if got := s.OwnLock(); got != "" {
		t.Errorf("before the first write: %s", got)
	}
	unlock, err := s.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := s.OwnLock(); got != filepath.Join(s.repo.dir(), "lock") {
		t.Errorf("held: %q", got)
	}
	unlock()
	if got := s.OwnLock(); got != "" {
		t.Errorf("free: %s", got)
	}
}

// dead is the id of a process that is gone.
func dead(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("git", "version")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

// Old temporary files of every kind are found, and nothing else.
func TestLeftovers(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a.md", "a"))
	r.Git("worktree", "add", "-q", "--detach", filepath.Join(filepath.Dir(r.Dir), "tree"))
	pid := fmt.Sprint(keepMessage, dead(t), "\n")
	old := map[string]string{
		"objects/17/tmp_obj_abc": "x", "objects/tmp_obj_abc": "x", "objects/pack/tmp_pack_abc": "xx", "objects/pack/tmp_idx_abc": "x",
		"objects/pack/.tmp-12-pack-ab.pack": "x", "objects/tmp_objdir-incoming-abc/pack/x": "xxx", "objects/incoming-abc/17/y": "x",
		"objects/pack/pack-1.keep": pid, "git-plan/journal.new": "x", "git-plan/cache/a.tmp12": "x",
		"worktrees/tree/git-plan/state.json.tmp12": "x", "git-plan/agent-123": "x", "info/exclude.tmp12": "x", "git-plan/told-123": "x", "worktrees/tree/git-plan/told-7": "x",
		"worktrees/tree/git-plan-index": "x", "worktrees/tree/git-plan-index.lock": "x", "worktrees/tree/git-plan-token": "x", "git-plan-token": "x",
	}
	others := map[string]string{
		"objects/pack/pack-2.keep": "mine", "objects/pack/pack-3.keep": "", "objects/pack/pack-4.keep": keepMessage + "x",
		"objects/info/tmp_obj_x": "x", "git-plan/agent": "x", "git-plan/state.json": "x", "git-plan/a.tmp": "x",
		"git-plan/told": "x", "git-plan/tree-x": "x", "worktrees/tree/index": "x",
		"objects/17/tmp_obj_new": "new", "objects/tmp_objdir-new/z": "new",
	}
	for path, text := range others {
		r.Write(".git/"+path, text)
	}
	for path, text := range old {
		r.Write(".git/"+path, text)
	}
	for path, text := range others {
		if text != "new" {
			aged(t, filepath.Join(r.Dir, ".git", path), 48*time.Hour)
		}
	}
	want := []string{}
	for path := range old {
		full := filepath.Join(r.Dir, ".git", path)
		aged(t, full, 48*time.Hour)
		for dir := filepath.Dir(full); strings.Contains(dir, "incoming-"); dir = filepath.Dir(dir) {
			aged(t, dir, 48*time.Hour)
			full = dir
		}
		want = append(want, full)
	}
	aged(t, filepath.Join(r.Dir, ".git/objects/tmp_objdir-new"), 48*time.Hour)
	found, err := s.Leftovers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range found {
		got = append(got, l.Path)
		if stale, why := l.Stale(s.Processes(t.Context())); !stale {
			t.Errorf("%s: %s", l.Path, why)
		}
		if err := l.Remove(); err != nil || l.Size == 0 {
			t.Errorf("%+v, %v", l, err)
		}
		gone(t, l.Path)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for path := range others {
		if _, err := os.Stat(filepath.Join(r.Dir, ".git", path)); err != nil {
			t.Error(err)
		}
	}
}

// While a worktree is moved along, or waits for it, what that needs stays.
func TestLeftoversOfMove(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	for _, name := range []string{".git/git-plan/journal", ".git/git-plan-index", ".git/git-plan-token"} {
		r.Write(name, "x")
		aged(t, filepath.Join(r.Dir, name), 48*time.Hour)
	}
	if found, err := s.Leftovers(t.Context()); len(found) != 0 || err != nil {
		t.Errorf("%+v, %v", found, err)
	}
}

// The folder in which the tree of the files is made goes with all it holds.
func TestLeftoverFolder(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	r.Write(".git/git-plan/tree-12/objects/17/x", "xx")
	for _, name := range []string{"/objects/17/x", "/objects/17", "/objects", ""} {
		aged(t, filepath.Join(r.Dir, ".git/git-plan/tree-12"+name), 48*time.Hour)
	}
	found, err := s.Leftovers(t.Context())
	if err != nil || len(found) != 1 || found[0].Remove() != nil {
		t.Fatalf("%+v, %v", found, err)
	}
	gone(t, filepath.Join(r.Dir, ".git/git-plan/tree-12"))
}

// What a living process works with is left alone.
func TestLeftoversInUse(t *testing.T) {
	t.Parallel()
	onLinux(t)
	r := gittest.New(t)
	s := open(t, r)
	r.Write(".git/objects/tmp_objdir-incoming-abc/pack", "x")
	path := filepath.Join(r.Dir, ".git/objects/tmp_objdir-incoming-abc/pack")
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	holder := exec.Command("sleep", "60")
	holder.ExtraFiles = []*os.File{file}
	quietly(t, holder)
	_ = file.Close()
	aged(t, path, 48*time.Hour)
	aged(t, filepath.Dir(path), 48*time.Hour)
	found, err := s.Leftovers(t.Context())
	if err != nil || len(found) != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	if stale, why := found[0].Stale(s.Processes(t.Context())); stale || !strings.Contains(why, "(sleep 60)") {
		t.Errorf("%v, %s", stale, why)
	}
	kept := Leftover{Path: "x.keep", Age: 48 * time.Hour, owner: 12}
	if stale, why := kept.Stale(&Processes{ours: map[int]string{12: "process 12 (git-plan import)"}}); stale || !strings.Contains(why, "process 12") {
		t.Errorf("%v, %s", stale, why)
	}
}

// A server of git plan runs for days, whichever of its programs it is, and the git
// that started it waits as long: neither holds a lock.
func TestOwnServersHoldNoLocks(t *testing.T) {
	t.Parallel()
	for line, holds := range map[string]bool{
		"git-plan mcp": false, "git-plan-full web": false, "git plan mcp": false,
		"git -C plan -c a.b=c --no-pager plan web": false, "git cat-file --batch": false, "git-daemon --export-all": false,
		"git commit": true, "git -C plan commit": true, "git checkout plan": true, "git-remote-https plan": true, "git": true, "git commit -m daemon": true,
	} {
		args := strings.Fields(line)
		p := &Processes{open: map[string]string{}, ours: map[int]string{}}
		p.add(process{id: 12, program: args[0], args: args, dir: "/r"}, []string{"/r"})
		if got := len(p.gits) > 0; got != holds {
			t.Errorf("%s may hold a lock: %v", line, got)
		}
		if own := strings.HasPrefix(line, "git-plan"); own != (p.ours[12] != "") {
			t.Errorf("%s is taken for our own: %v", line, !own)
		}
	}
}
