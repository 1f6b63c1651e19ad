package merge

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
)

func storeOf(plans map[string]files, own ...string) Store {
	s := Store{Plans: map[string]Entry{}, Files: map[string][]byte{}}
	for path, f := range plans {
		id := path[strings.LastIndex(path, "/")+1:]
		p := f.plan()
		p.ID = id
		s.Plans[id] = Entry{path, p}
	}
	for i := 0; i < len(own); i += 2 {
		s.Files[own[i]] = []byte(own[i+1])
	}
	return s
}

// outcome tells a merged store in one line.
func outcome(r StoreResult) string {
	var out []string
	for _, p := range r.Plans {
		what := "removed"
		if p.Plan != nil {
			what = p.Path + " " + p.Plan.Title()
		}
		out = append(out, p.ID+": "+what)
	}
	return strings.Join(append(out, stringsOf(r.AllConflicts())...), "; ")
}

func TestStores(t *testing.T) {
	type plans = map[string]files
	mine := base().with("plan.md", "---\ntitle: Mine\n---\n\nText.\n")
	done := base().fields("one", "status: done\n")
	rows := []struct {
		name    string
		b, o, t plans
		want    string
	}{
		{"new plans", plans{}, plans{"a": base()}, plans{"b": mine}, "a: a Auth; b: b Mine"},
		{"new plans of one id: the unpublished gets another", plans{"b": mine}, plans{"a": mine, "b": mine}, plans{"a": base(), "b": mine}, "a: a Auth; a-3: a-3 Mine; b: b Mine"},
		{"one plan that both have", plans{}, plans{"a": done}, plans{"a": base()}, "a: a Auth"},
		{"removed", plans{"a": base()}, plans{}, plans{"a": base()}, "a: removed"},
		{"removed and changed", plans{"a": base()}, plans{}, plans{"a": done}, "a: a Auth; a: plan: removed by one side and changed by the other; ours `removed`, theirs `changed`"},
		{"archived", plans{"a": done}, plans{"archive/2026/a": done}, plans{"a": done}, "a: archive/2026/a Auth"},
		{"restored", plans{"archive/2026/a": done}, plans{"archive/2026/a": done}, plans{"a": done}, "a: a Auth"},
		{"archived by both, in two years", plans{"a": done}, plans{"archive/2026/a": done}, plans{"archive/2027/a": done}, "a: archive/2027/a Auth"},
		{"archived and changed", plans{"a": base()}, plans{"archive/2026/a": base()}, plans{"a": done}, "a: a Auth; a: plan: moved by one side and changed by the other; ours `archived`, theirs `changed`"},
		{"archived and removed", plans{"a": base()}, plans{"archive/2026/a": base()}, plans{}, "a: removed"},
	}
	for _, row := range rows {
		taken := func(id string) bool { return id == "a-2" }
		r := Stores(storeOf(row.b), storeOf(row.o), storeOf(row.t), StoreOptions{Taken: taken})
		if got := outcome(r); got != row.want {
			t.Errorf("%s: %s\nwant %s", row.name, got, row.want)
		}
		prefer := map[string]Side{"a": Theirs}
		if r := Stores(storeOf(row.b), storeOf(row.o), storeOf(row.t), StoreOptions{Prefer: prefer}); len(r.AllConflicts()) > 0 {
			t.Errorf("%s: with theirs preferred: %v", row.name, r.AllConflicts())
		}
	}
}

// A plan that one side archived keeps the work of the other, wherever it is to be.
func TestArchivedWithWork(t *testing.T) {
	type plans = map[string]files
	archived, worked := plans{"archive/2026/a": base().fields("two", "priority: high\n")}, plans{"a": base().fields("one", "status: done\n")}
	for _, c := range []struct {
		name         string
		ours, theirs plans
		prefer       Side
		want         string
	}{
		{"archived there", worked, archived, Neither, "archive/2026/a"},
		{"archived here", archived, worked, Neither, "a"},
		{"archived there, ours taken", worked, archived, Ours, "a"},
		{"archived there, theirs taken", worked, archived, Theirs, "archive/2026/a"},
	} {
		r := Stores(storeOf(plans{"a": base()}), storeOf(c.ours), storeOf(c.theirs), StoreOptions{Prefer: map[string]Side{"a": c.prefer}})
		p := r.Plans[0]
		if p.Path != c.want || p.Plan.Task("one").Status != plan.Done || p.Plan.Task("two").Doc.Text("priority") != "high" {
			t.Errorf("%s: %s\n%s", c.name, p.Path, show(p.Plan))
		}
		if open := len(r.AllConflicts()) > 0; open != (c.prefer == Neither) {
			t.Errorf("%s: conflicts %v", c.name, r.AllConflicts())
		}
	}
}

func TestOwnFiles(t *testing.T) {
	const readme = "a\nb\nc\nd\n"
	r := Stores(
		storeOf(nil, "README.md", readme, "old", "x\n", "gone", "x\n"),
		storeOf(nil, "README.md", strings.Replace(readme, "a", "A", 1), "new", "n\n", "gone", "y\n"),
		storeOf(nil, "README.md", strings.Replace(readme, "d", "D", 1), "old", "x\n"), StoreOptions{})
	if got := string(r.Files["README.md"]); got != "A\nb\nc\nD\n" {
		t.Errorf("merged %q", got)
	}
	if r.Files["old"] != nil || string(r.Files["new"]) != "n\n" {
		t.Errorf("files %q", r.Files)
	}
	if len(r.Conflicts) != 1 || r.Conflicts[0].Field != "gone" {
		t.Errorf("conflicts %v", r.Conflicts)
	}
	r = Stores(storeOf(nil, "f", "a\n"), storeOf(nil, "f", "b\n"), storeOf(nil, "f", "c\n"), StoreOptions{})
	if len(r.Conflicts) != 1 || string(r.Files["f"]) != "c\n" {
		t.Errorf("conflicts %v, %q", r.Conflicts, r.Files["f"])
	}
}

func TestGates(t *testing.T) {
	const head = "# ours to say\nformat: 1\n"
	rows := []struct{ name, b, o, t, want, conflict string }{
		{"two keys", head + "gate: base\n", head + "gate: strict # since May\n", head + "gate: base\njudge: advisory\n", head + "gate: strict # since May\njudge: advisory\n", ""},
		{"the stricter gate", head, head + "gate: base\n", head + "gate: strict\n", head + "gate: strict\n", ""},
		{"the stricter judge", head + "judge: off\n", head + "judge: required # yes\n", head + "judge: advisory\n", head + "judge: required # yes\n", ""},
		{"the shorter lease", head + "lease: 4h\n", head + "lease: 8h\n", head + "lease: 30m\n", head + "lease: 30m\n", ""},
		{"the shorter of long leases", head + "lease: 4h\n", head + "lease: 52w\n", head + "lease: 100w\n", head + "lease: 52w\n", ""},
		{"rules by key", head + "rules:\n  no-tasks: warning\n", head + "rules:\n  no-tasks: error\n  overlap: warning\n", head + "rules:\n  no-tasks: off\n  hint-path: error\n",
			head + "rules:\n  no-tasks: error\n  hint-path: error\n  overlap: warning\n", ""},
		{"a rule removed and lowered", head + "rules:\n  overlap: error\n", head, head + "rules:\n  overlap: off\n", "", ""},
		{"what has no order", head + "x: 1\n", head + "x: 2\n", head + "x: 3\n", head + "x: 3\n", "gates.yaml x: ours `2`, theirs `3`"},
		{"no mapping", "a\n", "b\n", "c\n", "c\n", "gates.yaml: ours `b`, theirs `c`"},
	}
	for _, row := range rows {
		r := Stores(storeOf(nil, gatesFile, row.b), storeOf(nil, gatesFile, row.o), storeOf(nil, gatesFile, row.t), StoreOptions{})
		if got := string(r.Files[gatesFile]); row.want != "" && got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
		if got := strings.Join(stringsOf(r.AllConflicts()), "; "); got != row.conflict {
			t.Errorf("%s: conflicts %q, want %q", row.name, got, row.conflict)
		}
	}
}

// One plan that two made in the same second is one plan, and the published maker's.
func TestMadeTwice(t *testing.T) {
	by := func(who, at string) Store {
		text := "---\ntitle: Auth\ncreated_at: " + at + "\ncreated_by: " + who + "\n---\n\nText.\n"
		return storeOf(map[string]files{"a": base().with("plan.md", text)})
	}
	const nine, ten = "2026-01-02T09:00:00Z", "2026-01-02T10:00:00Z"
	for _, c := range []struct {
		name         string
		ours, theirs Store
		want         string
	}{
		{"in one second", by("ann", nine), by("bob", nine), "bob"},
		{"the earlier", by("ann", nine), by("bob", ten), "ann"},
	} {
		r := Stores(storeOf(nil), c.ours, c.theirs, StoreOptions{})
		if len(r.Conflicts) > 0 || len(r.Plans) != 1 || r.Plans[0].Plan.Doc.Text("created_by") != c.want {
			t.Errorf("%s: %s", c.name, outcome(r))
		}
	}
}
