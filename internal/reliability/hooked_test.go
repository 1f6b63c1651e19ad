package reliability

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// In each shape of repository every hook is installed, is run by git, refuses
// what is invalid, lets pass what is valid, and leaves no trace once it is taken
// out.
func TestShapesHooked(t *testing.T) {
	for name, shape := range shapes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(name, "cruft") {
				needs(t, "2.37", "repack", "-q", "--cruft", "-d")
			}
			h := &hooked{job: &job{place: shape.make(t), shape: shape, commits: map[string]bool{}}}
			h.run()
		})
	}
}

// hooked is a place with the hooks in it.
type hooked struct {
	*job
	// tree is a worktree that has the plans checked out.
	tree *gittest.Repo
}

func (h *hooked) run() {
	h.before = codeState(h.code)
	h.must("init", "--no-hooks")
	h.must("hooks", "uninstall") // where the shape's own init put them in
	h.create()
	for _, command := range h.shape.between {
		h.Git(append(slices.Clone(h.global), strings.Fields(command)...)...)
	}
	h.Git(append(slices.Clone(h.global), "config", "plan.guardRef", "true")...)
	bare := h.Git(append(slices.Clone(h.global), "rev-parse", "--is-bare-repository")...) == "true"
	if !bare {
		h.tree = h.checkedOut()
	}
	if path, _ := h.TryGit("config", "core.hooksPath"); path == "hooks" { // would be a folder of each worktree
		h.Git("config", "core.hooksPath", filepath.Join(h.Dir, path))
	}
	former := h.traces()
	h.must("hooks", "install", "--chain")
	if a := h.try("hooks", "status"); a.exit != 0 {
		h.t.Fatalf("not every hook would run: %s", a.stdout)
	}
	if bare {
		h.receives(h.place)
	} else {
		h.commitsHere()
		h.merges()
		h.pushes()
	}
	h.guards()
	h.must("hooks", "uninstall")
	if now := h.traces(); now != former {
		h.t.Errorf("uninstalled, there is\n%s\nbefore there was\n%s", now, former)
	}
	h.fsck()
}

// checkedOut gives the worktree that has the plans checked out, which is made
// where there is none.
func (h *hooked) checkedOut() *gittest.Repo {
	if h.shape.follows {
		return h.Repo
	}
	list := h.Git(append(slices.Clone(h.global), "worktree", "list", "--porcelain")...)
	before, _, found := strings.Cut(list, "\nbranch refs/heads/plans")
	dir := filepath.Join(h.t.TempDir(), "checked-out")
	if found {
		lines := strings.Split(before, "\n")
		dir = strings.TrimPrefix(lines[len(lines)-2], "worktree ")
	} else {
		h.Git(append(slices.Clone(h.global), "worktree", "add", "-q", dir, "plans")...)
	}
	if h.variable("GIT_DIR") == "" {
		return h.At(dir)
	}
	// As the place, so its worktree is named by the environment.
	git := h.With("GIT_DIR=", "GIT_WORK_TREE=").At(dir)
	git.Env = slices.DeleteFunc(git.Env, func(kv string) bool {
		return strings.HasPrefix(kv, "GIT_DIR=") || strings.HasPrefix(kv, "GIT_WORK_TREE=")
	})
	return git.With("GIT_DIR="+git.Git("rev-parse", "--absolute-git-dir"), "GIT_WORK_TREE="+dir)
}

// variable gives a variable of the place's environment.
func (p *place) variable(name string) (value string) {
	for _, kv := range p.Env {
		if rest, ok := strings.CutPrefix(kv, name+"="); ok {
			value = rest
		}
	}
	return value
}

// traces tells all that an install may touch: the folders of hooks, and the
// configuration.
func (h *hooked) traces() string {
	h.t.Helper()
	common := h.Git(append(slices.Clone(h.global), "rev-parse", "--path-format=absolute", "--git-common-dir")...)
	lines := []string{digest("config", filepath.Join(common, "config"))}
	dirs := []string{filepath.Join(common, "hooks"), h.Git(append(slices.Clone(h.global), "rev-parse", "--path-format=absolute", "--git-path", "hooks")...)}
	for _, dir := range dirs {
		_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || strings.HasSuffix(path, ".sample") {
				return nil
			}
			info, _ := e.Info()
			lines = append(lines, fmt.Sprint(info.Mode(), " ", digest(path, path)))
			return nil
		})
	}
	return strings.Join(lines, "\n")
}

const (
	validTask   = "---\nid: %s\n---\n\nMore to do.\n"
	invalidTask = "---\nid: %s\ndepends_on: [nothing]\n---\n\nMore to do.\n"
)

// refusedBy fails the test unless git ended badly, and the hook said why.
func (h *hooked) refusedBy(hook, because string, err error) {
	h.t.Helper()
	if err == nil || !strings.Contains(err.Error(), because) {
		h.t.Errorf("%s lets pass what is invalid, or says another thing than %q: %v", hook, because, err)
	}
}

func (h *hooked) file(name string) string { return h.plan + "/tasks/" + name }

// commitsHere tries pre-commit and commit-msg.
func (h *hooked) commitsHere() {
	h.t.Helper()
	w := h.tree
	w.Write(h.file("07-more.md"), fmt.Sprintf(invalidTask, "more"))
	w.Git("add", "-A", "--sparse")
	_, err := w.TryGit("commit", "-q", "-m", "more")
	h.refusedBy("pre-commit", "depends-unknown", err)
	w.Write(h.file("07-more.md"), fmt.Sprintf(validTask, "more"))
	w.Git("add", "-A", "--sparse")
	w.Git("commit", "-q", "-m", "more")
	if h.shape.follows {
		return
	}
	// In the code, where such a trailer stands.
	code := append(slices.Clone(h.global), "commit", "-q", "--allow-empty", "-m", "code", "-m")
	_, err = h.TryGit(append(code, "Plan-Task: "+h.plan+"/none")...)
	h.refusedBy("commit-msg", "none", err)
	h.Git(append(code, "Plan-Task: "+h.plan+"/t1")...)
}

// merges tries pre-merge-commit with two tasks of one number, which no merge of
// single files sees.
func (h *hooked) merges() {
	h.t.Helper()
	w := h.tree
	clash := graft(w, "HEAD", h.file("08-theirs.md"), fmt.Sprintf(validTask, "theirs"))
	fits := graft(w, "HEAD", h.file("09-fits.md"), fmt.Sprintf(validTask, "fits"))
	w.Write(h.file("08-ours.md"), fmt.Sprintf(validTask, "ours"))
	w.Git("add", "-A", "--sparse")
	w.Git("commit", "-q", "-m", "ours")
	_, err := w.TryGit("merge", "-q", "--no-edit", clash)
	h.refusedBy("pre-merge-commit", "08", err)
	w.Git("merge", "--abort")
	w.Git("merge", "-q", "--no-edit", fits)
}

// pushes tries pre-push, and pre-receive on a server like this one.
func (h *hooked) pushes() {
	h.t.Helper()
	w := h.tree
	format := w.Git("rev-parse", "--show-object-format")
	server := gittest.NewBare(h.t, gittest.ObjectFormat(format))
	bad := graft(w, "HEAD", h.file("10-bad.md"), fmt.Sprintf(invalidTask, "bad"))
	_, err := w.TryGit("push", "-q", server.Dir, bad+":refs/heads/plans")
	h.refusedBy("pre-push", "nothing was pushed", err)
	if h.complete() {
		w.Git("push", "-q", server.Dir, "HEAD:refs/heads/plans")
		at(h.t, server).must("hooks", "install")
		h.receivesFrom(w, server)
	}
}

// complete reports whether the place has all of the history, to give it to
// somebody who has nothing.
func (h *hooked) complete() bool {
	return h.tree.Git("rev-parse", "--is-shallow-repository") == "false"
}

// receives tries pre-receive of the place itself.
func (h *hooked) receives(p *place) {
	h.t.Helper()
	h.receivesFrom(p.Clone(h.t, "--no-local"), p.Repo)
}

func (h *hooked) receivesFrom(r, server *gittest.Repo) {
	h.t.Helper()
	r.Git("fetch", "-q", server.Dir, "plans")
	base := r.Git("rev-parse", "FETCH_HEAD")
	bad := graft(r, base, h.file("11-bad.md"), fmt.Sprintf(invalidTask, "bad"))
	_, err := r.TryGit("push", "-q", "--no-verify", server.Dir, bad+":refs/heads/plans")
	h.refusedBy("pre-receive", "does not pass the gate", err)
	good := graft(r, base, h.file("11-good.md"), fmt.Sprintf(validTask, "good"))
	r.Git("push", "-q", "--no-verify", server.Dir, good+":refs/heads/plans")
	if got := server.Git("rev-parse", "refs/heads/plans"); got != good {
		h.t.Errorf("the server is at %s, and %s was pushed", got, good)
	}
}

// guards tries reference-transaction, which sees what --no-verify hides.
func (h *hooked) guards() {
	h.t.Helper()
	r, where := h.Repo, h.global
	if h.tree != nil {
		r, where = h.tree, nil
	}
	run := func(args ...string) error {
		_, err := r.TryGit(append(slices.Clone(where), args...)...)
		return err
	}
	tip := h.tip()
	bad := graft(r, tip, h.file("12-bad.md"), fmt.Sprintf(invalidTask, "bad"))
	h.refusedBy("reference-transaction", "plan.guardRef", run("update-ref", "refs/heads/plans", bad))
	if now := h.tip(); now != tip {
		h.t.Errorf("the branch went to %s", now)
	}
	good := graft(r, tip, h.file("12-last.md"), fmt.Sprintf(validTask, "last"))
	move := []string{"update-ref", "refs/heads/plans", good}
	if h.tree != nil {
		move = []string{"merge", "-q", "--ff-only", good}
	}
	if err := run(move...); err != nil || h.tip() != good {
		h.t.Errorf("a valid move is refused: %v", err)
	}
}
