package loop

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan"
)

// What is no payload at all is refused at once, with its place.
func TestNoPayload(t *testing.T) {
	for payload, want := range map[string]string{
		``:                              "the payload is empty: `{}` is the least there can be",
		" \n":                           "the payload is empty: `{}` is the least there can be",
		`{"add_tasks": [`:               "1:16: bad JSON: the file ends too early",
		`{} {}`:                         "1:4: something follows the object",
		"{\n  'a': 1}":                  "2:3: bad JSON: invalid character '\\'' looking for beginning of object key string",
		"{\"é\": tru}":                  "1:10: bad JSON: invalid character '}' in literal true (expecting 'e')",
		`[]`:                            "the payload must be an object such as {\"update_tasks\": [{\"id\": 1, \"status\": \"DONE\"}]}, not a list",
		`null`:                          "the payload must be an object such as {\"update_tasks\": [{\"id\": 1, \"status\": \"DONE\"}]}, not null",
		"{\n\"final_summary\": \"\xff":  "2:19: the text is no valid UTF-8",
		strings.Repeat("[", 100_000):    "1:10: nested deeper than 8 levels; a payload is an object and begins with {: give it as it is, or - and its file on standard input",
		`{"final_summary": "a\ud800b"}`: "1:19: the text holds an escape that stands for no character",
		`{"a":[[[[[[[[1]]]]]]]]}`:       "1:14: nested deeper than 8 levels",
	} {
		_, err := ParsePayload([]byte(payload))
		var r *Rejection
		if !errors.As(err, &r) || r.Kind() != InvalidPayload || len(r.Faults) != 1 || r.Faults[0].Detail != want {
			t.Errorf("%.40q: %v %q, want %q", payload, err, r.Details(), want)
		}
	}
	_, err := ParsePayload(make([]byte, MaxPayload+1))
	var r *Rejection
	if !errors.As(err, &r) || r.Kind() != LimitExceeded || !strings.Contains(r.Faults[0].Detail, "4194304 bytes") {
		t.Errorf("%v", err)
	}
}

func TestByteOrderMark(t *testing.T) {
	if _, err := ParsePayload([]byte("\ufeff{}")); err != nil {
		t.Error(err)
	}
	// The sign that stands for no character is text like any other.
	for _, payload := range []string{`{"final_summary": "\ufffd and \uFFFD, 💥"}`, "{\"final_summary\": \"\ufffd\"}", `{"final_summary": "\ud83d\udca5"}`} {
		if _, err := ParsePayload([]byte(payload)); err != nil {
			t.Error(payload, err)
		}
	}
	p, err := ParsePayload([]byte("\ufeff{\"commit\": 1, \"commit\": 1}"))
	if err != nil || len(p.faults) != 2 || !strings.HasSuffix(p.faults[0].Detail, "at 1:15") {
		t.Errorf("%v, %v", p.faults, err)
	}
}

// A payload may hold nothing but faults, and is read in one pass.
func TestPayloadOfFaults(t *testing.T) {
	const many = 90_000 // lines of a mebibyte, which took a minute when each was looked up from the beginning
	for _, one := range []string{`"commit":1`, `"commt":1`} {
		var p Payload
		var err error
		took := gittest.Spent(func() { p, err = ParsePayload([]byte("{" + strings.Repeat(one+",\n", many) + `"commit":1}`)) })
		if err != nil || len(p.faults) < many || took > 30*time.Second {
			t.Errorf("%s: %d faults, %v, in %v", one, len(p.faults), err, took)
		}
		if last := p.faults[many-1].Detail; one == `"commit":1` && !strings.HasSuffix(last, " at 90001:1") {
			t.Errorf("the last is %s", last)
		}
	}
	p, err := ParsePayload([]byte(`{"update_tasks":[` + strings.Repeat("{},", 30_000) + "{}]}"))
	want := Fault{LimitExceeded, "update_tasks holds 30001 tasks: no more than 20000 are looked at: split the payload"}
	if err != nil || len(p.Update) != MaxUpdated || len(p.faults) != 1 || p.faults[0] != want {
		t.Errorf("%d updates, %v, %v", len(p.Update), p.faults, err)
	}
}

// Every fault of a payload is named, at its place.
func TestFaults(t *testing.T) {
	three := []string{"tasks/01-one.md", "id: one", "tasks/02-two.md", "id: two\nstatus: done", "tasks/03-box.md", "id: box", "tasks/03-box/01-in.md", "id: in"}
	for _, test := range []struct {
		payload string
		kind    Kind
		want    []string
	}{
		{`{"tasks": [], "add_task": []}`, InvalidPayload, []string{
			`the payload: there is no key "tasks"; the keys are add_tasks, update_tasks, final_summary, commit, request`,
			`the payload: there is no key "add_task" (did you mean "add_tasks"?)`}},
		{`{"commit": "x", "commit": 1, "add_tasks": {}, "update_tasks": "x"}`, InvalidPayload, []string{
			`the payload: the key "commit" stands twice, the second time at 1:17`,
			"commit: \"x\" is no commit: give what `session.commit` said",
			"add_tasks: it must be a list of tasks, not an object", "update_tasks: it must be a list of tasks, not a string"}},
		{`{"add_tasks": [7, {"title": "A", "titel": 1, "title": "B", "status": "TODO"}]}`, InvalidPayload, []string{
			"add_tasks[0]: it must be an object, not a number",
			`add_tasks[1]: there is no key "titel" (did you mean "title"?)`,
			`add_tasks[1]: the key "title" stands twice, the second time at 1:46`,
			`add_tasks[1]: there is no key "status"; the keys are title, type, dependencies, context_hints, relevant_file_paths, creates, description, acceptance_criteria, agent, priority, kind`}},
		{`{"add_tasks": [{"title": 1, "type": null, "context_hints": "x", "relevant_file_paths": ["a", 2], "dependencies": 1, "description": []}]}`, InvalidPayload, []string{
			"add_tasks[0].title: it must be a string, not a number", "add_tasks[0].type: it must be a string, not null",
			"add_tasks[0].context_hints: it must be a list of strings, not a string", "add_tasks[0].relevant_file_paths[1]: it must be a string, not a number",
			"add_tasks[0].dependencies: it must be a list of task ids, not a number", "add_tasks[0].description: it must be a string, not a list"}},
		{`{"add_tasks": [{"title": "a\u0007b"}, {"title": "c", "context_hints": ["\u202e"]}]}`, InvalidPayload, []string{
			"add_tasks[0].title: the text holds what no plan file can: the control character U+0007; leave it out",
			"add_tasks[1].context_hints[0]: the text holds what no plan file can: the bidirectional control character U+202E; leave it out"}},
		{`{"update_tasks": [{"status": "DONE"}, {"id": "one", "status": "done"}, {"id": 1}, {"id": 1.5}, {"id": true}, {"id": " "}, {"id": 9}, {"id": "tow"}]}`, InvalidPayload, []string{
			`update_tasks[1].status: there is no status "done" (did you mean "DONE"?); there are TODO, IN_PROGRESS, DONE, CANCELLED, BLOCKED, FAILED, SKIPPED`,
			`update_tasks[3].id: 1.5 is no number of a task; the number of a task below another is a string, such as "3.1"`,
			"update_tasks[4].id: it must be a task's number or its `ref`, not true or false",
			"update_tasks[5].id: it is empty; give a task's number or its `ref`",
			"update_tasks[0]: the `id` of the task is missing",
			"update_tasks[2].id: it names task `one`, as update_tasks[1] does: say all there is to say of a task in one place",
			"update_tasks[6].id: plan auth has no task 9", `update_tasks[7].id: plan auth has no task "tow" (did you mean "two"?)`}},
		{`{"add_tasks": [{"title": "A", "dependencies": [1, "two", "3.1", 4, 5, 6, "nine"]}, {"title": "B"}], "update_tasks": [{"id": 5}, {"id": "a"}]}`, InvalidPayload, []string{
			"update_tasks[0].id: task 5 is added by this very payload: update it in the next",
			`update_tasks[1].id: task "a" is added by this very payload: update it in the next`,
			"add_tasks[0].dependencies[5]: plan auth has no task 6", `add_tasks[0].dependencies[6]: plan auth has no task "nine"`}},
		{`{"update_tasks": [{"id": 2, "status": "DONE"}, {"id": 1, "status": "IN_PROGRESS"}, {"id": 3, "status": "DONE"}]}`, InvalidTransition, []string{
			"update_tasks[2]: task `box` cannot become done: its status follows the tasks below it; report those"}},
		{`{"update_tasks": [{"id": 2, "status": "IN_PROGRESS"}], "final_summary": "x"}`, InvalidTransition, []string{
			"update_tasks[0]: task `two` is done and cannot become in_progress", "final_summary: plan auth is not complete: 2 tasks left"}},
		{`{"final_summary": "  "}`, InvalidPayload, []string{"final_summary: it is empty: say what was done"}},
		{`{"add_tasks": [{"description": "x"}, {"title": " "}]}`, ValidationFailed, []string{
			"Task #1 is missing the `title` field.", "Task #2 is missing the `title` field."}},
	} {
		r, err := on(t, read(t, three...), test.payload)
		if err != nil {
			t.Errorf("%s: %v", test.payload, err)
			continue
		}
		refused := &Rejection{Faults: r.faults}
		if got := refused.Details(); !slices.Equal(got, test.want) || refused.Kind() != test.kind {
			t.Errorf("%s: %s\n%s\nwant %s\n%s", test.payload, refused.Kind(), strings.Join(got, "\n"), test.kind, strings.Join(test.want, "\n"))
		}
	}
}

// What a payload says is done.
func TestApply(t *testing.T) {
	p := read(t, "tasks/02-one.md", "id: one # the first\ntype: chore\nagent: a9\ntags: [x]", "tasks/07-two.md", "id: two\nstatus: done\ncompleted_at: 2026-01-01T00:00:00Z")
	r, err := on(t, p, `{"add_tasks": [
		{"title": "Sign: the token", "type": "feature", "dependencies": [9, "one", 7, 7], "context_hints": ["Read `+"`a.md`"+`."], "relevant_file_paths": ["a.md"],
		 "creates": ["b.go"], "description": "# Sign\r\n\r\nit", "acceptance_criteria": ["yes"], "agent": "", "priority": "high", "kind": "act"},
		{"title": "Sign the token"}],
	  "update_tasks": [
		{"id": 2, "status": "DONE", "result": "made", "notes": ["fast"], "affected_files": ["a.md"], "title": "One, again", "agent": "", "dependencies": [], "description": "Do it twice."},
		{"id": "two", "status": "TODO", "dependencies": ["one"]}]}`)
	if err != nil || len(r.faults) > 0 {
		t.Fatal(err, r.faults)
	}
	for path, want := range map[string]string{
		"tasks/08-sign-the-token.md": "---\nid: sign-the-token\ntitle: \"Sign: the token\"\ntype: feature\nkind: act\ndepends_on: [sign-the-token-2, one, two]\npriority: high\n" +
			"context_hints:\n  - \"Read `a.md`.\"\nrelevant_file_paths:\n  - a.md\nacceptance_criteria:\n  - \"yes\"\ncreates:\n  - b.go\n---\n\n# Sign\n\nit\n",
		"tasks/09-sign-the-token-2.md": "---\nid: sign-the-token-2\ntitle: Sign the token\n---\n\nSign the token\n",
		"tasks/02-one.md": "---\nid: one # the first\ntitle: \"One, again\"\ntype: chore\nstatus: done\ntags: [x]\nexecuted_by: a1\ncompleted_at: 2026-01-02T12:00:00Z\nresult: made\n" +
			"affected_files:\n  - a.md\nnotes:\n  - fast\n---\n\nDo it twice.\n",
		"tasks/07-two.md": "---\nid: two\nstatus: pending\ndepends_on: [one]\n---\n\nDo it.\n",
	} {
		if got := string(r.next.Files()[path]); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", path, got, want)
		}
	}
	if len(r.added) != 2 || len(r.moved) != 2 {
		t.Errorf("%d added, %d moved", len(r.added), len(r.moved))
	}
}

// Starting a task gives a lease, and another's live lease is a conflict.
func TestApplyClaims(t *testing.T) {
	p := read(t, "tasks/01-one.md", "id: one", "tasks/02-two.md", "id: two\nstatus: in_progress\nexecuted_by: a2\nlease_until: 2026-01-02T12:30:00Z")
	r, err := on(t, p, `{"update_tasks": [{"id": 1, "status": "IN_PROGRESS"}]}`)
	if err != nil || len(r.faults) > 0 || r.next.Task("one").Doc.Text("lease_until") != "2026-01-02T13:00:00Z" {
		t.Error(err, r.faults)
	}
	r, err = on(t, p, `{"update_tasks": [{"id": 2, "status": "DONE"}]}`)
	if err != nil || (&Rejection{Faults: r.faults}).Kind() != Conflict || !strings.Contains(r.faults[0].Detail, "held by a2") {
		t.Error(err, r.faults)
	}
}

// The hundredth top-level task is one too many, and what else is wrong is told.
func TestTooManyTasks(t *testing.T) {
	payload := `{"add_tasks": [` + strings.Repeat(`{"title": "x"},`, 300) + `{"title": "y", "titel": 1, "dependencies": [302, 303]}]}`
	r, err := on(t, read(t, "tasks/01-one.md", "id: one"), payload)
	if err != nil {
		t.Fatal(err)
	}
	refused := &Rejection{Faults: r.faults}
	want := []string{
		`add_tasks[300]: there is no key "titel" (did you mean "title"?)`,
		"add_tasks: the new tasks would get the numbers 2 to 302, and a plan has at most 99 top-level tasks: leave out 203, or make a plan of them",
		"add_tasks[300].dependencies[1]: plan auth has no task 303",
	}
	if refused.Kind() != LimitExceeded || !slices.Equal(refused.Details(), want) {
		t.Errorf("%s %s", refused.Kind(), strings.Join(refused.Details(), "\n"))
	}
	if n := len(r.added); n != 301 {
		t.Errorf("%d of the new tasks can be judged", n)
	}
}

// Numbers that moved since the agent looked are a conflict; refs are not.
func TestNumbersMoved(t *testing.T) {
	now := read(t, "tasks/01-new.md", "id: new", "tasks/02-one.md", "id: one", "tasks/03-two.md", "id: two")
	old := read(t, "tasks/01-one.md", "id: one", "tasks/02-two.md", "id: two")
	for payload, want := range map[string]int{
		`{"update_tasks": [{"id": "one", "status": "DONE"}]}`:                                 0,
		`{"update_tasks": [{"id": 2, "status": "DONE"}]}`:                                     1,
		`{"update_tasks": [{"id": 3, "status": "DONE"}]}`:                                     1,
		`{"add_tasks": [{"title": "a", "dependencies": ["one"]}]}`:                            0,
		`{"add_tasks": [{"title": "a", "dependencies": [1]}]}`:                                1,
		`{"add_tasks": [{"title": "a"}, {"title": "b", "dependencies": [4]}]}`:                1,
		`{"update_tasks": [{"id": "two", "dependencies": [2]}, {"id": 1, "status": "TODO"}]}`: 2,
	} {
		parsed, err := ParsePayload([]byte(payload))
		if err != nil {
			t.Fatal(err)
		}
		u := &Update{Payload: parsed, Agent: "a1", at: noon(), readPlan: plan.Read}
		r := newRun(u, now)
		r.old = old
		r.apply()
		conflicts := 0
		for _, f := range r.faults {
			if f.Kind == Conflict {
				conflicts++
			}
		}
		if conflicts != want || len(r.faults) != want {
			t.Errorf("%s: %v", payload, r.faults)
		}
	}
}

// FuzzPayload holds whatever bytes come in against what a reader of payloads
// relies on: no panic, faults of one line, and either faults or a plan whose
// files can be read and say what was asked for.
func FuzzPayload(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"add_tasks":[{"title":"A","type":"feature","dependencies":[2,"one"],"context_hints":["x"],"relevant_file_paths":["a"],"creates":["b"],"description":"---"}]}`,
		`{"update_tasks":[{"id":1,"status":"DONE","result":"r","notes":["n"],"affected_files":["f"],"title":"t: u","dependencies":[3]}],"add_tasks":[{"title":"- x"}]}`,
		`{"final_summary":"x","commit":"0000000000000000000000000000000000000000"}`, `{"update_tasks":[{"id":"3.1","status":"TODO"},{"id":3,"status":"SKIPPED","error":"e"}]}`,
		`{"add_tasks":[{"title":"\ud800","title":1}]} x`, "\xef\xbb\xbf{}", `[[[[[[[[[[`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := read(t, "tasks/01-one.md", "id: one", "tasks/03-box.md", "id: box", "tasks/03-box/01-in.md", "id: in\nstatus: done")
		r, err := on(t, p, string(data))
		if err != nil {
			var refused *Rejection
			if !errors.As(err, &refused) || len(refused.Faults) == 0 {
				t.Fatalf("%v", err)
			}
			return
		}
		for _, fault := range r.faults {
			if strings.Contains(fault.Detail, "\n") || fault.Kind == "" {
				t.Errorf("fault %+v", fault)
			}
		}
		if len(r.faults) > 0 {
			return
		}
		for i, e := range r.update.Payload.Add {
			task := r.next.Task(r.refs[i])
			if task == nil || task.NN != r.first+i || task.Title() != strings.TrimSpace(e.text("title")) || !task.Doc.Readable {
				t.Fatalf("task %d is %+v", i, task)
			}
		}
		if !r.next.Readable() {
			t.Fatal("the plan cannot be read")
		}
		Answer(View{Plan: r.next, Agent: "a1", At: noon()})
	})
}

// What no file can hold for its size is told by the task's title.
func TestTooLong(t *testing.T) {
	hint := `"Read it again and again, ` + strings.Repeat("and again, ", 30) + `."`
	r, err := on(t, read(t, "tasks/01-one.md", "id: one"), `{"add_tasks": [{"title": "Long", "context_hints": [`+strings.Repeat(hint+",", 300)+hint+`]}]}`)
	if err != nil || len(r.faults) != 1 || r.faults[0].Kind != LimitExceeded || !strings.HasPrefix(r.faults[0].Detail, "Task 'Long': frontmatter of ") {
		t.Errorf("%v %v", err, r.faults)
	}
}
