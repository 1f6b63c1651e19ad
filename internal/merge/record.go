package merge

import (
	"cmp"
	"fmt"
	"slices"
	"time"

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

// beats says whether one status wins over another that was reached meanwhile,
// and whether there is an answer at all.
func beats(a, b plan.Status) (wins, decided bool) {
	order := []plan.Status{plan.Pending, plan.InProgress, plan.Blocked, plan.Failed, plan.Skipped, plan.Cancelled}
	x, y := slices.Index(order, a), slices.Index(order, b)
	switch {
	case x >= 0 && y >= 0:
		return x > y, true
	case a == plan.Done && y >= 0:
		return true, b == plan.Pending || b == plan.InProgress || b == plan.Blocked
	case b == plan.Done && x >= 0:
		return false, a == plan.Pending || a == plan.InProgress || a == plan.Blocked
	}
	return false, false
}

// stamped are the fields that a move to another status writes.
func stamped() []string {
	return []string{"executed_by", "started_at", "completed_at", "lease_until"}
}

// reported are the fields that come with a move.
func reported() []string { return []string{"result", "error", "agent", "progress"} }

// record merges a task's status and what was recorded along with it.
func (d *docMerge) record() {
	b, o, t := status(d.base), status(d.ours), status(d.theirs)
	if o == t {
		d.want["status"] = node(d.ours, "status")
		if d.want["status"] == nil {
			d.want["status"] = node(d.theirs, "status") // pending, said in so many words
		}
		d.equalStatus()
		return
	}
	var winner Side
	both := false
	switch {
	case o == b && !d.moved(d.ours):
		winner = Theirs
	case t == b && !d.moved(d.theirs):
		winner = Ours
	default:
		winner, both = d.further(o, t), true
	}
	d.follow(winner, both)
}

// moved reports whether a side with the status of the base was elsewhere meanwhile:
// one that was done again, or taken over, differs in who did it and when. A lease
// that was renewed and a result that was put right are no move.
func (d *docMerge) moved(doc *plan.Document) bool {
	return d.base == nil || slices.ContainsFunc([]string{"executed_by", "started_at", "completed_at"}, func(key string) bool {
		return !same(node(doc, key), node(d.base, key))
	})
}

// further gives the side whose status is further along.
func (d *docMerge) further(o, t plan.Status) Side {
	ours, decided := beats(o, t)
	switch {
	case decided && ours:
		return Ours
	case decided:
		return Theirs
	case d.container: // the tasks below say what it is
		return d.opts.published()
	}
	return d.conflict("status", string(o), string(t), "")
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
		if !ok || both && (key == "result" || key == "error") {
			v = node(from, key)
		}
		d.want[key] = v
	}
}

// equalStatus merges the stamps of a task that stands the same on both sides:
// the earlier start and its owner, the earlier completion. What gives way is
// noted.
func (d *docMerge) equalStatus() {
	started := d.group("started_at", "executed_by")
	completed := d.group("completed_at")
	if started != Neither {
		d.drop(started.other(), "started")
	}
	if holder := d.holder(); holder != Neither {
		d.want["lease_until"] = node(d.on(holder), "lease_until")
	} else if _, ok := d.oneSided("lease_until"); !ok {
		d.want["lease_until"] = node(d.on(d.earlier("lease_until").other()), "lease_until")
	}
	told := cmp.Or(completed, started)
	for _, key := range []string{"result", "error"} {
		if _, ok := d.oneSided(key); ok || told == Neither {
			continue
		}
		d.want[key] = node(d.on(told), key)
		d.tell(told.other(), key)
	}
	if completed != Neither && completed != started {
		d.drop(completed.other(), "completed")
	}
}

// holder gives the side that alone says what was decided on who works on the
// task, and since when: a lease belongs to one claim and is no other's.
func (d *docMerge) holder() Side {
	says := func(s Side) bool {
		return !slices.ContainsFunc([]string{"started_at", "executed_by"}, func(k string) bool {
			return !same(node(d.on(s), k), d.want[k])
		})
	}
	switch ours, theirs := says(Ours), says(Theirs); {
	case ours && !theirs:
		return Ours
	case theirs && !ours:
		return Theirs
	}
	return Neither
}

// group decides fields that belong to a time, the first of them. It gives the
// side that was earlier, Neither where at most one side changed them.
func (d *docMerge) group(keys ...string) Side {
	changed := func(doc *plan.Document) bool {
		return slices.ContainsFunc(keys, func(k string) bool { return !same(node(doc, k), node(d.base, k)) })
	}
	equal := !slices.ContainsFunc(keys, func(k string) bool { return !same(node(d.ours, k), node(d.theirs, k)) })
	side, met := Ours, false
	switch {
	case equal:
	case !changed(d.ours):
		side = Theirs
	case changed(d.theirs):
		side, met = d.earlier(keys[0]), true
	}
	for _, k := range keys {
		d.want[k] = node(d.on(side), k)
	}
	if !met {
		return Neither
	}
	return side
}

// earlier gives the side whose time in a field is the earlier one; one without
// a time is later, and of equal times the published counts.
func (d *docMerge) earlier(key string) Side {
	o, errO := plan.ParseTime(d.ours.Text(key))
	t, errT := plan.ParseTime(d.theirs.Text(key))
	switch {
	case errO == nil && (errT != nil || o.Before(t)):
		return Ours
	case errT == nil && (errO != nil || t.Before(o)):
		return Theirs
	}
	return d.opts.published()
}

// drop notes what a side had done that gives way, if somebody else did it.
func (d *docMerge) drop(loser Side, did string) {
	doc, other := d.on(loser), d.on(loser.other())
	who, key := doc.Text("executed_by"), "started_at"
	if doc.Has("completed_at") && did != "started" {
		key = "completed_at"
	}
	if who == "" || who == other.Text("executed_by") || same(node(d.base, key), node(doc, key)) {
		return
	}
	d.remember(fmt.Sprintf("%s by %s too, %s", did, who, when(doc.Text(key))))
}

// tell notes a report that gives way.
func (d *docMerge) tell(loser Side, key string) {
	doc := d.on(loser)
	if said := brief(doc.Text(key)); said != "" {
		d.remember(fmt.Sprintf("%s of %s: %s", key, cmp.Or(doc.Text("executed_by"), "the other side"), said))
	}
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

func when(text string) string {
	if at, err := plan.ParseTime(text); err == nil {
		return at.Format(time.RFC3339)
	}
	return "at an unknown time"
}

// brief is a text on one line, cut where it is long.
func brief(text string) string { return diag.OneLine(text, 200) }

func quoted(text string) string {
	if text == "" {
		return "nothing"
	}
	return "`" + brief(text) + "`"
}
