package loop

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// number gives the new tasks their ids and numbers: the highest number of a
// top-level task and one more.
func (r *run) number() {
	r.first = highest(r.before) + 1
	r.taken = map[string]bool{}
	for _, t := range r.before.All() {
		r.taken[t.ID] = true
	}
	for i, e := range r.update.Payload.Add {
		title := e.text("title")
		if r.first+i > plan.MaxSiblings {
			title = fmt.Sprintf("beyond the limit %d", i) // never stored, and there may be thousands of one title
		}
		ref := plan.NewID(title, "task", func(id string) bool { return r.taken[id] })
		r.taken[ref] = true
		r.refs = append(r.refs, ref)
	}
	if over := r.first - 1 + len(r.refs) - plan.MaxSiblings; len(r.refs) > 0 && over > 0 {
		r.crowded = true
		r.faults.add(LimitExceeded, "add_tasks: the new tasks would get the numbers %d to %d, and a plan has at most %d top-level tasks: leave out %d, or make a plan of them",
			r.first, r.first-1+len(r.refs), plan.MaxSiblings, over)
	}
}

func highest(p *plan.Plan) int {
	n := 0
	for _, t := range p.Tasks {
		n = max(n, t.NN)
	}
	return n
}

// lookUp finds the task that a payload names: one of the plan, or the id of one
// that the payload adds.
func (r *run) lookUp(n name) (t *plan.Task, ref string) {
	if !n.isNumber {
		if t := r.before.Task(n.text); t != nil {
			r.same(n, t)
			return t, t.ID
		}
		if r.taken[n.text] {
			return nil, n.text
		}
	}
	if t := byNumber(r.before, n.text); t != nil {
		r.unmoved(n, t)
		return t, t.ID
	}
	if i, err := strconv.Atoi(n.text); err == nil && i >= r.first && i < r.first+len(r.refs) {
		if r.old != nil && highest(r.old)+1 != r.first {
			r.faults.add(Conflict, "%s: the new tasks get the numbers from %d on, and at %.10s it was from %d on",
				n.where, r.first, r.update.Payload.Commit, highest(r.old)+1)
		}
		return nil, r.refs[i-r.first]
	}
	return nil, ""
}

func byNumber(p *plan.Plan, number string) *plan.Task {
	number = strings.TrimLeft(number, "0")
	for _, t := range p.All() {
		if t.Number() == number || number == "" && t.Number() == "0" {
			return t
		}
	}
	return nil
}

// unmoved makes sure that a number still names what it did when the agent
// looked.
func (r *run) unmoved(n name, t *plan.Task) {
	if r.old == nil {
		return
	}
	was := byNumber(r.old, n.text)
	switch {
	case was == nil:
		r.faults.add(Conflict, "%s: no task had the number %s at %.10s; it is `%s` now", n.where, n.text, r.update.Payload.Commit, t.ID)
	case was.ID != t.ID:
		r.faults.add(Conflict, "%s: task %s was `%s` at %.10s and is `%s` now: name tasks by their `ref`", n.where, n.text, was.ID, r.update.Payload.Commit, t.ID)
	default:
		r.same(n, t)
	}
}

// same makes sure that an id still names what it did: where two clones gave one to
// new tasks, the merge left it to the task that was published first.
func (r *run) same(n name, t *plan.Task) {
	if r.old != nil && r.aside && r.old.Task(t.ID) != nil && plan.TaskChanged(r.old, t) {
		r.faults.add(Conflict, "%s: `%s` is not the task that it was at %.10s, which was merged since: run `git plan status --json`, and name the one that is meant", n.where, t.ID, r.update.Payload.Commit)
	}
}

// depends gives the ids that an entry's dependencies name.
func (r *run) depends(e Entry) []string {
	out := []string{}
	for _, n := range *e.depends {
		_, ref := r.lookUp(n)
		if ref == "" {
			r.unknown(n)
			e.faulty["dependencies"] = true
			continue
		}
		if !slices.Contains(out, ref) {
			out = append(out, ref)
		}
	}
	return out
}

// redefine changes what the tasks to be updated are.
func (r *run) redefine(files map[string][]byte) {
	for i, e := range r.update.Payload.Update {
		t := r.updates[i]
		if t == nil {
			if e.depends != nil {
				r.depends(e) // what is wrong with them is worth telling
			}
			continue
		}
		doc, err := r.edit(t.Doc, e)
		if err != nil {
			r.faults.add(kindOf(err), "%s: %v", e.where, err)
			continue
		}
		files[doc.Path] = []byte(doc.Source)
		if title, ok := e.values["title"].(string); ok && strings.TrimSpace(title) != "" {
			r.labels.set(doc.Path, label(title), e.faulty)
		}
	}
}

func (r *run) edit(doc *plan.Document, e Entry) (*plan.Document, error) {
	values := maps.Clone(e.values)
	if e.depends != nil {
		values["depends_on"] = r.depends(e)
	}
	var err error
	for _, field := range slices.Sorted(maps.Keys(values)) {
		switch field {
		case "result", "error", "notes", "affected_files":
			continue // they come with the move
		}
		if isEmpty(values[field]) && field != "title" {
			doc, err = doc.Delete(field)
		} else {
			doc, err = doc.Set(field, plan.Value(values[field]))
		}
		if err != nil {
			return nil, err
		}
	}
	if e.body != nil && strings.TrimSpace(*e.body) != doc.Prose() {
		return doc.WithBody("\n" + strings.Trim(*e.body, "\n") + "\n")
	}
	return doc, nil
}

// isEmpty reports whether a value takes a field away.
func isEmpty(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v) == ""
	case []string:
		return len(v) == 0
	}
	return false
}

// add writes the files of the new tasks. Those over the limit share the last
// number: they are judged with the others, and never stored.
func (r *run) add(files map[string][]byte) {
	for i, e := range r.update.Payload.Add {
		who := label(e.text("title"))
		if strings.TrimSpace(e.text("title")) == "" {
			who = fmt.Sprintf("Task #%d", i+1)
			if !e.faulty["title"] {
				r.faults.add(ValidationFailed, "%s is missing the `title` field.", who)
			}
		}
		file, err := r.compose(fmt.Sprintf("tasks/%02d-%s.md", min(r.first+i, plan.MaxSiblings), r.refs[i]), e, r.refs[i])
		if err != nil {
			kind, why := whyNot(err)
			r.faults.add(kind, "%s: %s.", who, why)
			continue
		}
		files[file.Path] = file.Data
		r.labels.set(file.Path, who, e.faulty)
	}
}

// whyNot says why a task's file could not be written; the agent knows none.
func whyNot(err error) (Kind, string) {
	var e *plan.EditError
	switch {
	case !errors.As(err, &e):
		return ValidationFailed, err.Error()
	case e.Limit:
		return LimitExceeded, e.Reason + " (" + e.Hint + ")"
	}
	return ValidationFailed, e.Reason
}

// compose writes the file of one new task.
func (r *run) compose(path string, e Entry, ref string) (plan.File, error) {
	values := map[string]any{"id": ref}
	for field, v := range e.values {
		if !isEmpty(v) {
			values[field] = v
		}
	}
	if e.depends != nil {
		if names := r.depends(e); len(names) > 0 {
			values["depends_on"] = names
		}
	}
	body := e.text("title")
	if e.body != nil && strings.TrimSpace(*e.body) != "" {
		body = *e.body
	}
	if strings.TrimSpace(body) == "" {
		body = strings.ReplaceAll(ref, "-", " ")
	}
	return plan.ComposeTask(path, values, body)
}
