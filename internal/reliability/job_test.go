package reliability

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The main job, begun and reported and replanned, in each shape of repository:
// every answer is right, git finds no fault, the code is not touched.
func TestShapes(t *testing.T) {
	for name, shape := range shapes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(name, "cruft") {
				needs(t, "2.37", "repack", "-q", "--cruft", "-d")
			}
			j := &job{place: shape.make(t), shape: shape, commits: map[string]bool{}}
			j.run()
		})
	}
}

// job is the main job in one place.
type job struct {
	*place
	shape   shape
	plan    string
	commits map[string]bool // acknowledged
	before  string
}

func (j *job) run() {
	j.before = codeState(j.code)
	j.must("list")
	j.must("init")
	j.hold()
	j.create()
	for _, command := range j.shape.between {
		j.Git(append(j.global, strings.Fields(command)...)...)
	}
	j.read("1", "pending")
	j.write("task", "start", j.plan+"/t1")
	j.write("task", "done", j.plan+"/t1")
	j.write("task", "fail", j.plan+"/t2", "-m", "not this way")
	next := filepath.Join(j.t.TempDir(), "next")
	writePlan(j.t, next, j.plan, 4)
	j.write("replan", j.plan, "--reason", "another way", "--from", next)
	j.read("2", "done")
	j.write("task", "done", j.plan+"/t4")
	j.history()
	j.fsck()
}

// create commits a new plan, or takes the one there is where there is no
// working tree to write one in.
func (j *job) create() {
	j.plan = "seed"
	if bare := j.Git(append(slices.Clone(j.global), "rev-parse", "--is-bare-repository")...); bare == "true" {
		return
	}
	j.plan = "job"
	writePlan(j.t, j.must("dir").get("plan_dir"), j.plan, 3)
	j.write("commit")
}

// write runs a command that makes a commit, which must be the new tip.
func (j *job) write(args ...string) {
	j.t.Helper()
	commit := j.must(args...).get("commit")
	if tip := j.tip(); commit == "" || commit != tip || j.commits[commit] {
		j.t.Fatalf("git plan %s: answered commit %q, and the tip is %q", strings.Join(args, " "), commit, tip)
	}
	j.commits[commit] = true
	j.hold()
}

// read asks for the plan in every way.
func (j *job) read(version, t1 string) {
	j.t.Helper()
	listed := j.must("list")
	if !strings.Contains(listed.stdout, `"id":"`+j.plan+`"`) {
		j.t.Errorf("list: %s", listed.stdout)
	}
	shown := j.must("show", j.plan)
	if shown.get("version") != version || shown.get("tasks.0.status") != t1 || shown.get("tasks.0.body") != "Step 1 of "+j.plan+"." {
		j.t.Errorf("show: %s", shown.stdout)
	}
	if old := j.must("show", j.plan+"@v1"); old.get("version") != "1" {
		j.t.Errorf("show @v1: %s", old.stdout)
	}
	want := map[string]string{"1": "t1", "2": "t2"}[version]
	if next := j.must("next", j.plan); next.get("task.id") != want {
		j.t.Errorf("next: %s", next.stdout)
	}
	j.must("log", j.plan)
	j.must("check", j.plan)
	if healthy := j.must("doctor").get("healthy"); healthy != "true" {
		j.t.Errorf("doctor: %s", healthy)
	}
	j.hold()
}

// history holds the log of the plan against the commits that were
// acknowledged.
func (j *job) history() {
	j.t.Helper()
	log := j.must("log", j.plan)
	var events []string
	for i := range len(j.commits) {
		entry := fmt.Sprintf("revisions.%d.", i)
		if commit := log.get(entry + "commit"); !j.commits[commit] {
			j.t.Errorf("log: revision %d is commit %q", i, commit)
		}
		events = append(events, log.get(entry+"event"))
	}
	want := []string{"completed", "replanned", "failed", "completed", "started", "created"}
	if !slices.Equal(events, want[:len(j.commits)]) {
		j.t.Errorf("events %q", events)
	}
}

// hold fails the test if the code was touched; where the plans are checked out
// instead, if they did not follow the branch.
func (j *job) hold() {
	j.t.Helper()
	if !j.shape.follows {
		if now := codeState(j.code); now != j.before {
			j.t.Fatalf("the code was touched:\n%s\nbefore:\n%s", now, j.before)
		}
	}
	for line := range strings.Lines(j.Git(append(slices.Clone(j.global), "worktree", "list", "--porcelain")...) + "\n") {
		dir, ok := strings.CutPrefix(strings.TrimSpace(line), "worktree ")
		if head, err := j.At(dir).TryGit("symbolic-ref", "-q", "HEAD"); !ok || err != nil || head != "refs/heads/plans" {
			continue
		}
		if status := j.At(dir).Git("status", "--porcelain"); status != "" {
			j.t.Fatalf("the plans checked out at %s are behind:\n%s", dir, status)
		}
	}
}

// codeState tells HEAD, index and files of the code, drafts left out.
func codeState(r interface{ Git(...string) string }) string {
	lines := []string{"HEAD " + head(r)}
	if r.Git("rev-parse", "--is-bare-repository") == "true" {
		return lines[0]
	}
	top := r.Git("rev-parse", "--show-toplevel")
	lines = append(lines, digest("index", r.Git("rev-parse", "--path-format=absolute", "--git-path", "index")))
	_ = filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		name, _ := filepath.Rel(top, path)
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(filepath.Base(name), ".git") || name == ".plans" || filepath.Base(name) == ".plans":
			if e.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case e.Type().IsRegular():
			lines = append(lines, digest(name, path))
		}
		return nil
	})
	return strings.Join(lines, "\n")
}

// head gives what HEAD says, branch or commit.
func head(r interface{ Git(...string) string }) string {
	name := r.Git("rev-parse", "--path-format=absolute", "--git-path", "HEAD")
	data, err := os.ReadFile(name)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// digest gives a file's name and what tells its content.
func digest(name, path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return name + " absent"
	}
	return fmt.Sprintf("%s %x", name, sha256.Sum256(data))
}
