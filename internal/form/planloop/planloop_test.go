package planloop

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// seed is the task that the description of planloop shows.
const seed = `{"tasks": [{
  "id": 1,
  "title": "Set up database schema",
  "type": "feature",
  "status": "TODO",
  "dependencies": [],
  "context_hints": [
    "Read the 'Database Schema' section in ` + "`spec.md`" + `.",
    "Review existing models in ` + "`src/models/`" + ` for conventions."
  ],
  "relevant_file_paths": ["spec.md", "src/models/user.py"]
}]}`

func read(t *testing.T, doc string, onto *plan.Plan) *plan.Plan {
	t.Helper()
	p, found := Parse("p.json", []byte(doc))
	if p == nil {
		t.Fatalf("%v\n%s", found, doc)
	}
	files, losses := p.Files(onto, "user-auth")
	q, found := plan.Read("user-auth", "", files)
	if len(found) > 0 || len(losses) > 0 {
		t.Fatalf("%v %v", found, losses)
	}
	return q
}

func TestSeed(t *testing.T) {
	p := read(t, seed, nil)
	want := "---\nid: set-up-database-schema\ntitle: Set up database schema\ntype: feature\ncontext_hints:\n" +
		"  - \"Read the 'Database Schema' section in `spec.md`.\"\n  - \"Review existing models in `src/models/` for conventions.\"\n" +
		"relevant_file_paths:\n  - spec.md\n  - src/models/user.py\n---\n\nSet up database schema\n"
	if got := p.Tasks[0].Doc.Source; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if p.Title() != "User auth" {
		t.Errorf("title %q", p.Title())
	}
	text, losses := Write(p)
	if len(losses) > 0 || !strings.Contains(string(text), `"ref": "set-up-database-schema"`) {
		t.Errorf("%v\n%s", losses, text)
	}
}

// Numbers and refs name the same tasks; what is below others has its folder.
func TestReferences(t *testing.T) {
	p := read(t, `{"tasks": [
		{"id": "2.10", "title": "Below", "dependencies": ["2.3"]},
		{"id": 2, "ref": "above", "title": "Above", "kind": "subtask"},
		{"id": "2.3", "ref": "t3", "title": "Third", "description": "# Third\n\nDo it.", "status": "DONE"},
		{"id": 9, "title": "Last", "dependencies": ["above", "9", 7], "notes": []},
		{"id": "7", "title": "Seven"}, {"id": 8, "ref": "9", "title": "Nine"}]}`, nil)
	var got []string
	for _, x := range p.All() {
		got = append(got, fmt.Sprint(x.Doc.Path, " ", x.ID, " ", x.Status, " ", x.Doc.List("depends_on")))
	}
	want := `tasks/02-above.md above pending []
tasks/02-above/03-t3.md t3 done []
tasks/02-above/10-below.md below pending [t3]
tasks/07-seven.md seven pending []
tasks/08-9.md 9 pending []
tasks/09-last.md last pending [above 9 seven]`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

// What the list does not say stays as it is stored.
func TestOnto(t *testing.T) {
	onto, _ := plan.Read("user-auth", "", []plan.File{
		{Path: "plan.md", Data: []byte("---\ntitle: Kept # so\n---\n\nWhy.\n")},
		{Path: "tasks/01-schema.md", Data: []byte("---\nid: schema # kept\nestimate: 2h\nagent: a\ncontext_hints: [Old]\n---\n# Set up database schema\n\nText.\n")},
		{Path: "tasks/02-gone.md", Data: []byte("---\nid: gone\n---\n\nGone.\n")},
		{Path: "signals/ci.md", Data: []byte("---\nlevel: info\ntask: schema\n---\n\nHm.\n")},
	})
	p := read(t, strings.Replace(seed, `"TODO",`, `"IN_PROGRESS", "agent": "",`, 1), onto)
	want := "---\nid: schema # kept\ntype: feature\nstatus: in_progress\nestimate: 2h\n" +
		"context_hints: [\"Read the 'Database Schema' section in `spec.md`.\", \"Review existing models in `src/models/` for conventions.\"]\n" +
		"relevant_file_paths:\n  - spec.md\n  - src/models/user.py\n---\n# Set up database schema\n\nText.\n"
	if got := p.Tasks[0].Doc.Source; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if len(p.Tasks) != 1 || p.Doc.Source != onto.Doc.Source || len(p.Signals) != 1 {
		t.Errorf("files %v", p.Files())
	}
	same := read(t, string(first(Write(onto))), onto)
	for name, data := range onto.Files() {
		if string(same.Files()[name]) != string(data) {
			t.Errorf("%s did not stay:\n%s", name, same.Files()[name])
		}
	}
}

func first[T, U any](a T, _ U) T { return a }

// Every fault at once, each with its place.
func TestFaults(t *testing.T) {
	doc := `{"tasks": [
  {"id": 1, "title": "A", "dependencies": [2, "x", 1, true], "depends": []},
  {"id": 1, "title": " ", "status": "DOING"},
  {"id": 0, "title": "C", "type": "story", "relevant_file_paths": ["../x", 3]},
  {"id": "4.1", "title": "D", "ref": "Bad"}, 5,
  {"id": 2, "title": "E", "ref": "e", "ref": "f", "context_hints": "x"},
  {"ref": "e", "priority": "urgent"}
], "goal": "g"}`
	_, found := Parse("p.json", []byte(doc))
	want := strings.ReplaceAll(`p.json:2:47: dependencies names no task x [depends-unknown]
p.json:2:52: task 1 depends on itself [depends-cycle]
p.json:2:55: 'an item of dependencies' must be the number or 'ref' of a task, not a boolean [frontmatter]
p.json:2:62: the task has no key 'depends' [unknown-field]
p.json:3:10: two tasks have the 'id' 1 [sort-index]
p.json:3:22: 'title' is empty [title-empty]
p.json:3:37: 'status' cannot be 'DOING'; it is one of TODO, IN_PROGRESS, BLOCKED, DONE, FAILED, SKIPPED, CANCELLED [status-value]
p.json:4:10: 'id' must be a task´s number, not '0' [sort-index]
p.json:4:35: 'type' cannot be 'story'; it is one of feature, bugfix, chore, test, docs, refactor [type-value]
p.json:4:68: the path '../x' in 'relevant_file_paths' leaves the project ('..') [path-escape]
p.json:4:76: an item of 'relevant_file_paths' must be a string, not an integer [frontmatter]
p.json:5:10: task 4.1 is below 4, which is not there [container]
p.json:5:38: the id 'Bad' is not kebab-case [id-format]
p.json:5:46: 'a task' must be an object, not an integer [frontmatter]
p.json:6:39: the key 'ref' is set twice [duplicate-field]
p.json:6:68: 'context_hints' must be a list, not 'x' [frontmatter]
p.json:7:3: the task has no 'id' [frontmatter]
p.json:7:3: the task has no 'title' [frontmatter]
p.json:7:11: two tasks have the 'ref' 'e' [id-duplicate]
p.json:7:28: 'priority' cannot be 'urgent'; it is one of low, medium, high, critical [enum-value]
p.json:8:4: the list has no key 'goal' [unknown-field]`, "'", "`")
	want = strings.ReplaceAll(want, "´", "'")
	if got := strings.Join(diag.Lines(found), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for doc, want := range map[string]string{
		``: "ends too early", `[]`: "expected an object", `{"tasks": {}}`: "must be a list", `{}`: "the list has no `tasks`",
		`{"tasks": [{"id": 1, "title": "a\nb"}]}`:                   "p.json:1:31: `title` must be one line [frontmatter]",
		`{"tasks": [{"id": 1, "title": "a\u0000b"}]}`:               "p.json:1:31: `title`: the text holds what no plan file can: the control character U+0000; leave it out [encoding]",
		`{"tasks": [{"id": 1, "title": "a", "result": "b\u0007"}]}`: "p.json:1:46: `result`: the control character U+0007 [encoding]",
		`{"tasks": []} 1`: "something follows", `{"tasks": [[[[[[[[[[[]]]]]]]]]]]}`: "nested deeper than 8 levels",
	} {
		_, found := Parse("p.json", []byte(doc))
		if got := strings.Join(diag.Lines(found), "\n"); !strings.Contains(got, want) || len(found) != 1 {
			t.Errorf("%s: %s, want %s", doc, got, want)
		}
	}
}

func TestWriteLosses(t *testing.T) {
	p, _ := plan.Read("demo", "", []plan.File{
		{Path: "plan.md", Data: []byte("---\ntitle: Other\ngoal: G\n---\n\nWhy.\n")},
		{Path: "tasks/01-one.md", Data: []byte("---\nid: one\nestimate: 2h\nx-a: 1\nstep_name: s\n---\n\nOne.\n")},
		{Path: "signals/ci.md", Data: []byte("---\nlevel: info\n---\n\nHm.\n")},
	})
	_, losses := Write(p)
	want := "`title` of the plan; `goal` of the plan; the text of plan.md; 1 open signal; `estimate`, in 1 task; `step_name`, in 1 task; `x-a`, in 1 task"
	if got := strings.Join(losses, "; "); got != want {
		t.Errorf("got %s", got)
	}
}

// A list of tasks goes through our files and comes back, whatever its texts are.
func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	words := []string{"a|b", "→ c", "[x]", `\`, "中文", "🎉", "> q", "status: done", "- i", "#", "\"", "'", "{", "a: b", "true", "0x1", "~", "---"}
	text := func() string {
		var out []string
		for range 1 + rng.IntN(3) {
			out = append(out, words[rng.IntN(len(words))])
		}
		return strings.Join(out, " ")
	}
	for range 200 {
		var b strings.Builder
		n := 1 + rng.IntN(5)
		for i := range n {
			fmt.Fprintf(&b, `,{"id":%d,"title":%q,"status":%q,"description":%q,"context_hints":[%q,%q],"agent":%q,"result":%q,"dependencies":[]}`,
				i+1, text(), []string{"TODO", "DONE", "FAILED", "SKIPPED"}[rng.IntN(4)], text()+"\n"+text(), text(), text(), text(), text()+"\n")
		}
		p := read(t, `{"tasks":[`+b.String()[1:]+`]}`, nil)
		once := string(first(Write(p)))
		q := read(t, once, nil)
		if twice := string(first(Write(q))); once != twice {
			t.Fatalf("%s\nbecame\n%s", once, twice)
		}
		for name, data := range p.Files() {
			if string(q.Files()[name]) != string(data) {
				t.Fatalf("%s\nbecame\n%s", data, q.Files()[name])
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(seed))
	f.Add([]byte(`{"tasks":[{"id":"1.2","ref":"a","title":"|","dependencies":["1"]},{"id":1,"title":"B","notes":["x"],"status":"BLOCKED"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, found := Parse("p.json", data)
		if (p == nil) != (len(found) > 0) {
			t.Fatal("a plan or findings, not both")
		}
		if p == nil {
			return
		}
		files, _ := p.Files(nil, "demo")
		q, faults := plan.Read("demo", "", files)
		if len(faults) > 0 {
			t.Fatalf("what was made is refused: %v", faults)
		}
		text, _ := Write(q)
		again, found := Parse("p.json", text)
		if again == nil {
			t.Fatalf("what was written is not read: %v\n%s", found, text)
		}
		once, _ := Write(q)
		files, _ = again.Files(nil, "demo")
		r, _ := plan.Read("demo", "", files)
		if twice, _ := Write(r); string(once) != string(twice) {
			t.Fatalf("%s\nbecame\n%s", once, twice)
		}
	})
}
