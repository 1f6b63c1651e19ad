package merge

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// status gives a task's status as its file says.
func status(doc *plan.Document) plan.Status {
	if s := doc.Text("status"); s != "" {
		return plan.Status(s)
	}
	return plan.Pending
}

// stamped are the fields that a move to another status writes.
func stamped() []string {
	return []string{"executed_by", "started_at", "completed_at", "lease_until"}
}

// reported are the fields that come with a move.
func reported() []string { return []string{"result", "error", "agent", "progress"} }

// record merges a task's status and what was recorded along with it. Where both
// sides moved the task, what is published wins, whatever the times. A report that
// loses becomes a note; a claim that loses leaves nothing.
func (d *docMerge) record() {
	b, o, t := status(d.base), status(d.ours), status(d.theirs)
	ours, theirs := o != b || d.moved(d.ours), t != b || d.moved(d.theirs)
	switch {
	case !ours && !theirs, o == t && d.sameStamps():
		d.sameState()
	case !theirs:
		d.follow(Ours, false)
	case !ours:
		d.follow(Theirs, false)
		d.loseCorrection()
	case d.opts.Prefer != Neither:
		d.follow(d.opts.Prefer, true)
	case d.goesOn():
		d.follow(Ours, true)
	case d.opts.Draft && o != t && !d.container:
		d.follow(d.conflict("status", string(o), string(t), ""), true)
	default:
		d.follow(Theirs, true)
		d.lose()
	}
}

// sameState merges what was recorded of a task that is in the same state on both
// sides: a claim lasts as long as either says.
func (d *docMerge) sameState() {
	for _, key := range []string{"status", "executed_by", "started_at", "completed_at"} {
		v, ok := d.oneSided(key)
		if !ok {
			v = node(d.theirs, key)
		}
		d.want[key] = v
	}
	lease, ok := d.oneSided("lease_until")
	if !ok {
		lease = node(d.on(d.earlier("lease_until").other()), "lease_until")
	}
	d.want["lease_until"] = lease
}

// goesOn reports whether our report is the end of the claim that they have: the
// same agent said more.
func (d *docMerge) goesOn() bool {
	who := d.ours.Text("executed_by")
	return !d.container && isReport(d.ours) && status(d.theirs) == plan.InProgress && who != "" && who == d.theirs.Text("executed_by")
}

// isReport reports whether a task's status says what became of the work.
func isReport(doc *plan.Document) bool {
	s := status(doc)
	return s != plan.Pending && s != plan.InProgress
}

// sameStamps reports whether both sides say the same of who did the task, and when.
func (d *docMerge) sameStamps() bool {
	return !slices.ContainsFunc([]string{"executed_by", "started_at", "completed_at"}, func(key string) bool {
		return !same(node(d.ours, key), node(d.theirs, key))
	})
}

// moved reports whether a side with the status of the base was elsewhere meanwhile:
// one that was done again, or taken over, differs in who did it and when. A lease
// that was renewed and a result that was put right are no move.
func (d *docMerge) moved(doc *plan.Document) bool {
	return d.base == nil || slices.ContainsFunc([]string{"executed_by", "started_at", "completed_at"}, func(key string) bool {
		return !same(node(doc, key), node(d.base, key))
	})
}

// follow takes status and stamps from the winner. What was reported is the
// winner's where both sides reported, always if both moved the task.
func (d *docMerge) follow(winner Side, both bool) {
	from := d.on(winner)
	for _, key := range append([]string{"status"}, stamped()...) {
		d.want[key] = node(from, key)
	}
	for _, key := range reported() {
		v, ok := d.oneSided(key)
		if !ok || both && key != "agent" {
			v = node(from, key)
		}
		d.want[key] = v
	}
}

// earlier gives the side whose time in a field is the earlier one; one without
// a time is later, and of equal times theirs counts.
func (d *docMerge) earlier(key string) Side {
	o, errO := plan.ParseTime(d.ours.Text(key))
	t, errT := plan.ParseTime(d.theirs.Text(key))
	switch {
	case errO == nil && (errT != nil || o.Before(t)):
		return Ours
	case errT == nil && (errO != nil || t.Before(o)):
		return Theirs
	}
	return Theirs
}

// lose records that our report or claim gives way to theirs.
func (d *docMerge) lose() {
	if d.container || status(d.ours) == plan.Pending || sameRecord(d.ours, d.theirs) {
		return
	}
	lost := Lost{Task: d.task}
	if isReport(d.ours) {
		lost.Note = d.lostNote()
		d.remember(lost.Note)
	}
	d.merger.lost = append(d.merger.lost, lost)
}

// loseCorrection records that theirs replaced a report which ours put right, or made
// again from the same state.
func (d *docMerge) loseCorrection() {
	for _, key := range []string{"result", "error"} {
		v := node(d.ours, key)
		if d.base != nil && v != nil && !same(v, node(d.base, key)) && !same(v, d.want[key]) {
			d.lose()
			return
		}
	}
}

// sameRecord reports whether two sides report the same, at whatever time.
func sameRecord(a, b *plan.Document) bool {
	return status(a) == status(b) && !slices.ContainsFunc([]string{"executed_by", "result", "error"}, func(key string) bool {
		return !same(node(a, key), node(b, key))
	})
}

// lostNote tells of our report that lost to theirs.
func (d *docMerge) lostNote() string {
	at := d.opts.At
	if t, err := plan.ParseTime(d.ours.Text("completed_at")); err == nil {
		at = t
	}
	text := fmt.Sprintf("%s reported %s", cmp.Or(d.ours.Text("executed_by"), d.opts.Agent, "another clone"), status(d.ours))
	if !at.IsZero() {
		text += " at " + plan.FormatTime(at)
	}
	if said := cmp.Or(d.ours.Text("result"), d.ours.Text("error")); said != "" {
		text += ": " + diag.OneLine(said, longestNote)
	}
	if who := d.theirs.Text("executed_by"); who != "" {
		return fmt.Sprintf("%s; %s had %s it", text, who, pastOf(status(d.theirs)))
	}
	return fmt.Sprintf("%s; it was %s", text, status(d.theirs))
}

// longestNote bounds the text of a report in a note.
const longestNote = 4000

// pastOf says what an agent did to a task of that status.
func pastOf(s plan.Status) string {
	switch s {
	case plan.InProgress:
		return "started"
	case plan.Pending:
		return "released"
	}
	return string(s)
}

// remember adds to the task's notes what is not there yet.
func (d *docMerge) remember(what string) {
	d.note("task %s: %s", d.task, what)
	d.jotted = append(d.jotted, what)
}

// jot writes what was remembered into the task's notes.
func (d *docMerge) jot() {
	if len(d.jotted) == 0 {
		return
	}
	notes := texts(d.want["notes"])
	for _, what := range d.jotted {
		if !slices.Contains(notes, what) {
			notes = append(notes, what)
		}
	}
	n := plan.Value(notes)
	if v := d.want["notes"]; v == nil || areLists(v) {
		d.want["notes"] = &n
	}
}

// quoted is a text on one line, cut where it is long.
func quoted(text string) string {
	if text == "" {
		return "nothing"
	}
	return "`" + diag.OneLine(text, 200) + "`"
}
