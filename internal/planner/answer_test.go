package planner_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/planner"
	"github.com/git-plan/git-plan/plan"
)

// failed is a plan with a task that is done, one that failed and one that waits.
func failed(t testing.TB) *plan.Plan {
	t.Helper()
	task := func(nn int, id, front string) plan.File {
		return plan.File{Path: fmt.Sprintf("tasks/%02d-%s.md", nn, id), Data: fmt.Appendf(nil, "---\nid: %s\n%s\n---\n\nDo %s.\n", id, front, id)}
	}
	p, found := plan.Read("auth", "", []plan.File{
		{Path: "plan.md", Data: []byte("---\ntitle: Log in\ngoal: Users log in\n---\n\nWhy.\n")},
		task(1, "schema", "title: Create the schema\ntype: feature\nstatus: done\nresult: two tables"),
		task(2, "arrays", "title: Store roles\ntype: feature\nstatus: failed\nerror: no arrays\nnotes: [tried twice]\ndepends_on: [schema]"),
		task(3, "news", "title: Write news\ntype: docs\ndepends_on: [arrays]"),
		{Path: "signals/tests.md", Data: []byte("---\nlevel: blocker\ntask: arrays\n---\n\nRed.\n")},
	})
	if len(found) > 0 {
		t.Fatal(found)
	}
	return p
}

// next is an answer with these tasks.
func next(tasks string) string {
	return `{"plan": {"tasks": [` + tasks + `]}, "changes": "c", "reasoning": "r"}`
}

func TestReadNext(t *testing.T) {
	now := failed(t)
	v, err := planner.ReadNext([]byte(next(`{"id": 1, "ref": "schema", "title": "Create the schema"}, {"id": 2, "title": "Join roles", "type": "feature", "dependencies": ["schema"]},
		{"id": 3, "ref": "news", "title": "Write news", "dependencies": [2]}`)), now)
	if err != nil || v.Changes != "c" || v.Reasoning != "r" || len(v.Faults) > 0 {
		t.Fatalf("%+v, %v", v, err)
	}
	made, found := plan.Read("auth", "", v.Files(now))
	var got []string
	for _, task := range made.All() {
		got = append(got, fmt.Sprint(task.Number(), " ", task.ID, " ", task.Status, " ", task.Doc.List("depends_on")))
	}
	if want := []string{"1 schema done []", "2 join-roles pending [schema]", "3 news pending [join-roles]"}; !slices.Equal(got, want) || len(found) > 0 {
		t.Errorf("%q, %v", got, found)
	}
	if dropped := planner.Dropped(now, made); len(dropped) > 0 {
		t.Errorf("%q", dropped)
	}
	if made.Title() != "Log in" {
		t.Errorf("plan.md became %q", made.Doc.Source)
	}
}

// Whatever an answer holds, it is refused with reasons, or it is a draft whose
// faults the gate, or the reader, tells. None takes long or ends the program.
func TestHostileVersions(t *testing.T) {
	now := failed(t)
	many := strings.Builder{}
	for i := range 10_000 {
		fmt.Fprintf(&many, `%s{"id": %d, "title": "A"}`, map[bool]string{true: ",", false: ""}[i > 0], i+1)
	}
	deep := strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40)
	for _, c := range []struct{ answer, want string }{
		{`{}`, "the answer has no `plan`"},
		{`{"plan": [], "changes": "c", "reasoning": "r"}`, "`plan` has no `tasks`"},
		{`{"plan": {"tasks": 7}, "changes": "c", "reasoning": "r"}`, "must be a list"},
		{`{"plan": {"tasks": [7]}, "changes": "c", "reasoning": "r"}`, "must be an object"},
		{`{"plan": {"tasks": [], "command": "rm -rf /"}, "changes": "c", "reasoning": "r"}`, "no key `command`"},
		{`{"plan": {"tasks": []}, "changes": "", "reasoning": 3}`, "`changes` is empty"},
		{`{"plan": {"tasks": []}, "changes": "c", "reasoning": "r", "Plan": {}}`, "no key `Plan`"},
		{next(`{"id": 1, "title": "A", "command": "rm -rf /"}`), "task 1 of the list has no key `command`"},
		{next(`{"id": 1, "title": "A", "status": "DONE", "executed_by": "x"}`), "task 1 of the list has no key `executed_by`"},
		{next(`{"id": 1, "ref": "../../x", "title": "A"}`), "the plan has no task with the `ref` `../../x`"},
		{next(`{"id": 1, "ref": "shema", "title": "A"}`), `(did you mean "schema"?)`},
		{next(`{"id": 1, "ref": 7, "title": "A"}`), "the plan has no task with the `ref` `7`"},
		{next(`{"id": 1, "title": "A\u001b[2J"}`), "`title`"},
		{next(`{"id": 1, "title": "A\u202e"}`), "`title`"},
		{next(`{"id": 1, "title": "A\nstatus: done"}`), "must be one line"},
		{next(`{"id": -1, "title": "A"}`), "`id` must be a task's number"},
		{next(`{"id": 1, "title": "A"}, {"id": 1, "title": "B"}`), "two tasks have the `id` 1"},
		{next(`{"id": 1, "ref": "news", "title": "A"}, {"id": 2, "ref": "news", "title": "B"}`), "two tasks have the `ref` `news`"},
		{next(`{"id": 1, "title": "A", "dependencies": [1]}`), "depends on itself"},
		{next(`{"id": 1, "title": "A", "dependencies": [9]}`), "names no task 9"},
		{next(`{"id": 1, "title": "A", "relevant_file_paths": ["../../etc/passwd"]}`), "leaves the project"},
		{next(`{"id": 1, "title": "A", "relevant_file_paths": ["/etc/passwd"]}`), "is absolute"},
		{next(`{"id": 1, "title": "A", "creates": [".git/hooks/post-commit"]}`), "reaches into `.git`"},
		{next(`{"id": 1, "title": "A", "creates": ["a\u0000b"]}`), "control character"},
		{next(`{"id": 1, "title": "A", "context_hints": ` + deep + `}`), ""},
		{next(`{"id": 1, "title": ` + deep + `}`), "nested deeper"},
		{next(many.String()), ""},
	} {
		v, err := planner.ReadNext([]byte(c.answer), now)
		got := strings.Join(v.Faults, "; ")
		if err != nil {
			got = err.Error()
		}
		if got == "" || !strings.Contains(got, c.want) {
			t.Errorf("%.100s: %.400s", c.answer, got)
		}
		if len(v.Faults) > 0 && v.Files(now) != nil {
			t.Errorf("%.100s makes files", c.answer)
		}
	}
}

func TestDropped(t *testing.T) {
	now := failed(t)
	v, err := planner.ReadNext([]byte(next(`{"id": 1, "ref": "news", "title": "Write news", "dependencies": []}`)), now)
	if err != nil {
		t.Fatal(err)
	}
	made, _ := plan.Read("auth", "", v.Files(now))
	want := []string{"Task 'Create the schema' is done, and the draft leaves it out: keep it, with its `ref`, `schema`."}
	if got := planner.Dropped(now, made); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// What a model is told of a plan has a task a line; what is settled is short.
func TestPlanText(t *testing.T) {
	p := failed(t)
	want := `{"tasks": [
{"id":1,"ref":"schema","title":"Create the schema","status":"DONE","dependencies":[],"result":"two tables"},
{"id":2,"ref":"arrays","title":"Store roles","type":"feature","status":"FAILED","dependencies":[1],"context_hints":[],"relevant_file_paths":[],"description":"Do arrays.","error":"no arrays","notes":["tried twice"]},
{"id":3,"ref":"news","title":"Write news","type":"docs","status":"TODO","dependencies":[2],"context_hints":[],"relevant_file_paths":[],"description":"Do news."}
]}`
	if got := planner.PlanText(p); got != want {
		t.Errorf("%s", got)
	}
	if got, want := planner.Failures(p), "Task 2, `arrays`: Store roles\nError: no arrays\nNote: tried twice\n\nOpen signal `tests` (blocker): Red."; got != want {
		t.Errorf("%q", got)
	}
}

func TestReadSuggestions(t *testing.T) {
	long := strings.Repeat("long ", 1000)
	found, err := planner.ReadSuggestions([]byte(`{"suggestions": [{"title": "` + long + `", "type": "docs", "path": "a.go", "line": 0, "reason": "one\ntwo ` + long + `"}]}`))
	if err != nil || len(found) != 1 || len(found[0].Title) > 110 || len(found[0].Reason) > 310 || strings.Contains(found[0].Reason, "\n") {
		t.Errorf("%+v, %v", found, err)
	}
	one := `{"title": "A", "type": "docs", "path": "a.go", "line": 1, "reason": "r"}`
	for _, c := range []struct{ answer, want string }{
		{`{}`, "has no `suggestions`"},
		{`{"suggestions": {}}`, "must be a list"},
		{`{"suggestions": [` + strings.Repeat(one+",", 50) + one + `]}`, "there are 51 suggestions, and 50 are the most"},
		{`{"suggestions": [{"title": "A"}]}`, "a suggestion has no `reason`"},
		{`{"suggestions": [{"title": "A\u0007", "type": "docs", "path": "a.go", "line": 1, "reason": "r"}]}`, "`title`"},
		{`{"suggestions": [{"title": "A", "type": "docs", "path": "a\nb", "line": 1, "reason": "r"}]}`, "must be one line"},
		{`{"suggestions": [{"title": "A", "type": "docs", "path": "a.go", "line": 99999999999999999999, "reason": "r"}]}`, "`line`"},
		{`{"suggestions": [{"title": "A", "type": "docs", "path": "a.go", "line": 1.5, "reason": "r"}]}`, "`line`"},
		{`{"suggestions": [` + one + `], "command": "x"}`, "no key `command`"},
	} {
		if _, err := planner.ReadSuggestions([]byte(c.answer)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80s: %v", c.answer, err)
		}
	}
}

// Reasons go into the message of a commit: bounded, and free of what a terminal
// would act on.
func TestReasons(t *testing.T) {
	if got := planner.Reasons(" a\x1b[31m\u202eb\n\tc\x00 "); got != "a[31mb\n\tc" {
		t.Errorf("%q", got)
	}
	if got := planner.Reasons(strings.Repeat("語", 5000)); len([]rune(got)) > 4100 || !strings.Contains(got, "(cut: 1000 more characters)") {
		t.Errorf("%d: %q", len([]rune(got)), got[len(got)-60:])
	}
}
