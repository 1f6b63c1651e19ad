package render

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/plan"
)

// read makes a plan of "path" and text in turn.
func read(t *testing.T, files ...string) *plan.Plan {
	t.Helper()
	var list []plan.File
	for i := 0; i < len(files); i += 2 {
		list = append(list, plan.File{Path: files[i], Data: []byte(files[i+1])})
	}
	p, _ := plan.Read("auth", "", list)
	return p
}

func sample(t *testing.T) *plan.Plan {
	return read(t,
		"plan.md", "---\ntitle: Log in\ngoal: Know who asks\nconstraints: [Keep it small]\nversion: 2\nx-team: [a, 1]\n---\n\nWhy.\n",
		"tasks/01-store.md", "---\nid: store\nstatus: done\ncompleted_at: 2026-01-02T05:04:05+02:00\nresult: |\n  two\n  lines\n---\n\nStore.\n",
		"tasks/02-api.md", "---\nid: api\nkind: subtask\nstatus: in_progress\n---\n\n# The API\n",
		"tasks/02-api/01-login.md", "---\nid: login\nstatus: in_progress\nexecuted_by: coder\n---\n\nx\n",
		"tasks/02-api/02-out.md", "---\nid: out\n---\n\nx\n",
		"tasks/03-docs.md", "---\nid: docs\ndepends_on: [api]\n---\n\nx\n",
		"tasks/04-free.md", "---\nid: free\n---\n\nx\n",
		"signals/ci.md", "---\nlevel: warning\ntask: login\n---\n\nTests fail\nin two places.\n",
	)
}

// show prints a plan for a terminal, lines unbroken.
func show(w io.Writer, p *plan.Plan) error { return NewSheet(p).Text(w, &term.Page{}) }

func TestShow(t *testing.T) {
	var b strings.Builder
	if err := show(&b, sample(t)); err != nil {
		t.Fatal(err)
	}
	want := `═══ auth: Log in ═══

Status: in_progress, version 2
Goal: Know who asks

Constraints:
  - Keep it small

    Why.

Progress: 1/6 (16%)

1  [x]             store | two lines  (store)
2  [>]  [SUBTASK]  The API  (api)
├─ 2.1  [>]             login  (login; coder)
│                       > x
└─ 2.2  [ ]             out  (out; needs login)
3  [ ]             docs  (docs; needs api)
4  [ ]             free  (free; ready)

signal: ci (warning) on login: Tests fail

───
Steps: 6 | reason: 0 | act: 0 | decide: 0 | subtask: 1 | other: 5
Progress: 1/6 (16%)
`
	if b.String() != want {
		t.Errorf("shown as\n%s\nwant\n%s", b.String(), want)
	}
}

// What a plan says twice in its files is shown once.
func TestShowSaysTheGoalOnce(t *testing.T) {
	for text, body := range map[string]string{
		"title: Log in\ngoal: Know who asks\n---\n\nKnow who asks\n":             "",
		"title: Log in\n---\n\nLog in\n":                                         "",
		"title: Log in\ngoal: Know who asks\n---\n\n# Log in\n\nKnow who asks\n": "",
		"title: Log in\n---\n\n# Log in\n\nWhy.\n\n- a\n":                        "Why.\n\n- a",
		"title: Log in\ngoal: Know who asks\n---\n\nKnow who asks, and when.\n":  "Know who asks, and when.",
	} {
		p, _ := plan.Read("auth", "", []plan.File{{Path: "plan.md", Data: []byte("---\n" + text)}})
		if got := NewSheet(p).Body; got != body {
			t.Errorf("%q is shown with the text %q, want %q", text, got, body)
		}
	}
}

func TestShowIsHarmless(t *testing.T) {
	p := read(t, "plan.md", "---\ntitle: \"a\\u200bb\"\nx: 1\n---\n\n\u200btext\n", "tasks/01-a.md", "---\nid: a\ntitle: \"t\\u200d\"\nagent: \"\\u200f\"\n---\n\nx\u2028y\n")
	var b strings.Builder
	if err := show(&b, p); err != nil {
		t.Fatal(err)
	}
	if err := TaskCard(&b, p.Task("a"), &term.Page{}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\u200b\u200d\u200f\u2028\x1b") {
		t.Errorf("raw characters reach the terminal: %q", b.String())
	}
}

func TestPlanDocument(t *testing.T) {
	data, err := json.Marshal(Plan(sample(t), "c0ffee"))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"auth","title":"Log in","goal":"Know who asks","status":"in_progress","version":2,"converged":false,` +
		`"progress":{"total":6,"done":1,"active":2,"blocked":0,"pending":3,"skipped":0,"failed":0},"constraints":["Keep it small"],"x-team":["a",1],"body":"Why.",` +
		`"tasks":[{"id":"store","number":"1","path":"tasks/01-store.md","title":"store","status":"done","completed_at":"2026-01-02T03:04:05Z","result":"two\nlines\n","body":"Store.","children":[]},`
	if !strings.HasPrefix(string(data), want) {
		t.Errorf("document\n%s\nwant it to begin\n%s", data, want)
	}
	if end := `"signals":[{"id":"ci","level":"warning","task":"login","message":"Tests fail\nin two places."}],"commit":"c0ffee"}`; !strings.HasSuffix(string(data), end) {
		t.Errorf("document\n%s\nwant it to end\n%s", data, end)
	}
}

func TestTaskCard(t *testing.T) {
	var b strings.Builder
	if err := TaskCard(&b, sample(t).Task("store"), &term.Page{}); err != nil {
		t.Fatal(err)
	}
	want := "1 store: store\nstatus: done\ncompleted_at: 2026-01-02T05:04:05+02:00\n\nStore.\n\nresult:\n  two\n  lines\n"
	if b.String() != want {
		t.Errorf("card %q, want %q", b.String(), want)
	}
}

func TestList(t *testing.T) {
	now := time.Date(2026, 1, 10, 0, 0, 0, 0, time.UTC)
	at := func(id, path string, status plan.PlanStatus, done, ready int, ago time.Duration) store.Summary {
		s := store.Summary{Location: store.Location{ID: id, Path: path}, Title: "Title of " + id, Status: status, Ready: ready}
		s.Progress = plan.Progress{Total: 4, Done: done}
		if ago > 0 {
			s.Updated = now.Add(-ago)
		}
		return s
	}
	var rows []Summary
	for _, s := range []store.Summary{
		at("auth", "auth", plan.PlanInProgress, 1, 2, 5*time.Minute), at("shop", "shop", plan.Complete, 4, 0, 50*time.Hour),
		at("old", "archive/2025/old", plan.Abandoned, 0, 0, 0),
	} {
		rows = append(rows, Row(s))
	}
	var b strings.Builder
	if err := List(&b, rows, now, &term.Page{}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"auth  in_progress  [##........]   1/4     2 ready    5m  Title of auth", "shop  complete", "old   archived"} {
		if line := strings.Split(b.String(), "\n")[i]; !strings.HasPrefix(line, want) {
			t.Errorf("line %q, want %q", line, want)
		}
	}
	if rows[2].UpdatedAt != "" || rows[0].UpdatedAt != "2026-01-09T23:55:00Z" || !rows[2].Archived {
		t.Errorf("rows %+v", rows)
	}
}

// An id that would push all else off its line stands above it.
func TestListOfLongIDs(t *testing.T) {
	long := Summary{ID: strings.Repeat("long-", 12) + "id", Title: "Long", Status: plan.Draft}
	rows := []Summary{{ID: "auth", Title: "Log in", Status: plan.Draft}, long}
	for _, test := range []struct {
		columns int
		want    string
	}{
		{80, "auth                       draft       0/0     0 ready     -  Log in\n" + long.ID + "\n                           draft       0/0     0 ready     -  Long\n"},
		{44, "auth\n  draft       0/0     0 ready     -  Log in\n" + long.ID + "\n  draft       0/0     0 ready     -  Long\n"},
	} {
		var b strings.Builder
		if err := List(&b, rows, time.Time{}, &term.Page{Columns: test.columns}); err != nil {
			t.Fatal(err)
		}
		if b.String() != test.want {
			t.Errorf("%d columns:\n%s", test.columns, b.String())
		}
	}
}

// The text of a plan is markdown on the page, and nothing of it markup of its own.
func TestHTMLOfNarrative(t *testing.T) {
	var b strings.Builder
	p := read(t, "plan.md", "---\ntitle: Keys\n---\n\nA **new** key.\n\n- one\n\n<img src=x>\n", "tasks/01-a.md", "---\nid: a\n---\n\nx\n")
	if err := NewSheet(p).HTML(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<strong>new</strong>", "<li>one", "&lt;img src=x&gt;"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %s:\n%s", want, b.String())
		}
	}
}

// A plan of thousands of tasks that all wait for each other is shown in a few
// words a line.
func TestShowOfManyWaiting(t *testing.T) {
	files := []string{"plan.md", "---\ntitle: Many\n---\n\nx\n"}
	for i := range 90 {
		files = append(files, "tasks/"+itoa(i+1)+"-t.md", "---\nid: t"+itoa(i+1)+"\ninputs: [all]\noutputs: [all]\n---\n\nx\n")
	}
	var b strings.Builder
	if err := show(&b, read(t, files...)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "and 84 more") || b.Len() > 90*120 {
		t.Errorf("%d bytes:\n%s", b.Len(), b.String())
	}
}

func itoa(n int) string { return string([]byte{byte('0' + n/10), byte('0' + n%10)}) }

// The real plans of the fixtures are shown without a fault.
func TestShowRealPlans(t *testing.T) {
	root := filepath.Join("..", "..", "testdata", "plans")
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		var files []string
		dir := filepath.Join(root, e.Name())
		err := filepath.WalkDir(dir, func(file string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(file)
			rel, _ := filepath.Rel(dir, file)
			files = append(files, filepath.ToSlash(rel), string(data))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		p := read(t, files...)
		var b strings.Builder
		if err := show(&b, p); err != nil || rows(b.String()) != len(p.All()) {
			t.Errorf("%s: %v\n%s", e.Name(), err, b.String())
		}
	}
}

// rows counts the lines that show a task.
func rows(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		for _, marker := range []string{"  [ ]  ", "  [x]  ", "  [>]  ", "  [!]  ", "  [~]  "} {
			if strings.Contains(line, marker) {
				n++
			}
		}
	}
	return n
}
