package loop

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
)

// primed is the primer of a plan for coder-1.
func primed(p *plan.Plan) string { return Prime(View{Plan: p, Agent: "coder-1", At: noon()}) }

func TestPrime(t *testing.T) {
	const head = "title: Log in\ngoal: A user logs in with a token"
	for _, c := range []struct {
		name       string
		files      []string
		want, lack []string
	}{
		{"ready", []string{"plan.md", head, "tasks/01-a.md", "id: a\nstatus: done", "tasks/02-b.md", "id: b\ntitle: Sign\ncontext_hints: [Read `x`.]\nrelevant_file_paths: [x]\ncreates: [y]\nacceptance_criteria: [Tests pass.]"},
			[]string{"# git plan: auth\n", "Log in (in_progress, 1 of 2 tasks done).\n", "Goal: A user logs in with a token\n", "Next: task 2 `b`: Sign\n", "Read first:\n- Read `x`.\n", "Files: x\nCreates: y\n", "Done when:\n- Tests pass.\n",
				"`git plan status --json`", `'{"update_tasks":[{"id":2,"status":"IN_PROGRESS"}]}'`, `{"id":2,"status":"DONE"`}, []string{"Failed", "signals", "Replanned"}},
		{"mine", []string{"plan.md", head, "tasks/01-a.md", "id: a\nstatus: in_progress\nexecuted_by: coder-1"},
			[]string{"Now, in progress and yours: task 1 `a`: a\n", "1 in progress"}, []string{`"IN_PROGRESS"`}},
		{"blocked", []string{"plan.md", head, "tasks/01-a.md", "id: a", "signals/tests.md", "level: blocker\ntask: a", "signals/note.md", "level: info"},
			[]string{"Now: Waiting for signal 'tests' on task 1 to be cleared.\n", "Open signals:\n- blocker `tests` on task 1: ", "\n- info `note`: ", "`git plan alert clear tests`"}, []string{`"DONE"`}},
		{"failed", []string{"plan.md", head + "\nversion: 2", "tasks/01-a.md", "id: a\nstatus: failed\nerror: no such library"},
			[]string{"Now, a replan: Failed: task 1 `a` (no such library).\n", "Replanned 1 time, of at most 3", "`git plan replan auth --from"}, []string{"Failed:\n"}},
		{"failed for good", []string{"plan.md", head + "\nversion: 2\nmax_replans: 1", "tasks/01-a.md", "id: a\nstatus: failed\nerror: no such library"},
			[]string{"Now, tell the user: Failed: task 1 `a` (no such library). The plan is at version 2 and `max_replans` is 1: no replan is left.\n", "For a person alone: `git plan checkout auth`, a higher `max_replans`"},
			[]string{"git plan replan"}},
		{"failed beside", []string{"plan.md", head, "tasks/01-a.md", "id: a\nstatus: failed\nerror: no such library", "tasks/02-b.md", "id: b"},
			[]string{"Next: task 2 `b`", "Failed:\n- task 1 `a`: no such library\n"}, nil},
		{"complete", []string{"plan.md", head, "tasks/01-a.md", "id: a\nstatus: done"},
			[]string{"Now: All tasks are complete.", `"final_summary"`}, nil},
		{"summed up", []string{"plan.md", head + "\nfinal_summary: It works.", "tasks/01-a.md", "id: a\nstatus: done"},
			[]string{"Now: All tasks are complete and summed up."}, []string{`"final_summary"`}},
		{"hostile", []string{"plan.md", "title: \"a\\u202eb\"", "tasks/01-a.md", "id: a"}, []string{`a\u202eb`}, []string{"\u202e"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := primed(read(t, c.files...))
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("lacks %q:\n%s", want, got)
				}
			}
			for _, lack := range c.lack {
				if strings.Contains(got, lack) {
					t.Errorf("has %q:\n%s", lack, got)
				}
			}
		})
	}
}

// Whatever a plan says, the primer stays short and names the task and the
// commands.
func TestPrimeIsShort(t *testing.T) {
	for name, word := range map[string]string{"ascii": "words and words ", "chinese": "一段很长的标题文字", "emoji": "👩‍👩‍👧‍👦", "control": "\\e[31m"} {
		long := strings.Repeat(word, 30)
		list := func(key string) string { return "\n" + key + ":" + strings.Repeat("\n  - \""+long+"\"", 12) }
		quoted := "title: \"" + long + "\""
		pairs := []string{"plan.md", quoted + "\ngoal: \"" + long + " goal\"\nversion: 3"}
		for i := 1; i < 99; i++ {
			body := fmt.Sprintf("id: t%d\n%s%s%s", i, quoted, list("context_hints"), list("acceptance_criteria"))
			if i > 40 {
				body += "\nstatus: failed\nerror: \"" + long + "\""
			}
			if i == 3 {
				body += "\npriority: critical\nstatus: in_progress\nexecuted_by: coder-1"
			}
			pairs = append(pairs, fmt.Sprintf("tasks/%02d-t.md", i), body)
		}
		for i := range 20 {
			pairs = append(pairs, fmt.Sprintf("signals/s%d.md", i), "level: warning")
		}
		got := primed(read(t, pairs...))
		if n := estimate(got); n >= 600 || n < 200 {
			t.Errorf("%s: about %d tokens:\n%s", name, n, got)
		}
		if n := len([]rune(got)) / 4; n >= 600 {
			t.Errorf("%s: %d times four characters", name, n)
		}
		for _, want := range []string{"Now, in progress and yours: task 3 `t3`: ", "Read first:\n- ", "`git plan status --json`", "`git plan show auth`"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: lacks %q:\n%s", name, want, got)
			}
		}
	}
}
