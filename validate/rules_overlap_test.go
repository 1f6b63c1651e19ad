package validate

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// overlapping is a plan whose three tasks name files in each way there is.
func overlapping() *plan.Plan {
	p, _ := plan.Read("auth", "auth", []plan.File{
		{Path: "plan.md", Data: []byte("---\ntitle: A\n---\n\nText.\n")},
		{Path: "tasks/01-one.md", Data: []byte("---\nid: one\nstatus: done\nrelevant_file_paths: [old.go]\n---\n\nText.\n")},
		{Path: "tasks/02-two.md", Data: []byte("---\nid: two\nrelevant_file_paths: [./a.go, ../out.go]\ncreates: [new/]\n---\n\nText.\n")},
		{Path: "tasks/03-three.md", Data: []byte("---\nid: three\nstatus: in_progress\naffected_files: [b.go, a.go]\n---\n\nText.\n")},
	})
	return p
}

func TestNamedFiles(t *testing.T) {
	p := overlapping()
	if got := strings.Join(NamedFiles(p), " "); got != "a.go b.go new" {
		t.Errorf("names %q", got)
	}
	if names := NamedFiles(&plan.Plan{ID: "gone"}); len(names) > 0 {
		t.Errorf("a plan without files names %q", names)
	}
	abandoned, _ := plan.Read("x", "x", []plan.File{
		{Path: "plan.md", Data: []byte("---\ntitle: A\nabandoned: true\n---\n\nText.\n")},
		{Path: "tasks/01-one.md", Data: []byte("---\nid: one\nrelevant_file_paths: [a.go]\n---\n\nText.\n")},
	})
	if names := NamedFiles(abandoned); len(names) > 0 {
		t.Errorf("an abandoned plan names %q", names)
	}
}

// The rule asks for clean paths of unsettled tasks, and leaves out the plan
// itself. It is off unless gates.yaml asks for it.
func TestOverlap(t *testing.T) {
	var asked []string
	in := Input{Plan: overlapping(), Others: func(p string) []string {
		asked = append(asked, p)
		return map[string][]string{"a.go": {"auth", "b", "c", "d", "e"}, "b.go": {"auth"}, "new": {"z"}}[p]
	}}
	gates := DefaultGates()
	gates.Rules = map[string]diag.Severity{RuleOverlap: diag.Error}
	var got []string
	for _, d := range Run(in, gates, Base) {
		if d.Rule == RuleOverlap {
			got = append(got, d.Path+" "+d.Pos.String()+" "+d.Message)
		}
	}
	want := "auth/tasks/02-two.md 3:23 task `two` names `./a.go`, and so do the unfinished plans `b`, `c`, `d` and others\n" +
		"auth/tasks/02-two.md 4:11 task `two` names `new/`, and so does the unfinished plan `z`\n" +
		"auth/tasks/03-three.md 4:24 task `three` names `a.go`, and so do the unfinished plans `b`, `c`, `d` and others"
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if names := strings.Join(asked, " "); names != "a.go new b.go a.go" {
		t.Errorf("asked for %q", names)
	}
	if gates.Asks(RuleOverlap) != true || DefaultGates().Asks(RuleOverlap) || gates.Asks("nothing") || !gates.Asks("type-missing") {
		t.Error("Asks is wrong")
	}
	if found := Run(in, DefaultGates(), Strict); hasRule(found, RuleOverlap) {
		t.Error("the rule is on by itself")
	}
}
