// Package validate holds the gates: a table of rules and the runner that
// applies them to a plan.
//
// [Run] is the entry. [Rules] lists the table, from which the manual is made;
// [ParseGates] reads a store's gates.yaml. The package does no I/O: what it
// must know of the world comes in as [Input.Exists], [Input.Others], [Input.Names],
// [Input.Shown] and [Input.Opinion].
package validate

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Class says when a rule counts.
type Class int

// The classes of rules.
const (
	// Structural rules hold whenever a plan is written.
	Structural Class = iota
	// Quality rules hold when a plan's definition is written.
	Quality
	// PerTask rules hold for the unsettled tasks that a commit adds or whose
	// definition it edits, and in a check of a whole plan for every unsettled
	// task.
	PerTask
)

// Rule is one row of the table.
type Rule struct {
	ID string
	// Base and Strict are the severities under the two gates.
	Base, Strict diag.Severity
	Class        Class
	// Doc says in one line what the rule asks.
	Doc string
	// Fix says what to do about a finding.
	Fix string
	// Check looks at a plan; nil for a rule that is checked while reading, or
	// by whoever can see what it needs.
	Check func(*Context)
}

// Fixed reports whether the rule is an error under every gate, which no
// gates.yaml can lower.
func (r Rule) Fixed() bool { return r.Base == diag.Error && r.Strict == diag.Error }

// Scope says how much of a plan is judged.
type Scope int

const (
	// Whole judges everything, as `check` does.
	Whole Scope = iota
	// Change judges what one commit does: definitions only where they differ
	// from the parent's.
	Change
	// Range judges what several commits do together, each of which is judged as
	// a Change too: the structural rules, for several steps at once.
	Range
)

// Existence is what is known of a path in the project.
type Existence int

// The three answers about a path.
const (
	Unknown Existence = iota
	Yes
	No
)

// Input is what [Run] judges.
type Input struct {
	Plan *plan.Plan
	// Found are the findings of reading the plan.
	Found []diag.Diagnostic
	// Parent is the plan before, nil for a new plan.
	Parent *plan.Plan
	// Sides are, for a merge, the plan as the other sides have it. What a task
	// became there was judged there.
	Sides []*plan.Plan
	Scope Scope
	// Stored says that the plan is on the ref, where a stray file is an error.
	Stored bool
	// OnRef tells of a stray file in a folder whether it is on the ref, too; nil
	// knows of none.
	OnRef func(path string) bool
	// Version is what the version must be, 0 to compare it with the parent's.
	Version int
	// Exists looks a path up in the project; nil knows nothing.
	Exists func(path string) Existence
	// Others gives the ids of the unfinished plans that name a path, which is
	// clean; nil knows of none. It may give that of the plan itself.
	Others func(path string) []string
	// Names tells whether a commit of the code names a task, as "plan/task"; nil
	// knows no commit.
	Names func(commit, task string) Existence
	// Shown are commits that name tasks which become done, by the task's id, and
	// that are to be added to their evidence.
	Shown map[string]plan.Evidence
	// Opinion is what a judge says of the plan, where one was asked; see
	// [ForJudge].
	Opinion *Opinion
}

// Run judges a plan and gives every finding that the gate does not turn off,
// sorted. The stricter of gate, the store's own gate and the one the plan
// asks for applies.
func Run(in Input, gates Gates, gate Gate) []diag.Diagnostic {
	return in.judge(gates, gate, diag.Warning)
}

// Errors is [Run] without warnings, for who only wants to know whether a plan
// passes: rules that can refuse nothing are not applied, which are most of the
// work.
func Errors(in Input, gates Gates, gate Gate) []diag.Diagnostic {
	return in.judge(gates, gate, diag.Error)
}

func (in Input) judge(gates Gates, gate Gate, least diag.Severity) []diag.Diagnostic {
	gate = max(gate, gates.Gate, ParseGate(in.Plan.Gates()))
	c := &Context{Input: in, found: slices.DeleteFunc(slices.Clone(in.Found), in.inParent)}
	weights := map[string]diag.Severity{}
	for _, r := range Rules() {
		weights[r.ID] = gates.Severity(r, gate)
		if r.Check != nil && weights[r.ID] >= least && c.wants(r) {
			c.rule, c.suggested = r, nil
			r.Check(c)
		}
	}
	found := c.found[:0]
	for _, d := range c.found {
		if d = in.weigh(d, weights[d.Rule]); d.Severity >= least {
			found = append(found, d)
		}
	}
	diag.Sort(found)
	return found
}

// weigh gives a finding its weight. What a draft may hold beside its files has to
// leave the ref, whatever a gate says of folders.
func (in Input) weigh(d diag.Diagnostic, weight diag.Severity) diag.Diagnostic {
	unsure := d.Rule == RuleEvidence && d.Severity == diag.Warning
	d.Severity = weight
	switch {
	case unsure:
		d.Severity = min(weight, diag.Warning) // what is not known for sure refuses nothing
	case d.Rule == plan.RuleStrayFile && (in.Stored || in.OnRef != nil && in.OnRef(d.Path)):
		d.Severity = diag.Error
		if d.Hint == plan.StrayHint {
			d.Hint = "remove it from the branch"
		}
	}
	return d
}

// unreadable gives the files whose frontmatter could not be read.
func (in Input) unreadable() map[string]bool {
	broken := map[string]bool{}
	for _, d := range in.Plan.Documents() {
		if !d.Readable {
			broken[path.Join(in.Plan.Prefix, d.Path)] = true
		}
	}
	return broken
}

// inParent reports whether a finding is about conflict markers that the parent has
// in that file, such as those of an example.
func (in Input) inParent(d diag.Diagnostic) bool {
	if d.Rule != plan.RuleConflictMarker || in.Parent == nil {
		return false
	}
	at := func(p *plan.Plan, file string) []plan.Marker {
		for _, doc := range p.Documents() {
			if doc.Path == file {
				return doc.Markers
			}
		}
		return nil
	}
	file := strings.TrimPrefix(d.Path, in.Plan.Prefix+"/")
	for _, m := range at(in.Plan, file) {
		same := func(had plan.Marker) bool { return had.Text == m.Text }
		if m.Line == d.Pos.Line {
			return slices.ContainsFunc(at(in.Parent, file), same)
		}
	}
	return false
}

// oneLine formats a message. Text from a file may hold line breaks, a message
// may not.
func oneLine(format string, args ...any) string {
	return strings.Map(func(r rune) rune {
		if r == '\r' || r == '\n' {
			return ' '
		}
		return r
	}, fmt.Sprintf(format, args...))
}

// top is where a finding about a whole file stands.
var top = diag.Pos{Line: 1, Column: 1}

// name gives what a message calls a task: its id, or its file where it has none.
func name(t *plan.Task) string { return cmp.Or(t.ID, path.Base(t.Doc.Path)) }
