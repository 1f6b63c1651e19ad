package formats

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/plan"
)

// Every form is written and known again by what it holds, and reads what it
// wrote.
func TestForms(t *testing.T) {
	p, found := plan.Read("demo", "", []plan.File{
		{Path: "plan.md", Data: []byte("---\ntitle: Demo\n---\n\nDemo\n")},
		{Path: "tasks/01-one.md", Data: []byte("---\nid: one\ntitle: One\n---\n\nOne\n")},
	})
	if len(found) > 0 {
		t.Fatal(found)
	}
	for _, f := range All() {
		for _, json := range []bool{false, true} {
			if f.Write == nil {
				continue
			}
			text, losses, err := f.Write(Writing{Plan: p, Updated: time.Unix(0, 0), JSON: json})
			if err != nil || len(losses) > 0 && f.WriteSpec == nil {
				t.Errorf("%s: losses %v", f.Name, losses)
			}
			known, err := Detect("stdin", text)
			if name := known.Name; err != nil || name != f.Name && !(f.Name == "planspec" && json && name == "planspec-json") {
				t.Errorf("%s is taken for %q: %v", f.Name, known.Name, err)
			}
			again, found := f.Parse("stdin", text)
			if again == nil {
				t.Fatalf("%s cannot read what it wrote: %v", f.Name, found)
			}
			if again.Spec != nil {
				again.Spec.Plan.Say("goal", "Demo") // which a HopSpec has not
			}
			files, _ := again.Files(nil)
			if !slices.ContainsFunc(files, func(x plan.File) bool { return x.Path == "tasks/01-one.md" }) || again.ID != "demo" && f.Name != "planloop" && f.WriteSpec == nil {
				t.Errorf("%s: id %s, files %v", f.Name, again.ID, files)
			}
		}
		if g, err := Find(f.Name); err != nil || g.Name != f.Name {
			t.Errorf("%s is not found: %v", f.Name, err)
		}
	}
}

func TestUnknown(t *testing.T) {
	if _, err := Find("rawk"); err == nil || !strings.Contains(err.Error(), `did you mean "rawko"?`) {
		t.Errorf("got %v", err)
	}
	if _, err := Detect("notes.txt", []byte("Hello")); err == nil || !strings.Contains(err.Error(), "name it with -f") {
		t.Errorf("got %v", err)
	}
	if f, err := Detect("plan.yaml", []byte("staps: []")); err != nil || f.Name != "rawko" {
		t.Errorf("the only form with such names is not taken: %v", err)
	}
}
