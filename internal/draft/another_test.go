package draft

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/store"
)

// An edit never lands in the plan of somebody else that has the thread's id since: it
// goes where the thread's own plan is now, or is refused.
func TestAnotherPlanOfThatID(t *testing.T) {
	for _, tt := range []struct{ name, id string }{{"renamed", "auth-2"}, {"gone", ""}} {
		t.Run(tt.name, func(t *testing.T) {
			g, _, d := begin(t)
			th := current(t, d)
			write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
			beside, err := d.Request(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			write(t, beside, "plan.md", planText("Shop"), "tasks/01-one.md", taskText("one"))
			commit(t, d) // both in one second
			if err := d.Remove(context.Background(), beside.ID); err != nil {
				t.Fatal(err)
			}
			theirs := strings.Replace(planText("Auth"), "\n---\n\n", "\ncreated_at: 2025-01-02T03:04:05Z\ncreated_by: bob\n---\n\nTheirs. ", 1)
			blob := g.GitInput(theirs, "hash-object", "-w", "--stdin")
			entries := strings.Split(g.Git("ls-tree", "plans"), "\n")
			for i, e := range entries {
				if at, ours := strings.CutSuffix(e, "\tauth"); ours {
					entries[i] = "040000 tree " + g.GitInput("100644 blob "+blob+"\tplan.md\n", "mktree") + "\tauth"
					if tt.id != "" {
						entries = append(entries, at+"\t"+tt.id)
					}
				}
			}
			tree := g.GitInput(strings.Join(entries, "\n")+"\n", "mktree")
			g.Git("update-ref", "refs/heads/plans", g.Git("commit-tree", "-p", "plans", "-m", "merge", tree))
			commit(t, d) // nothing was edited

			write(t, th, "tasks/02-two.md", taskText("two"))
			result, _, err := d.Commit(context.Background(), CommitOptions{Agent: "tester"})
			var conflict *store.ConflictError
			switch {
			case tt.id == "" && (!errors.As(err, &conflict) || conflict.Details[0] != "another plan has that id since"):
				t.Errorf("%v, %v", result.Plans, err)
			case tt.id != "" && (err != nil || len(result.Plans) != 1 || result.Plans[0].ID != tt.id):
				t.Errorf("%v, %v", result.Plans, err)
			}
			if got := g.Git("ls-tree", "-r", "--name-only", "plans:auth"); got != "plan.md" {
				t.Errorf("theirs holds %s", got)
			}
		})
	}
}
