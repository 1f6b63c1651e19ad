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
	// Standing are the conflicts in which the folder still has what is published, and
	// a commit would take it.
	Standing []merge.Conflict
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
// its folder. What is no field's value, such as where the plan is to be, stands until
// something else in the folder was edited.
func (t Thread) standing(p *plan.Plan) (out []merge.Conflict) {
	untouched := digest(p) == t.Opened
	for _, c := range t.Conflicts {
		doc := p.Doc
		if c.Task != "" {
			doc = nil
			if task := p.Task(c.Task); task != nil {
				doc = task.Doc
			}
		}
		switch {
		case untouched,
			doc != nil && c.Field == "body" && c.Theirs != "" && strings.Contains(doc.Body, c.Theirs),
			doc != nil && c.Field != "body" && c.Theirs != "" && doc.Text(c.Field) == c.Theirs:
			out = append(out, c)
		}
	}
	return out
}

// taken tells in which conflicts a commit of the thread takes what is published.
func (t Thread) taken(p *plan.Plan) (notes []string) {
	for _, c := range t.standing(p) {
		c.Plan = "" // notes on a plan do not name it
		notes = append(notes, c.String()+": took "+merge.Theirs.String())
	}
	return notes
}
