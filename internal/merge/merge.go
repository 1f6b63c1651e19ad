package merge

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/git-plan/git-plan/plan"
)

// Side is one of the two states that are merged.
type Side int

// The sides. Ours is the local one, Theirs the one that others have already: where
// two things cannot keep one name, it keeps it.
const (
	Neither Side = iota
	Ours
	Theirs
)

func (s Side) other() Side { return Ours + Theirs - s }

func (s Side) String() string { return [...]string{"neither", "ours", "theirs"}[s] }

// Options say what a merge cannot tell from the plans.
type Options struct {
	// Prefer settles what would be a conflict; Neither leaves it one.
	Prefer Side
	// Draft says that our side is an edit of a draft, and no report that was
	// acknowledged: where both moved a task, that is a conflict and not a note.
	Draft bool
	// Agent made our change, At that time, for a note on a report that does not say.
	Agent string
	At    time.Time
}

// Conflict is one thing that the sides made differently.
type Conflict struct {
	Plan string `json:"plan"`
	// Task is the id of the task, or empty for the plan itself.
	Task string `json:"task"`
	// Field is the name of a frontmatter field, `body`, `path`, `task` for a
	// task as a whole, `plan` for the plan as a whole, `signals/<id>` for a
	// signal, or the id of the rule that the result breaks.
	Field string `json:"field"`
	// Ours and Theirs are the two values as text, empty for one that is not
	// set.
	Ours   string `json:"ours"`
	Theirs string `json:"theirs"`
	// Message says more where the values alone do not.
	Message string `json:"-"`
}

// String tells the conflict in one line.
func (c Conflict) String() string {
	where := c.Plan
	if c.Task != "" && where != "" {
		where += "/"
	}
	where += c.Task
	if where != "" { // else it is one of the store's own files
		where += ": "
	}
	s := where + c.Field + ": "
	if c.Message != "" {
		s += c.Message
	}
	if c.Ours == "" && c.Theirs == "" && c.Message != "" {
		return s
	}
	if c.Message != "" {
		s += "; "
	}
	return s + fmt.Sprintf("ours %s, theirs %s", quoted(c.Ours), quoted(c.Theirs))
}

// Result is a merged plan.
type Result struct {
	// Plan is the plan; nil where it is removed. With conflicts it holds their
	// values where the sides disagree, and what one side removed as the other
	// changed it: nothing goes without somebody's say.
	Plan      *plan.Plan
	Conflicts []Conflict
	// Notes tell what was done that neither side asked for, such as giving a
	// task another number, one line each.
	Notes []string
	// Renamed are the tasks of ours that another id was given to, by the old one.
	Renamed map[string]string
	// Lost are the reports and claims that gave way to what is published.
	Lost []Lost
}

// Lost is a report or a claim that gave way to what is published.
type Lost struct {
	Task string
	// Note is what the task's notes say of the report; empty for a claim.
	Note string
}

// Clean reports whether nothing is left to decide.
func (r Result) Clean() bool { return len(r.Conflicts) == 0 }

// Plans merges a plan. Each state may be nil: base for a plan that both sides
// made, a side for one that it removed.
func Plans(base, ours, theirs *plan.Plan, opts Options) Result {
	switch {
	case sameFiles(ours, theirs):
		return Result{Plan: ours}
	case sameFiles(base, ours):
		return Result{Plan: theirs}
	case sameFiles(base, theirs):
		return Result{Plan: ours}
	}
	m := newMerger(base, ours, theirs, opts)
	if whole, ok := m.whole(); ok {
		return m.result(whole)
	}
	return m.result(m.merge())
}

// sameFiles reports whether two plans hold the same bytes; no plan holds
// none.
func sameFiles(a, b *plan.Plan) bool {
	if a == nil || b == nil {
		return a == b
	}
	return maps.EqualFunc(a.Files(), b.Files(), func(x, y []byte) bool { return string(x) == string(y) })
}

// merger is the merge of one plan.
type merger struct {
	opts               Options
	id                 string
	base, ours, theirs *plan.Plan

	conflicts []Conflict
	notes     []string
	renamed   map[string]string
	lost      []Lost
}

func newMerger(base, ours, theirs *plan.Plan, opts Options) *merger {
	m := &merger{opts: opts, base: base, ours: ours, theirs: theirs}
	for _, p := range []*plan.Plan{ours, theirs, base} {
		if p != nil && m.id == "" {
			m.id = p.ID
		}
	}
	return m
}

func (m *merger) result(p *plan.Plan) Result {
	return Result{Plan: p, Conflicts: m.conflicts, Notes: m.notes, Renamed: m.renamed, Lost: m.lost}
}

func (m *merger) side(s Side) *plan.Plan {
	if s == Ours {
		return m.ours
	}
	return m.theirs
}

func (m *merger) note(format string, args ...any) {
	m.notes = append(m.notes, fmt.Sprintf(format, args...))
}

// settle gives the side that a conflict goes to. It is recorded, unless the
// caller prefers a side.
func (m *merger) settle(c Conflict) Side {
	if m.opts.Prefer != Neither {
		m.note("%s: took %s", c, m.opts.Prefer) // of which plan, says who tells it
		return m.opts.Prefer
	}
	m.stuck(c)
	return Theirs
}

// stuck records what is left to decide.
func (m *merger) stuck(c Conflict) {
	c.Plan = m.id
	m.conflicts = append(m.conflicts, c)
}

// whole merges what is not looked into: a plan that one side removed, that
// both made, or that both replanned.
func (m *merger) whole() (*plan.Plan, bool) {
	c := Conflict{Field: "plan"}
	switch {
	case m.ours == nil, m.theirs == nil:
		return m.oneSided(), true
	case m.base == nil && SameMade(m.ours, m.theirs):
		m.base = planned(m.ours, m.theirs)
		return nil, false
	case m.base == nil:
		c.Ours, c.Theirs, c.Message = "made", "made", "both sides made a plan of that id"
	case m.ours.Version() > m.base.Version() && m.theirs.Version() > m.base.Version():
		c.Field, c.Ours, c.Theirs = "version", fmt.Sprint(m.ours.Version()), fmt.Sprint(m.theirs.Version())
		c.Message = fmt.Sprintf("both sides replanned version %d", m.base.Version())
	default:
		return nil, false
	}
	return m.side(m.settle(c)), true
}

// oneSided merges a plan that one side removed and the other changed.
func (m *merger) oneSided() *plan.Plan {
	gone := Ours
	if m.theirs == nil {
		gone = Theirs
	}
	if m.removal(Conflict{Field: "plan", Message: removedAndChanged}, gone) {
		return nil
	}
	return m.side(gone.other())
}

// SameMade reports whether two plans of one id that have no base are one: the
// same was planned, and at most worked on since, as when one of them went
// through a pull request that left no common history.
func SameMade(a, b *plan.Plan) bool {
	return a.Doc != nil && b.Doc != nil && a.Version() == b.Version() && !plan.DefinitionChanged(a, b)
}

// planned gives what two plans of one definition both began from, as far as
// that can be told: what they have in common, without a record of work.
func planned(a, b *plan.Plan) *plan.Plan {
	files, other := map[string][]byte{}, b.Files()
	for _, d := range a.Documents() {
		if string(other[d.Path]) == d.Source {
			files[d.Path] = []byte(d.Source)
		} else if d == a.Doc || len(d.Path) > len("tasks/") && d.Path[:len("tasks/")] == "tasks/" {
			files[d.Path] = []byte(d.Unrecorded().Source)
		}
	}
	return read(a.ID, a.Prefix, files)
}

func read(id, prefix string, files map[string][]byte) *plan.Plan {
	list := make([]plan.File, 0, len(files))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		list = append(list, plan.File{Path: name, Data: files[name]})
	}
	p, _ := plan.Read(id, prefix, list)
	return p
}

// merge merges what both sides have, and brings containers up to date.
func (m *merger) merge() *plan.Plan {
	files := map[string][]byte{}
	if d := m.planFile(); d != nil {
		files[d.Path] = []byte(d.Source)
	}
	m.renameClashes()
	t := m.newTaskMerge()
	t.run(files)
	m.signals(files)
	merged := read(m.id, m.theirs.Prefix, files)
	m.summarize(merged)
	return merged
}

// planFile merges plan.md.
func (m *merger) planFile() *plan.Document {
	b, o, t := m.base.Doc, m.ours.Doc, m.theirs.Doc
	if o != nil && t != nil {
		return m.documents("", "", b, o, t)
	}
	kept, gone := o, Theirs
	if o == nil {
		kept, gone = t, Ours
	}
	if kept == nil || b == nil {
		return kept
	}
	if kept.Source == b.Source {
		return nil
	}
	if m.removal(Conflict{Field: "plan", Message: "plan.md was " + removedAndChanged}, gone) {
		return nil
	}
	return kept
}

const removedAndChanged = "removed by one side and changed by the other"

// removal settles what one side removed and the other changed, and reports
// whether the removal holds: what is undecided is not thrown away.
func (m *merger) removal(c Conflict, gone Side) bool {
	c.Ours, c.Theirs = "changed", "removed"
	if gone == Ours {
		c.Ours, c.Theirs = c.Theirs, c.Ours
	}
	if m.opts.Prefer != Neither {
		return m.settle(c) == gone
	}
	m.stuck(c)
	return false
}

// summarize brings those containers up to date whose children's states come
// from both sides: what one side decided leaves over what the other one added.
// One whose children stand as they stood on a side keeps what
// that side wrote.
func (m *merger) summarize(p *plan.Plan) {
	for _, c := range slices.Backward(p.All()) {
		if len(c.Children) == 0 || asOn(m.ours, c) || asOn(m.theirs, c) {
			continue
		}
		skipped, err := c.Decide()
		if err != nil {
			m.stuck(Conflict{Task: c.ID, Field: "status", Message: err.Error()})
			continue
		}
		for _, t := range skipped {
			m.note("task %s is skipped, as %s is decided", t.ID, c.ID)
		}
		before := c.Status
		if err := c.Summarize(); err != nil {
			m.stuck(Conflict{Task: c.ID, Field: "status", Message: err.Error()})
		} else if c.Status != before {
			m.note("container %s is %s now", c.ID, c.Status)
		}
	}
}

// asOn reports whether a container and its children have the statuses that
// they have on a side.
func asOn(side *plan.Plan, c *plan.Task) bool {
	old := side.Task(c.ID)
	if old == nil || old.Status != c.Status || len(old.Children) != len(c.Children) {
		return false
	}
	return !slices.ContainsFunc(c.Children, func(k *plan.Task) bool {
		was := side.Task(k.ID)
		return was == nil || was.Parent != old || was.Status != k.Status
	})
}
