package store

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

func parsePlan(id string, list []plan.File) *plan.Plan {
	p, _ := plan.Read(id, "", list)
	return p
}

// needing gives a task of a plan's files a depends_on.
func needing(list []plan.File, id, on string) []plan.File {
	out := append([]plan.File(nil), list...)
	for i, f := range out {
		if strings.Contains(string(f.Data), "id: "+id+"\n") {
			out[i].Data = []byte(strings.Replace(string(f.Data), "id: "+id+"\n", "id: "+id+"\ndepends_on: ["+on+"]\n", 1))
		}
	}
	return out
}

func TestMergePlansMeetsTheGate(t *testing.T) {
	_, repo := begin(t)
	list := append(files("Auth", "one"), plan.File{Path: "tasks/02-two.md", Data: []byte("---\nid: two\n---\n\nDo it.\n")})
	base := parsePlan("auth", list)
	ours, theirs := parsePlan("auth", needing(list, "one", "two")), parsePlan("auth", needing(list, "two", "one"))
	p := Policy{Gates: validate.DefaultGates()}
	r := mergePlans(repo, p, base, ours, theirs, merge.Options{})
	if len(r.Conflicts) != 1 || r.Conflicts[0].Field != "depends-cycle" || r.Conflicts[0].Plan != "auth" || !strings.Contains(r.Conflicts[0].Message, "one -> two") {
		t.Errorf("a cycle of two innocent edits: %v", r.Conflicts)
	}
	r = mergePlans(repo, p, base, ours, theirs, merge.Options{Prefer: merge.Theirs})
	if !r.Clean() || r.Plan != theirs || len(r.Notes) != 1 {
		t.Errorf("with theirs preferred: %v, %q", r.Conflicts, r.Notes)
	}
	if r = mergePlans(repo, p, base, ours, base, merge.Options{}); !r.Clean() || r.Plan != ours {
		t.Errorf("one side changed: %v", r.Conflicts)
	}
}

func TestMakeOnto(t *testing.T) {
	g, repo := begin(t)
	put(t, repo, "untouched", files("Untouched", "one"))
	base := put(t, repo, "auth", files("Auth", "one", "two")).Commit
	back := func() { g.Git("update-ref", "refs/heads/plans", base) }

	if _, err := move(repo, "auth", "one", plan.Done); err != nil {
		t.Fatal(err)
	}
	put(t, repo, "rotate", files("Rotate by us", "key"))
	ours := put(t, repo, "mine", files("Mine", "x")).Commit
	back()
	put(t, repo, "rotate", files("Rotate by them", "key"))
	theirs := put(t, repo, "auth", append(files("Auth", "one", "two"), plan.File{Path: "tasks/03-three.md", Data: []byte("---\nid: three\n---\n\nDo it.\n")})).Commit

	o := ontoOf(t, repo, base, ours, theirs)
	var got []string
	for _, p := range o.Plans {
		got = append(got, p.ID+" "+p.Plan.Title())
	}
	if s := strings.Join(got, ", "); s != "auth Auth, rotate-2 Rotate by us" || strings.Join(o.Taken, " ") != "mine" || len(o.Conflicts) > 0 || o.Renamed["rotate"] != "rotate-2" {
		t.Errorf("plans %s, taken %s, conflicts %v, renamed %v", s, o.Taken, o.Conflicts, o.Renamed)
	}
	auth := o.Plans[0].Plan
	if auth.Task("one").Status != plan.Done || auth.Task("three") == nil {
		t.Errorf("one of the two changes of auth is lost")
	}
}
