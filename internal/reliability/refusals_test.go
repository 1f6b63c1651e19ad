package reliability

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// What git refuses is refused in git's words, and nothing has changed.

func TestFolderOfAnotherOwner(t *testing.T) {
	t.Parallel()
	r := planned(t, "auth", 1)
	foreign := at(t, r.With("GIT_TEST_ASSUME_DIFFERENT_OWNER=1"))
	for _, args := range [][]string{{"list"}, {"show", "auth"}, {"init"}, {"commit"}, {"task", "start", "auth/t1"}} {
		_, words := foreign.TryGit("rev-parse", "--git-dir")
		said := foreign.refused(128, "not_a_repository", args...)
		if words == nil || !strings.Contains(said, "detected dubious ownership") && !strings.Contains(said, "unsafe repository") {
			t.Errorf("%q: %s; git: %v", args, said, words)
		}
	}
	foreign.Git("config", "--global", "--add", "safe.directory", r.Dir)
	foreign.must("task", "start", "auth/t1")
}

// A git directory that cannot be written serves every read, without a word
// about it, and answers read_only to every write.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	p := at(t, gittest.New(t))
	p.must("init")
	p.draft("auth", 2, "other")
	p.must("use", "auth")
	p.must("next", "--claim")
	p.Git("worktree", "add", "-q", "../plans", "plans")
	seal := sealed(t, p, ".git")
	before := gitFiles(t, p)
	for _, args := range [][]string{
		{"list"}, {"show", "auth"}, {"next", "auth"}, {"next", "--claim"}, {"log", "auth"}, {"check", "auth"}, {"check"}, {"context"}, {"doctor"},
	} {
		if a := seal(args...); a.exit != 0 || a.said != "" {
			t.Errorf("%q: status %d: %s%s", args, a.exit, a.stdout, a.said)
		}
	}
	p.Write(".plans/thread-1/plan.md", p.Read(".plans/thread-1/plan.md")+"More.\n")
	for _, args := range [][]string{
		{"task", "start", "auth/t2"}, {"next", "--claim", "--another"}, {"commit"}, {"request-thread-dir"}, {"use", "other"},
	} {
		if a := seal(args...); a.exit != 128 || a.get("error_type") != "read_only" || !strings.Contains(a.get("message"), "allow writing") {
			t.Errorf("%q: status %d: %s%s", args, a.exit, a.stdout, a.said)
		}
	}
	if after := gitFiles(t, p); after != before {
		t.Errorf("the git directory changed:\n%s\nbefore:\n%s", after, before)
	}
	p.must("commit")
	p.fsck()
}

// Where only the drafts are read-only the message says so, and does not send anybody
// to the git directory. What is stored goes on.
func TestReadOnlyDrafts(t *testing.T) {
	t.Parallel()
	p := at(t, gittest.New(t))
	p.must("init")
	p.draft("auth", 2)
	seal := sealed(t, p, ".plans")
	if a := seal("task", "done", "auth/t1"); a.exit != 0 || !strings.Contains(a.said, "drafts were not brought up to date") || strings.Contains(a.said, "git directory") {
		t.Errorf("status %d: %s%s", a.exit, a.stdout, a.said)
	}
	for _, tt := range []struct {
		args   []string
		folder string // to be writable
	}{
		{[]string{"checkout", "auth"}, "thread-1/tasks"},
		{[]string{"clear-current"}, "thread-1"},
		{[]string{"request-thread-dir"}, ""},
	} {
		a, want := seal(tt.args...), "allow writing to "+filepath.Join(p.Dir, ".plans", tt.folder)+" and what is in it"
		if a.exit != 128 || a.get("error_type") != "read_only" || !strings.Contains(a.get("message"), want) {
			t.Errorf("%q: status %d: %s%s", tt.args, a.exit, a.stdout, a.said)
		}
	}
	p.must("checkout", "auth")
	p.must("commit")
}

// sealed gives a way to run git plan while nothing in a folder of the repository can
// be written; for the superuser that takes a mount.
func sealed(t *testing.T, p *place, folder string) func(args ...string) answer {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a folder cannot be made read-only here")
	}
	script := `chmod -R a-w $0; "$@"; status=$?; chmod -R u+w $0; exit $status`
	if os.Getuid() == 0 {
		if err := exec.Command("unshare", "-m", "true").Run(); err != nil {
			t.Skipf("to the superuser nothing is read-only without a mount: %v", err)
		}
		script = `exec unshare -m sh -c 'mount --bind $0 $0 && mount -o remount,ro,bind $0 && exec "$@"' "$0" "$@"`
	}
	return func(args ...string) answer {
		cmd := exec.Command("sh", append([]string{"-c", script, folder, "git", "plan", "--json"}, args...)...)
		cmd.Dir, cmd.Env = p.Dir, p.Env
		var said strings.Builder
		cmd.Stderr = &said
		out, err := cmd.Output()
		a := answered(string(out), err)
		a.said += said.String()
		return a
	}
}

// gitFiles lists the files of the git directory with what they hold.
func gitFiles(t *testing.T, p *place) string {
	t.Helper()
	var lines []string
	err := filepath.WalkDir(filepath.Join(p.Dir, ".git"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			lines = append(lines, digest(path, path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// In a repository that a group shares, what we make is as open to the group as
// what git makes.
func TestSharedPermissions(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there are no permissions of groups here")
	}
	p := at(t, planned(t, "auth", 2, gittest.Init("--shared=group")))
	p.Git("worktree", "add", "-q", "../plans", "plans")
	p.must("task", "start", "auth/t1")
	p.must("list")
	dir := filepath.Join(p.Dir, ".git")
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		isOurs := name == "git-plan" || name == "git-plan/lock" || name == "git-plan/door" || strings.HasPrefix(name, "objects") ||
			strings.HasPrefix(name, "refs/heads") || strings.HasPrefix(name, "logs/refs/heads") ||
			strings.HasPrefix(name, "worktrees/plans/index")
		isObject := strings.HasPrefix(name, "objects") && !e.IsDir()
		want := fs.FileMode(0o060)
		if isObject {
			want = 0o040
		}
		if isOurs && info.Mode()&want != want {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Objects that a partial clone cannot fetch any more are missing, not absent: a
// plan is never taken for deleted.
func TestPromisorGone(t *testing.T) {
	t.Parallel()
	seed := planned(t, "auth", 2)
	seed.Git("config", "uploadpack.allowFilter", "true")
	p := at(t, seed.Clone(t, "--no-local", "--filter=blob:none", "--no-checkout"))
	if err := os.Rename(seed.Dir, seed.Dir+"-gone"); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"list"}, {"show", "auth"}, {"next", "auth"}, {"task", "start", "auth/t1"}, {"check", "auth"}} {
		a := p.try(args...)
		if a.exit == 0 || a.exit == 1 || a.get("error_type") == "not_found" || !strings.Contains(a.get("message"), "missing") {
			t.Errorf("%q: status %d: %s%s", args, a.exit, a.stdout, a.said)
		}
	}
	if err := os.Rename(seed.Dir+"-gone", seed.Dir); err != nil {
		t.Fatal(err)
	}
	p.must("task", "start", "auth/t1")
	p.fsck()
}

// So it is with objects borrowed from a repository that is gone.
func TestAlternateGone(t *testing.T) {
	t.Parallel()
	seed := planned(t, "auth", 2)
	p := at(t, seed.Clone(t, "--shared"))
	p.must("list")
	if err := os.Rename(seed.Dir, seed.Dir+"-gone"); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"list"}, {"show", "auth"}, {"task", "start", "auth/t1"}, {"init"}} {
		if a := p.try(args...); a.exit != 128 || a.get("message") == "" || a.get("error_type") == "not_found" {
			t.Errorf("%q: status %d: %s%s", args, a.exit, a.stdout, a.said)
		}
	}
}

// A hook that forbids the ref to move is obeyed, and the plans that are checked
// out stay as they are.
func TestHookRefuses(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"prepared", "preparing"} {
		p := at(t, planned(t, "auth", 2))
		p.Git("worktree", "add", "-q", "../plans", "plans")
		tip := p.tip()
		p.Git("config", "core.hooksPath", filepath.Join(p.Dir, "hooks"))
		p.hook("reference-transaction", "#!/bin/sh\ntest \"$1\" != "+state+"\n")
		a := p.try("task", "start", "auth/t1")
		switch {
		case a.exit == 0 && state == "preparing": // git before 2.54 has no such state
			continue
		case a.exit != 128 || p.tip() != tip || !strings.Contains(a.get("message"), "hook"):
			t.Errorf("%s: status %d: %s%s", state, a.exit, a.stdout, a.said)
		}
		p.must("show", "auth")
		plans := p.At(filepath.Join(filepath.Dir(p.Dir), "plans"))
		if status := plans.Git("status", "--porcelain"); status != "" {
			t.Errorf("%s: the plans checked out: %s", state, status)
		}
		p.Git("config", "--unset", "core.hooksPath")
		p.must("task", "start", "auth/t1")
		p.fsck()
	}
}

// While a push is received its objects are in quarantine: a hook may read, and
// no ref may move.
func TestQuarantine(t *testing.T) {
	t.Parallel()
	r := planned(t, "auth", 2)
	server := at(t, r.Clone(t, "--bare"))
	tip := server.tip()
	server.hook("pre-receive", `#!/bin/sh
while read old new ref; do git plan show $new:auth --json >incoming.json; done
git plan show auth --json >present.json
git plan task start auth/t2 --json >write.json
echo $? >write.status
`)
	at(t, r).must("task", "done", "auth/t1")
	r.Git("push", "-q", server.Dir, "plans")
	read := func(name string) answer { return answer{stdout: server.Read(name)} }
	if got := read("incoming.json").get("tasks.0.status"); got != "done" {
		t.Errorf("what comes in: %s", server.Read("incoming.json"))
	}
	if got := read("present.json").get("tasks.0.status"); got != "pending" {
		t.Errorf("what is there: %s", server.Read("present.json"))
	}
	if status := strings.TrimSpace(server.Read("write.status")); status != "128" || read("write.json").get("message") == "" {
		t.Errorf("a write in quarantine: status %s: %s", status, server.Read("write.json"))
	}
	if server.tip() == tip || server.tip() != r.Git("rev-parse", "plans") {
		t.Errorf("the push did not arrive: %s", server.tip())
	}
	server.fsck()
}
