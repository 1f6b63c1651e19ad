package reliability

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// Clones work through one server that judges: in each an agent claims tasks
// and reports them there, and somebody edits a plan with native git, by turns
// pushes and lets `git plan sync` do it, and tries to push what is invalid.
// Nothing that was acknowledged is lost, and nothing invalid is on the server.
func TestTeam(t *testing.T) {
	t.Parallel()
	clones, tasks := scale(3, 4), scale(6, 40)
	team := newTeam(t, clones, tasks)
	begun := time.Now()
	var all sync.WaitGroup
	for i, p := range team.clones {
		all.Go(func() { team.deal.take(p, fmt.Sprintf("agent-%d", i)) })
		all.Go(func() { team.edit(i, scale(2, 20)) })
	}
	all.Wait()
	t.Logf("%d tasks claimed and reported, %d edits by native git pushed, %d invalid ones refused, %d turns of native git made again, in %v",
		len(team.deal.given), len(team.pushed), team.refused, team.again, time.Since(begun).Round(time.Millisecond))
	team.settle(tasks)
}

// team is clones of one server.
type team struct {
	t      *testing.T
	server *place
	clones []*place
	deal   *deal
	root   string // where the history began that is common to all

	mu sync.Mutex
	// pushed are the edits that were acknowledged to native git or by sync, by
	// "file:line". A replay gives their commits other names.
	pushed         []string
	refused, again int
}

func newTeam(t *testing.T, clones, tasks int) *team {
	t.Helper()
	p := at(t, begun()(t))
	p.stock(tasks)
	for i := range clones {
		writePlan(t, p.must("request-thread-dir").get("plan_dir"), fmt.Sprintf("own-%d", i), 2)
	}
	p.must("commit")
	bare := p.Clone(t, "--bare")
	bare.Git("remote", "remove", "origin")
	m := &team{t: t, server: at(t, bare), deal: &deal{t: t, given: map[string][]string{}}, root: p.tip()}
	m.server.must("hooks", "install")
	for range clones {
		c := at(t, bare.Clone(t))
		c.must("init")
		c.Git("config", "pull.rebase", "false")
		c.Git("worktree", "add", "-q", "../plans", "plans")
		m.clones = append(m.clones, c)
	}
	return m
}

// take claims and reports until there is nothing, all of it on the server.
func (d *deal) take(p *place, name string) {
	for {
		a := patiently(p, "next", "stock", "--claim", "--push", "--agent", name)
		id := a.get("task.id")
		if a.get("status") == "none" {
			return
		}
		if a.get("status") != "success" && a.get("status") != "unchanged" { // it has the task already, from a claim that was made again
			d.t.Errorf("%s: status %d: %s%s", name, a.exit, a.stdout, a.said)
			return
		}
		d.mu.Lock()
		d.given[id] = append(d.given[id], name)
		d.mu.Unlock()
		if a := patiently(p, "task", "done", "stock/"+id, "--push", "--agent", name); a.exit != 0 {
			d.t.Errorf("%s: %s done: status %d: %s%s", name, id, a.exit, a.stdout, a.said)
			return
		}
	}
}

// patiently runs the program again where it says that others were quicker each
// time it tried, or that a merge of native git is half done in the worktree.
func patiently(p *place, args ...string) answer {
	for end := time.Now().Add(3 * time.Minute); ; {
		a := runProgram(p, args...)
		wait := a.get("error_type") == "locked" || strings.Contains(a.said, "not published") || strings.Contains(a.get("message"), "changes that are in the way")
		if !wait || time.Now().After(end) {
			return a
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// edit commits in the worktree that has the plans checked out.
func (m *team) edit(i, rounds int) {
	w := m.clones[i].At(filepath.Join(filepath.Dir(m.clones[i].Dir), "plans"))
	name := fmt.Sprintf("own-%d/plan.md", i)
	for round := range rounds {
		if m.t.Failed() {
			return
		}
		line := fmt.Sprintf("Round %d.", round)
		switch {
		case m.commit(w, name, "\n"+line+"\n") == "":
		case round%2 == 0:
			m.sync(m.clones[i], name+":"+line)
		default:
			m.push(w, name+":"+line)
		}
		m.pushInvalid(w, fmt.Sprintf("own-%d", i))
	}
}

// insist makes a turn of native git again until it works: git plan, in the same
// clone, moves branch, index and files by turns with it, and other clones the
// server's branch.
func (m *team) insist(what string, do func() error) bool {
	for end := time.Now().Add(3 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		err := do()
		if err == nil {
			return true
		}
		m.mu.Lock()
		m.again++
		m.mu.Unlock()
		if time.Now().After(end) {
			m.t.Errorf("%s: %v", what, err)
			return false
		}
	}
}

// commit adds to a file and commits, and gives the commit. The agent of the
// clone may have moved the branch on since.
func (m *team) commit(w *gittest.Repo, name, more string) (commit string) {
	m.t.Helper()
	m.insist("commit", func() error {
		if _, err := w.TryGit("rev-parse", "-q", "--verify", "MERGE_HEAD"); err == nil { // of a merge that came too late
			m.giveUpMerge(w)
		}
		if text := w.Read(name); !strings.Contains(text, more) {
			w.Write(name, text+more)
		}
		out, err := w.TryGit("commit", "-m", "edit "+name, "--", name)
		if err == nil {
			_, rest, _ := strings.Cut(out, "[plans ")
			commit, _, _ = strings.Cut(rest, "]")
			commit, err = w.TryGit("rev-parse", "--verify", commit+"^{commit}")
		}
		return err
	})
	return commit
}

func (m *team) push(w *gittest.Repo, edit string) {
	if m.insist("push", func() error {
		if _, err := w.TryGit("push", "-q", "origin", "plans"); err == nil {
			return nil
		}
		if out, err := w.TryGit("pull", "-q", "--no-edit", "origin", "plans"); err != nil {
			m.giveUpMerge(w) // the branch moved while it was made
			return fmt.Errorf("%w: %s", err, out)
		}
		_, err := w.TryGit("push", "-q", "origin", "plans")
		return err
	}) {
		m.note(edit)
	}
}

// giveUpMerge brings a worktree back to the branch. Until that has worked, what the
// merge wrote is in the way of everybody else.
func (m *team) giveUpMerge(w *gittest.Repo) {
	_, _ = w.TryGit("merge", "--quit")
	m.insist("reset", func() error {
		_, err := w.TryGit("reset", "-q", "--hard")
		return err
	})
}

func (m *team) sync(p *place, edit string) {
	if m.insist("sync", func() error {
		if a := runProgram(p, "sync"); a.exit != 0 {
			return fmt.Errorf("status %d: %s%s", a.exit, a.stdout, a.said)
		}
		return nil
	}) {
		m.note(edit)
	}
}

func (m *team) note(edit string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pushed = append(m.pushed, edit)
}

// pushInvalid makes a commit with a task that waits for none there is, on what
// the server has, and pushes it past the clone's own hooks.
func (m *team) pushInvalid(w *gittest.Repo, plan string) {
	m.t.Helper()
	w.Git("fetch", "-q", "origin", "plans")
	bad := graft(w, "origin/plans", plan+"/tasks/01-t1.md", "---\nid: t1\ndepends_on: [nothing]\n---\n\nStep.\n")
	_, err := w.TryGit("push", "-q", "--no-verify", "origin", bad+":refs/heads/plans")
	if err == nil {
		m.t.Errorf("the server took %s, which is invalid", bad)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refused++
}

// graft makes a commit on another, with one file changed, without a working
// tree.
func graft(r *gittest.Repo, base, path, content string) string {
	index := r.With("GIT_INDEX_FILE=" + filepath.Join(filepath.Dir(r.Dir), "index-of-"+strings.ReplaceAll(path, "/", "-")))
	index.Git("read-tree", base)
	index.Git("update-index", "--add", "--cacheinfo", "100644,"+r.GitInput(content, "hash-object", "-w", "--stdin")+","+path)
	return r.Git("commit-tree", "-p", base, "-m", "change "+path, index.Git("write-tree"))
}

// settle looks at the server for all that was acknowledged, and at every commit
// it took.
func (m *team) settle(tasks int) {
	m.t.Helper()
	m.deal.handedOut(m.server, tasks)
	m.started()
	for _, edit := range m.pushed {
		file, line, _ := strings.Cut(edit, ":")
		if text := m.server.Git("show", "plans:"+file); !strings.Contains(text, line) {
			m.t.Errorf("%q of %s was acknowledged, and is not on the server: %s", line, file, text)
		}
	}
	m.server.judged(m.root)
	for _, p := range m.clones {
		p.must("sync", "--manual")
		if p.tip() != m.server.tip() {
			m.t.Errorf("%s does not come to what the server has", p.Dir)
		}
		p.fsck()
		if healthy := p.must("doctor").get("healthy"); healthy != "true" {
			m.t.Errorf("doctor: %s", p.must("doctor").stdout)
		}
	}
}

// started looks for the start of each task by the agent that got it, once. That of an
// agent that was not first may be there too, where native git merged it.
func (m *team) started() {
	m.t.Helper()
	told := m.server.Git("log", "--format=%(trailers:key=Plan-Event,valueonly,separator=) %(trailers:key=Plan-Task,valueonly,separator=) %(trailers:key=Plan-Agent,valueonly,separator=)", "plans")
	for id, to := range m.deal.given {
		line := "started stock/" + id + " " + to[0]
		if n := strings.Count(told, line); n != 1 {
			m.t.Errorf("%q is told %d times", line, n)
		}
	}
}

// judged holds each commit of the store after the first against the gate, and
// looks for what pushes left behind.
func (p *place) judged(since string) {
	p.t.Helper()
	if a := p.try("check", since+"..plans"); a.exit != 0 {
		p.t.Errorf("the server took what does not pass: %s%s", a.stdout, a.said)
	}
	for _, pattern := range []string{"objects/*incoming*", "objects/pack/tmp_*", "refs/heads/*.lock", "*.lock"} {
		if left, _ := filepath.Glob(filepath.Join(p.Dir, pattern)); len(left) > 0 {
			p.t.Errorf("left behind: %q", left)
		}
	}
	p.fsck()
}

// The hook before a push is told of a commit that the remote has and that
// another process is just fetching: it is here, and what it holds is not.
func TestPushWhileFetched(t *testing.T) {
	t.Parallel()
	seed := planned(t, "auth", 2)
	p := at(t, seed.Clone(t))
	p.must("init")
	p.must("task", "start", "auth/t1")
	for _, parent := range []string{p.Git("rev-parse", "origin/plans"), strings.Repeat("1", 40)} {
		half := p.GitInput("tree "+strings.Repeat("2", 40)+"\nparent "+parent+"\nauthor A <a@example.com> 1 +0000\ncommitter A <a@example.com> 1 +0000\n\nhalf\n",
			"hash-object", "-t", "commit", "-w", "--literally", "--stdin")
		line := "refs/heads/plans " + p.tip() + " refs/heads/plans " + half + "\n"
		p.GitInput(line, "plan", "hooks", "run", "pre-push", "origin", seed.Dir)
	}
}
