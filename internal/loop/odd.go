package loop

import (
	"fmt"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// odd tells of moves that are legal, and likely not what was meant.
func (r *run) odd() []string {
	var out []string
	for _, t := range r.moved {
		if before := r.before.Task(t.ID); before != nil {
			out = append(out, r.oddMove(before, t)...)
		}
	}
	return out
}

// oddMove tells of one move: work that was begun or done before what it needs,
// a task that was somebody else's, a failure without a reason.
func (r *run) oddMove(before, now *plan.Task) []string {
	if before.Doc.Source == now.Doc.Source {
		return nil
	}
	var out []string
	who := label(now.Title())
	if begun := now.Status == plan.InProgress || now.Status == plan.Done; begun && before.Status != now.Status {
		if waits := r.next.WaitsFor(now); len(waits) > 0 {
			out = append(out, fmt.Sprintf("%s waits for task %s `%s`, which is not settled.", who, waits[0].Number(), waits[0].ID))
		}
	}
	was, held := before.Claim()
	if is, _ := now.Claim(); held && was.Agent != "" && is.Agent != "" && was.Agent != is.Agent {
		out = append(out, fmt.Sprintf("%s was begun by %s, whose lease has run out: look for work of it that is left.", who, diag.OneLine(was.Agent, 60)))
	}
	if now.Status == plan.Failed && now.Doc.Text("error") == "" {
		out = append(out, fmt.Sprintf("%s failed, and nothing says why: report it once more with `error`.", who))
	}
	return out
}
