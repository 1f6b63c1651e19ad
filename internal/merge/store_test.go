package merge

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
)

type plans = map[string]files

// entry gives the plan of an id in a state of a store, which has plans by path.
func entry(state plans, id string) Entry {
	for path, f := range state {
		if path[strings.LastIndex(path, "/")+1:] == id {
			p := f.plan()
			p.ID = id
			return Entry{path, p}
		}
	}
	return Entry{}
}

// mergedStore merges each plan of a store; a-2 is taken.
func mergedStore(b, o, t plans, opts Options) []PlanResult {
	var out []PlanResult
	for _, id := range []string{"a", "b"} {
		v := Versions{id, entry(b, id), entry(o, id), entry(t, id)}
		if v.Base.Plan != nil || v.Ours.Plan != nil || v.Theirs.Plan != nil {
			out = append(out, Stored(v, opts, func(id string) bool { return id == "a-2" }))
		}
	}
	return out
}

// outcome tells merged plans in one line.
func outcome(plans []PlanResult) string {
	var out, conflicts []string
	for _, p := range plans {
		what := "removed"
		if p.Plan != nil {
			what = p.Path + " " + p.Plan.Title()
		}
		out, conflicts = append(out, p.ID+": "+what), append(conflicts, stringsOf(p.Conflicts)...)
	}
	return strings.Join(append(out, conflicts...), "; ")
}

func TestStored(t *testing.T) {
	mine := base().with("plan.md", "---\ntitle: Mine\n---\n\nText.\n")
	done := base().fields("one", "status: done\n")
	rows := []struct {
		name    string
		b, o, t plans
		want    string
	}{
		{"new plans", plans{}, plans{"a": base()}, plans{"b": mine}, "a: a Auth; b: b Mine"},
		{"new plans of one id: the unpublished gets another", plans{"b": mine}, plans{"a": mine, "b": mine}, plans{"a": base(), "b": mine}, "a-3: a-3 Mine; b: b Mine"},
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
		if got := outcome(mergedStore(row.b, row.o, row.t, Options{})); got != row.want {
			t.Errorf("%s: %s\nwant %s", row.name, got, row.want)
		}
		for _, p := range mergedStore(row.b, row.o, row.t, Options{Prefer: Theirs}) {
			if len(p.Conflicts) > 0 {
				t.Errorf("%s: with theirs preferred: %v", row.name, p.Conflicts)
			}
		}
	}
}

// A plan that one side archived keeps the work of the other, wherever it is to be.
func TestArchivedWithWork(t *testing.T) {
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
		p := mergedStore(plans{"a": base()}, c.ours, c.theirs, Options{Prefer: c.prefer})[0]
		if p.Path != c.want || p.Plan.Task("one").Status != plan.Done || p.Plan.Task("two").Doc.Text("priority") != "high" {
			t.Errorf("%s: %s\n%s", c.name, p.Path, show(p.Plan))
		}
		if p.Clean() != (c.prefer != Neither) {
			t.Errorf("%s: conflicts %v", c.name, p.Conflicts)
		}
	}
}

func TestOwnFiles(t *testing.T) {
	file := func(text string) []byte {
		if text == "none" {
			return nil
		}
		return []byte(text)
	}
	for _, c := range []struct{ name, b, o, t, want, conflict string }{
		{"two lines", "a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n", ""},
		{"removed here", "x\n", "none", "x\n", "none", ""},
		{"made here", "none", "n\n", "none", "n\n", ""},
		{"made there, and empty", "none", "none", "", "", ""},
		{"removed there, changed here", "x\n", "y\n", "none", "y\n", "f: removed by one side and changed by the other; ours `changed`, theirs `removed`"},
		{"removed here, changed there", "x\n", "none", "y\n", "y\n", "f: removed by one side and changed by the other; ours `removed`, theirs `changed`"},
		{"one line, two ways", "a\n", "b\n", "c\n", "c\n", "f: ours `b`, theirs `c`"},
	} {
		r := OwnFile("f", file(c.b), file(c.o), file(c.t))
		if want := file(c.want); string(r.Data) != string(want) || (r.Data == nil) != (want == nil) {
			t.Errorf("%s: %q", c.name, r.Data)
		}
		if got := strings.Join(stringsOf(r.Conflicts), "; "); got != c.conflict {
			t.Errorf("%s: conflicts %q", c.name, got)
		}
	}
}

// One plan that two made in the same second is one plan, and the published maker's.
func TestMadeTwice(t *testing.T) {
	by := func(who, at string) plans {
		return plans{"a": base().with("plan.md", "---\ntitle: Auth\ncreated_at: "+at+"\ncreated_by: "+who+"\n---\n\nText.\n")}
	}
	const nine, ten = "2026-01-02T09:00:00Z", "2026-01-02T10:00:00Z"
	for _, c := range []struct {
		name         string
		ours, theirs plans
		want         string
	}{
		{"in one second", by("ann", nine), by("bob", nine), "bob"},
		{"the earlier", by("ann", nine), by("bob", ten), "ann"},
	} {
		r := mergedStore(nil, c.ours, c.theirs, Options{})
		if len(r) != 1 || !r[0].Clean() || r[0].Plan.Doc.Text("created_by") != c.want {
			t.Errorf("%s: %s", c.name, outcome(r))
		}
	}
}
