package loop

import (
	"strings"
	"testing"
)

// tokens estimates how many tokens a text is: four characters each.
func tokens(s string) int { return len(s) / 4 }

// So does one about tasks that failed, however much there is to say of them.
func TestFailuresStayShort(t *testing.T) {
	front := "status: failed\nerror: " + strings.Repeat("e", 3000) + "\ncontext_hints:\n" + strings.Repeat("  - "+strings.Repeat("h", 200)+"\n", 20)
	doc := Answer(View{Plan: read(t, many(5, front)...), Commit: strings.Repeat("0", 40), Agent: "a1", At: noon()})
	if n := tokens(encode(t, doc)); n > 1500 || doc.Now.Reason != ReplanRequired || len(doc.Now.Failed) != 3 || doc.Now.Failed[0].Cut == "" {
		t.Errorf("%d tokens, %s, %+v", n, doc.Now.Reason, doc.Now.Failed)
	}
}

// The answer for one task stays short, however large the plan.
func TestAnswerStaysShort(t *testing.T) {
	const front = "type: feature\ncontext_hints:\n  - \"Read `spec.md`, section 4, from the first line to the last one.\"\nrelevant_file_paths: [spec.md, src/models/user.py, tests/test_user.py]\n"
	for name, files := range map[string][]string{
		"3 tasks":         many(3, front),
		"30 tasks":        many(30, front),
		"99 pending":      many(99, front),
		"99, all started": many(99, front+"status: in_progress\nexecuted_by: a2"),
		"a task too long for any answer": append(many(40, front), "tasks/41-long.md", "---\nid: long\npriority: critical\ntitle: "+strings.Repeat("t", 900)+
			"\ncontext_hints:\n"+strings.Repeat("  - "+strings.Repeat("h", 300)+"\n", 90)+"notes:\n"+strings.Repeat("  - "+strings.Repeat("n", 300)+"\n", 90)+
			"relevant_file_paths: ["+strings.Repeat("p", 200)+"]\nerror: "+strings.Repeat("e", 1000)+"\n---\n\n"+strings.Repeat("A long text. ", 2000)+"\n"),
		"98 done": append(many(98, front+"status: done\nresult: it works"), "tasks/99-last.md", "id: last\n"+front),
	} {
		t.Run(name, func(t *testing.T) {
			p := read(t, files...)
			doc := Answer(View{Plan: p, Commit: strings.Repeat("0", 40), Agent: "a1", At: noon()})
			text := encode(t, doc)
			if n := tokens(text); n > 1500 {
				t.Errorf("%d tokens:\n%s", n, text)
			}
			left := 0
			for _, n := range doc.Plan.Omitted {
				left += n
			}
			if len(doc.Plan.Tasks)+left != doc.Plan.Total || doc.Plan.Total != len(p.All()) {
				t.Errorf("%d tasks are %d listed and %d left out", doc.Plan.Total, len(doc.Plan.Tasks), left)
			}
			if !strings.Contains(text, `"current_task":{"id":`) || !strings.Contains(encode(t, doc.Plan.Tasks), `"ref":"`+doc.Now.Task.Ref+`"`) {
				t.Errorf("the current task is not among those listed")
			}
		})
	}
}

// A task that is too long, a message and a goal are cut, and say where the rest
// is; with All nothing is.
func TestAnswerCut(t *testing.T) {
	long := "---\nid: one\ntitle: One\n---\n\n" + strings.Repeat("A long text. ", 2000) + "The end.\n"
	v := View{Plan: read(t, "tasks/01-one.md", long), Agent: "a1", At: noon()}
	now := Answer(v).Now
	if !strings.HasPrefix(now.Task.Description, "A long text.") || !strings.HasSuffix(now.Task.Description, "…") || !strings.Contains(now.Task.Cut, "`git plan show auth/one`") {
		t.Errorf("%q, cut %q", now.Task.Description, now.Task.Cut)
	}
	v.All = true
	if now := Answer(v).Now; !strings.HasSuffix(now.Task.Description, "The end.") || now.Task.Cut != "" {
		t.Errorf("with --all %q", now.Task.Cut)
	}
	v = View{Plan: read(t, "tasks/01-one.md", "id: one", "signals/s.md", "---\nlevel: blocker\n---\n\nThe tests failed.\n\n"+strings.Repeat("a line\n", 9000)+"the last line\n"), At: noon()}
	message := Answer(v).Signal.Message
	if !strings.HasPrefix(message, "The tests failed.\n\n… (`git plan alert list auth --json`") || !strings.HasSuffix(message, "the last line") || len(message) > 3200 {
		t.Errorf("message %q", message)
	}
	v = View{Plan: read(t, "plan.md", "title: x\nmax_replans: 9", "tasks/01-one.md", strings.Replace(long, "id: one", "id: one\nstatus: failed", 1)), At: noon()}
	if doc := Answer(v); doc.Now.Failed[0].Cut == "" || tokens(encode(t, doc)) > 1500 {
		t.Errorf("%d tokens", tokens(encode(t, doc)))
	}
}

// What is settled is folded; with All nothing is.
func TestFold(t *testing.T) {
	p := read(t, "tasks/01-one.md", "id: one\ntitle: One\ntype: chore\nstatus: done\nresult: made", "tasks/02-two.md", "id: two\ndepends_on: [one]\ntype: test")
	v := View{Plan: p, Agent: "a1", At: noon()}
	doc := Answer(v)
	if got, want := encode(t, doc.Plan.Tasks[0]), `{"id":1,"ref":"one","title":"One","status":"DONE"}`; got != want {
		t.Errorf("%s", got)
	}
	if got, want := encode(t, doc.Now.Task.Results), `[{"id":1,"ref":"one","result":"made"}]`; got != want {
		t.Errorf("%s", got)
	}
	v.All = true
	if got := encode(t, Answer(v).Plan.Tasks[0]); !strings.Contains(got, `"type":"chore"`) || !strings.Contains(got, `"result":"made"`) {
		t.Errorf("%s", got)
	}
}

// A task below another has its number as text, and is named so.
func TestNested(t *testing.T) {
	p := read(t, "tasks/03-ship.md", "id: ship", "tasks/03-ship/01-build.md", "id: build", "tasks/03-ship/02-send.md", "id: send\ndepends_on: [build]")
	doc := Answer(View{Plan: p, Agent: "a1", At: noon()})
	if doc.Now.Task.ID != "3.1" || !strings.Contains(doc.Now.Instructions, `"id": "3.1"`) {
		t.Errorf("%+v", doc.Now)
	}
	if got := encode(t, doc.Plan.Tasks); !strings.Contains(got, `"dependencies":["3.1"]`) || !strings.Contains(got, `{"id":3,`) {
		t.Errorf("%s", got)
	}
}
