package rawko

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/git-plan/git-plan/plan"
)

func treePlan(t *testing.T) *plan.Plan {
	t.Helper()
	file := func(path, text string) plan.File { return plan.File{Path: path, Data: []byte(text)} }
	p, found := plan.Read("p", "", []plan.File{
		file("plan.md", "---\ntitle: T\ncreated_at: 2026-01-01T00:00:00Z\ncreated_by: a\n---\n\nT\n"),
		file("tasks/02-a.md", "---\nid: a\ntitle: A\nkind: subtask\nstatus: in_progress\n---\n\nA # kept\n"),
		file("tasks/02-a/03-b.md", "---\nid: b\ntitle: B\nkind: act\noutputs: [x]\n---\n\nB\n"),
		file("tasks/02-a/07-c.md", "---\nid: c\ntitle: C\ninputs: [x]\n---\n\nC\n"),
		file("tasks/05-d.md", "---\nid: d\ntitle: D\ndepends_on: [a]\n---\n\nD\n"),
		file("signals/s.md", "---\nlevel: info\ntask: a\n---\n\nM\n"),
	})
	if len(found) > 0 {
		t.Fatal(found)
	}
	return p
}

// A tree that went to the flat list and back is the tree that is stored.
func TestTreeStays(t *testing.T) {
	p := treePlan(t)
	out, _ := FromPlan(p, time.Time{})
	files, losses := out.Files(p)
	if len(losses) > 0 || len(files) != len(p.Files()) {
		t.Errorf("%d files, %q", len(files), losses)
	}
	for _, f := range files {
		if want := p.Files()[f.Path]; string(want) != string(f.Data) {
			t.Errorf("%s is\n%s\nwant\n%s", f.Path, f.Data, want)
		}
	}
	more := out.Steps[2]
	more.Index, more.Description, more.DependsOn, more.Instructions = 3, "New", []int{0}, nil
	out.Steps = append(out.Steps, more)
	files, _ = out.Files(p)
	if !slices.ContainsFunc(files, func(f plan.File) bool { return f.Path == "tasks/06-new.md" }) || len(files) != len(p.Files())+1 {
		t.Errorf("with a step more: %d files, the last %s", len(files), files[len(files)-1].Path)
	}
}

// A tree that cannot stay is told.
func TestTreeIsLost(t *testing.T) {
	p := treePlan(t)
	out, _ := FromPlan(p, time.Time{})
	out.Steps[0].Description = "Another"
	files, losses := out.Files(p)
	want := "the tree of the stored plan: 1 task with others below, as the steps are not those of the tree in their order"
	if !slices.Contains(losses, want) || files[1].Path != "tasks/01-another.md" {
		t.Error(fmt.Sprint(losses), files[1].Path)
	}
}
