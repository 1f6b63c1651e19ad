package form

import (
	"strconv"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
)

// stored is a plan of one task, with a signal on it and one on the plan.
func stored() *plan.Plan {
	p, _ := plan.Read("auth", "", []plan.File{
		{Path: "plan.md", Data: []byte("---\ntitle: Auth\n---\n\nWhy.\n")},
		{Path: "tasks/01-schema.md", Data: []byte("---\nid: schema\n---\n\nMake it.\n")},
		{Path: "signals/all.md", Data: []byte("---\nlevel: info\n---\n\nHm.\n")},
		{Path: "signals/one.md", Data: []byte("---\nlevel: info\ntask: schema\n---\n\nHm.\n")},
	})
	return p
}

// outline gives an outline of titles, matched with a stored plan.
func outline(onto *plan.Plan, titles ...string) *Outline {
	o, was := &Outline{}, &Outline{}
	for i, title := range titles {
		it := &Item{Number: strconv.Itoa(i + 1), Silent: true}
		it.Say("title", title)
		o.Items = append(o.Items, it)
	}
	for _, t := range onto.Tasks {
		it := &Item{Number: t.Number()}
		it.Say("title", t.Title())
		was.Items = append(was.Items, it)
	}
	o.Match(was.Stored(onto.All()))
	return o
}

// A signal goes with its task, and that is told.
func TestSignals(t *testing.T) {
	for title, want := range map[string]string{"schema": "signals/all.md signals/one.md", "Other": "signals/all.md; the signal one, whose task is no more"} {
		files, lost := outline(stored(), title).Files(stored())
		var names []string
		for _, f := range files {
			if strings.HasPrefix(f.Path, "signals/") {
				names = append(names, f.Path)
			}
		}
		if got := strings.Join(append([]string{strings.Join(names, " ")}, lost...), "; "); got != want {
			t.Errorf("with %s: %s, want %s", title, got, want)
		}
	}
}

// An id that a stored task had is not another's.
func TestIDs(t *testing.T) {
	o := outline(stored(), "Other", "Kept", "Other", "schema")
	o.Items[1].ID = "other-2"
	o.Name(stored())
	if got := strings.Join(idsOf(o.Items), " "); got != "other other-2 other-3 schema" {
		t.Errorf("with the stored task: %s", got)
	}
	o = outline(stored(), "Other", "Kept")
	o.Items[0].Fields[0].Value.Text = "schema"
	if o.Name(stored()); o.Items[0].ID != "schema-2" {
		t.Errorf("without the stored task: %s", o.Items[0].ID)
	}
}
