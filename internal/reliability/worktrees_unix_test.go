//go:build unix

package reliability

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// Two worktrees of one repository have drafts of the same plans. In random rounds
// each edits, commits, reports, opens signals, adds and removes tasks and plans and
// replans, at times both at once, and commands are killed at any moment. Conflicts
// are resolved by keeping both texts. What was acknowledged is on the branch at the
// end, but for what a draft removed on purpose; and nothing is stored twice.
func TestTwoWorktrees(t *testing.T) {
	t.Parallel()
	s := newShared(t)
	for range scale(25, 1000) {
		s.round()
		if t.Failed() {
			break
		}
	}
	s.settle()
	t.Logf("seed %d: %v", s.seed, s.count)
}

// shared is a repository that two worktrees write to. Each text that is written has
// a mark of its own, by which it is found again.
type shared struct {
	*place // the main worktree
	desks  []*desk
	seed   uint64
	random *rand.Rand
	root   string // the commit before the first round
	server bool   // desks are clones, and place is the server
	marks  int
	plans  int

	// acked are the marks that an acknowledged command wrote, with that command.
	acked map[string]string
	// removed are the marks that a command was told to remove, and reports those of
	// results, which the next report on that task replaces: history keeps both. Notes
	// are those of notes, which a replan drops as it does results.
	removed, reports, notes map[string]bool
	count                   map[string]int
	told                    []string // what was done, and its answers
}

// desk is a worktree with its drafts.
type desk struct {
	*victim
	s    *shared
	name string
}

func newShared(t *testing.T) *shared {
	t.Helper()
	s := begunShared(t, at(t, begun()(t).With("GIT_TEST_FSYNC=1")))
	s.Git("worktree", "add", "-q", "../other")
	for _, dir := range []string{s.Dir, filepath.Join(filepath.Dir(s.Dir), "other")} {
		s.join(s.At(dir), filepath.Base(dir))
	}
	s.root = s.tip()
	for _, d := range s.desks {
		d.begin("dir")
		d.commit()
	}
	return s
}

// begunShared is a repository nobody works in yet. The variable GIT_PLAN_TEST_SEED
// repeats what was done in another run, but for when commands are killed; GIT_PLAN_TEST_KEEP
// is a folder for the repositories of a failure.
func begunShared(t *testing.T, p *place) *shared {
	s := &shared{
		place: p, seed: rand.Uint64(),
		acked: map[string]string{}, removed: map[string]bool{}, reports: map[string]bool{}, notes: map[string]bool{}, count: map[string]int{},
	}
	if seed, err := strconv.ParseUint(os.Getenv("GIT_PLAN_TEST_SEED"), 10, 64); err == nil {
		s.seed = seed
	}
	s.random = rand.New(rand.NewPCG(s.seed, 0))
	t.Cleanup(func() {
		if t.Failed() {
			if dir := os.Getenv("GIT_PLAN_TEST_KEEP"); dir != "" {
				for i, d := range append(s.desks, &desk{victim: &victim{place: s.place}}) {
					if err := os.CopyFS(filepath.Join(dir, fmt.Sprint(i)), os.DirFS(d.Dir)); err != nil {
						t.Log(err)
					}
				}
			}
			t.Logf("seed %d; what was done:\n%s", s.seed, strings.Join(s.told, "\n"))
		}
	})
	return s
}

// join lets somebody work in a worktree or clone.
func (s *shared) join(r *gittest.Repo, name string) {
	s.desks = append(s.desks, &desk{s: s, name: name, victim: &victim{place: at(s.t, r), slow: 60 * time.Millisecond, locks: map[string]int{}}})
}

// try runs git plan and notes it. Where an id was taken by a plan of somebody else, that
// one is meant.
func (d *desk) try(args ...string) answer {
	a := d.place.try(args...)
	d.tell(args, a)
	if a.get("error_type") == "ambiguous_plan" && a.get("details.1") != "" {
		d.s.did("ambiguous")
		d.must("use", a.get("details.1"))
		return d.try(args...)
	}
	return a
}

// must is try for what has to succeed.
func (d *desk) must(args ...string) answer {
	d.t.Helper()
	a := d.try(args...)
	if a.exit != 0 {
		d.t.Fatalf("%s: %q: status %d: %s%s", d.name, args, a.exit, a.stdout, a.said)
	}
	return a
}

func (d *desk) tell(args []string, a answer) {
	text := fmt.Sprintf("%s %q: %d %s", d.name, args, a.exit, a.get("commit"))
	if a.exit != 0 {
		text += " " + a.stdout + a.said
	}
	d.s.told = append(d.s.told, text)
}

// round lets one worktree do something, and at times both commit at once.
func (s *shared) round() {
	s.t.Helper()
	d := s.desks[s.random.IntN(2)]
	switch n := s.random.IntN(20); {
	case n < 7:
		d.edit()
	case n < 10:
		d.commit()
	case n < 13:
		d.report()
	case n < 14:
		d.signal()
	case n < 15 && s.random.IntN(2) == 0:
		d.note()
	case n < 15:
		d.begin("request-thread-dir")
	case n < 16:
		d.replan()
	case n < 17:
		d.remove()
	case n < 19:
		d.killed()
	default:
		s.together()
	}
}

// together lets both worktrees commit at the same time.
func (s *shared) together() {
	s.t.Helper()
	var both sync.WaitGroup
	answers := make([]answer, len(s.desks))
	written := make([][]string, len(s.desks))
	for i, d := range s.desks {
		written[i] = d.draftMarks()
		both.Go(func() { answers[i] = runProgram(d.place, "commit") })
	}
	both.Wait()
	for i, d := range s.desks {
		d.committed(answers[i], written[i])
	}
}

// mark gives a mark that nothing has yet.
func (s *shared) mark() string {
	s.marks++
	return fmt.Sprintf("mark-%d.", s.marks)
}

var markForm = regexp.MustCompile(`mark-\d+\.`)

// did counts what happened.
func (s *shared) did(what string) { s.count[what]++ }

// ack notes that marks were acknowledged.
func (d *desk) ack(command string, marks ...string) {
	for _, m := range marks {
		if d.s.acked[m] == "" {
			d.s.acked[m] = d.name + ": " + command + " at " + d.tip()
		}
	}
}

// stored gives the plans of the branch, but the one that tasks are claimed of.
func (d *desk) stored() []string {
	plans := strings.Fields(d.Git("ls-tree", "--name-only", "-d", "plans"))
	return slices.DeleteFunc(plans, func(id string) bool { return id == "archive" || id == "stock" })
}

// pick gives one of them.
func (d *desk) pick() string {
	plans := d.stored()
	return plans[d.s.random.IntN(len(plans))]
}

// pickTask gives one of a plan's tasks.
func (d *desk) pickTask(id string) string {
	tasks := strings.Fields(d.Git("ls-tree", "--name-only", "plans:"+id+"/tasks"))
	task := tasks[d.s.random.IntN(len(tasks))]
	_, task, _ = strings.Cut(strings.TrimSuffix(task, ".md"), "-")
	return task
}

// report reports on a task. The rules may refuse it.
func (d *desk) report() {
	d.t.Helper()
	id := d.pick()
	task := d.pickTask(id)
	verb, m := []string{"start", "done", "fail", "release"}[d.s.random.IntN(4)], d.s.mark()
	d.s.reports[m] = true
	a := d.try("task", verb, id+"/"+task, "-m", m)
	switch {
	case a.exit == 0:
		d.ack("task "+verb, m)
		d.s.did(verb)
	case a.exit != 1:
		d.t.Fatalf("%s: task %s %s/%s: status %d: %s%s", d.name, verb, id, task, a.exit, a.stdout, a.said)
	}
}

// signal opens a warning on a plan.
func (d *desk) signal() {
	d.t.Helper()
	m := d.s.mark()
	d.may(d.try("alert", "open", "s"+strings.Trim(m, "mark-."), "--plan", d.pick(), "--level", "warning", "-m", m), "signal", m)
}

// may takes in the answer to a command. Where a server is, what others published may be
// against it.
func (d *desk) may(a answer, command string, marks ...string) {
	d.t.Helper()
	switch {
	case a.exit == 0:
		d.ack(command, marks...)
		d.s.did(command)
	case a.exit != 1 || a.get("message") == "" || !d.s.server:
		d.t.Errorf("%s: %s: status %d: %s%s", d.name, command, a.exit, a.stdout, a.said)
	default:
		d.s.did(command + " refused: " + a.get("error_type"))
	}
}

// note adds a note to a task.
func (d *desk) note() {
	d.t.Helper()
	id, m := d.pick(), d.s.mark()
	payload := fmt.Sprintf(`{"update_tasks":[{"id":%q,"notes":[%q]}]}`, d.pickTask(id), m)
	a := d.try("update", payload, "--plan", id)
	if a.exit == 1 && strings.Contains(a.get("details.0"), "is held by") { // by the other worktree
		return
	}
	d.s.notes[m] = true
	d.may(a, "note", m)
}

// replan makes the next version of a plan from a draft of its present one.
func (d *desk) replan() {
	d.t.Helper()
	d.commit()
	id := d.pick()
	a := d.open(id)
	if a.exit != 0 {
		return
	}
	dir := a.get("plan_dir")
	d.change(dir, id)
	var written []string
	for _, file := range d.files() {
		if strings.HasPrefix(file, dir+"/") {
			written = append(written, markForm.FindAllString(d.load(file), -1)...)
		}
	}
	noted := markForm.FindAllString(d.Git("grep", "-h", "-e", "", "plans", "--", id), -1)
	a = d.try("replan", id, "--force", "--reason", "again", "--from", dir)
	if a.exit != 0 {
		d.refused(a, "replan", id)
		return
	}
	for _, m := range noted {
		d.s.removed[m] = d.s.removed[m] || d.s.notes[m]
	}
	d.ack("replan", written...)
	d.s.did("replan")
}

// remove takes a plan off the branch, by command or with native git, or brings it back
// at once.
func (d *desk) remove() {
	d.t.Helper()
	plans := d.stored()
	if len(plans) < 3 {
		return
	}
	id := plans[d.s.random.IntN(len(plans))]
	tip := d.tip()
	if d.s.random.IntN(2) == 0 {
		gone := d.Git("grep", "-h", "-e", "", tip, "--", id)
		if a := d.try("rm", "--force", id); a.exit != 0 { // others have just published something else
			if len(d.parked()) == 0 {
				d.t.Fatalf("%s: rm %s: %d %s", d.name, id, a.exit, a.stdout)
			}
			d.giveUp(gone)
			d.s.did("rm parked")
			return
		}
		if d.s.random.IntN(2) == 0 {
			d.must("restore", id)
			d.s.did("restore")
			return
		}
		d.giveUp(gone)
		d.s.did("rm")
		return
	}
	index := d.With("GIT_INDEX_FILE=" + filepath.Join(filepath.Dir(d.Dir), "index-of-"+d.name))
	index.Git("read-tree", tip)
	gone := index.Git("grep", "--cached", "-h", "-e", "", "--", id)
	index.Git("rm", "-r", "-q", "--cached", id)
	next := d.Git("commit-tree", "-p", tip, "-m", id+": remove", index.Git("write-tree"))
	d.Git("update-ref", "refs/heads/plans", next, tip)
	d.giveUp(gone)
	d.s.did("remove")
}

// killed kills a command at a random moment. It was not acknowledged, and may have
// landed.
func (d *desk) killed() {
	d.t.Helper()
	command := []string{"commit"}
	written := d.draftMarks()
	if d.s.random.IntN(3) == 0 {
		m := d.s.mark()
		command, written = []string{"alert", "open", "s" + strings.Trim(m, "mark-."), "--plan", d.pick(), "--level", "warning", "-m", m}, []string{m}
	}
	a := d.kill(command)
	d.tell(command, a)
	switch {
	case a.exit == -1:
		d.s.did("killed")
		d.signal() // which removes the locks that are left
	case a.exit == 0:
		d.ack(""+command[0], written...)
	case command[0] == "commit":
		d.committed(a, written)
	}
}

// settle stores all drafts, and looks for all that was acknowledged.
func (s *shared) settle() {
	s.t.Helper()
	for range 2 {
		for _, d := range s.desks {
			if !s.t.Failed() {
				d.commit()
			}
		}
	}
	seen := func(args ...string) map[string]bool {
		marks := map[string]bool{}
		for _, m := range markForm.FindAllString(s.Git(args...), -1) {
			marks[m] = true
		}
		return marks
	}
	now, ever := seen("grep", "-h", "-E", "mark-", "plans"), seen("log", "-p", "--format=%B", "-m", "plans")
	for m, command := range s.acked {
		switch {
		case !ever[m]:
			s.t.Errorf("seed %d: %s, which %s, is nowhere in the history", s.seed, m, command)
		case !now[m] && !s.removed[m] && !s.reports[m]:
			s.t.Errorf("seed %d: %s, which %s, is not there, and nobody removed it: git log -S %s plans:\n%s", s.seed, m, command, m, s.Git("log", "--format=%h %an %s", "-S", m, "plans"))
		}
	}
	if s.count["conflict"] > 0 && s.count["conflict without markers"] > 0 {
		s.t.Errorf("seed %d: a conflict left no markers in the draft", s.seed)
	}
	var titles []string
	for _, id := range s.desks[0].stored() {
		title, _, _ := strings.Cut(s.Git("show", "plans:"+id+"/plan.md"), "\ncreated_")
		titles = append(titles, title)
	}
	if slices.Sort(titles); len(slices.Compact(slices.Clone(titles))) < len(titles) {
		s.t.Errorf("seed %d: a plan is stored twice: %q", s.seed, titles)
	}
	s.judged(s.root)
}
