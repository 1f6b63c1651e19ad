package draft

import (
	"strings"

	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/plan"
)

// Unsettled is a thread that holds the open merge of a plan.
type Unsettled struct {
	Thread Thread
	// Folder is the thread's folder as a person standing here would write it.
	Folder string
	// Standing are the conflicts that the folder still has as they were left there,
	// and that a commit would take so, or refuse where that is no side's way.
	Standing []merge.Conflict
}

// Undecided is a conflict as a thread remembers it, with all that its text tells.
type Undecided struct {
	merge.Conflict
	Message string     `json:"message,omitempty"`
	Holds   merge.Side `json:"holds,omitempty"`
}

func undecided(conflicts []merge.Conflict) (out []Undecided) {
	for _, c := range conflicts {
		out = append(out, Undecided{c, c.Message, c.Holds})
	}
	return out
}

func (u Undecided) conflict() merge.Conflict {
	u.Conflict.Message, u.Conflict.Holds = u.Message, u.Holds
	return u.Conflict
}

// Unsettled gives the threads that hold an open merge.
func (d *Drafts) Unsettled() (out []Unsettled, err error) {
	s, err := d.State()
	if err != nil {
		return nil, err
	}
	for _, t := range s.ordered() {
		if t.Merging == "" {
			continue
		}
		p, _, err := d.read(*t, t.Plan)
		if err != nil {
			return nil, err
		}
		out = append(out, Unsettled{*t, d.prefix(t.Dir), t.standing(p)})
	}
	return out, nil
}

// standing gives the conflicts of the thread's merge that nobody decided otherwise in
// its folder. What is neither a field's value nor there in spite of a removal, such as
// where the plan is to be, stands until something else in the folder was edited.
func (t Thread) standing(p *plan.Plan) (out []merge.Conflict) {
	untouched := digest(p) == t.Opened
	for _, u := range t.Conflicts {
		if c := u.conflict(); untouched || c.Holds == merge.Ours && isKept(c, p) || c.Holds == merge.Theirs && hasTheirs(c, p) {
			out = append(out, c)
		}
	}
	return out
}

// isKept reports whether a plan has what only one side removed.
func isKept(c merge.Conflict, p *plan.Plan) bool {
	if signal, ok := strings.CutPrefix(c.Field, "signals/"); ok {
		return p.Signal(signal) != nil
	}
	return c.Field == "plan" && p.Doc != nil || c.Field == "task" && p.Task(c.Task) != nil
}

// hasTheirs reports whether a field of a plan has the published value.
func hasTheirs(c merge.Conflict, p *plan.Plan) bool {
	doc := p.Doc
	if c.Task != "" {
		doc = nil
		if task := p.Task(c.Task); task != nil {
			doc = task.Doc
		}
	}
	switch {
	case doc == nil || c.Theirs == "":
		return false
	case c.Field == "body":
		return strings.Contains(doc.Body, c.Theirs)
	}
	return doc.Text(c.Field) == c.Theirs
}

// taken tells what a commit of the thread makes of the conflicts that nobody decided.
func (t Thread) taken(p *plan.Plan) (notes []string) {
	how := [...]string{merge.Neither: "took what was merged", merge.Ours: "kept ours", merge.Theirs: "took theirs"}
	for _, c := range t.standing(p) {
		c.Plan = "" // notes on a plan do not name it
		notes = append(notes, c.String()+": "+how[c.Holds])
	}
	return notes
}
