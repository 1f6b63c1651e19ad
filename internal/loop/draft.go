package loop

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Draft is what a model answers to the prompt `decompose`: all tasks of a plan
// that is to be made.
type Draft struct {
	// Reasoning says why the plan looks as it does, or is empty.
	Reasoning string

	tasks Payload
}

// ParseDraft reads an answer: `add_tasks`, as a payload of update has them, and
// perhaps `reasoning`. What prevents it from being a draft is told at once, by
// a *[Rejection]; what the gate will say of it is not looked at yet.
func ParseDraft(data []byte) (Draft, error) {
	p, v, err := readPayload(data, `{"add_tasks": [{"title": "...", "type": "feature"}]}`)
	if err != nil {
		return Draft{}, err
	}
	d := Draft{}
	for _, m := range p.members("the answer", v, []string{"add_tasks", "reasoning"}) {
		switch m.Key {
		case "add_tasks":
			items := p.entries(m, plan.MaxSiblings, ", and a plan has at most as many")
			p.Add = p.each(m.Key, items, taskKeys())
		case "reasoning":
			d.Reasoning, _ = p.text(m.Key, m.Value)
		}
	}
	if len(p.Add) == 0 && len(p.faults) == 0 {
		p.bad("add_tasks: it is missing or empty: a plan has at least one task")
	}
	if len(p.faults) > 0 {
		return Draft{}, &Rejection{Faults: p.faults}
	}
	d.tasks = p
	return d, nil
}

// drafted adds the tasks of the draft to a plan that has none yet.
func (s *Starter) drafted(ctx context.Context, at *store.Snapshot, empty *plan.Plan) (*plan.Plan, error) {
	u := &Update{Repo: s.Repo, Payload: s.Draft.tasks, Agent: s.Agent, at: s.Repo.Now(), readPlan: s.Repo.ReadPlan}
	r := newRun(u, empty)
	r.apply()
	s.labels = r.labels
	if len(r.faults) > 0 {
		return nil, r.reject(ctx, at)
	}
	return r.next, nil
}

// Explain makes a *[Rejection] of the gate's refusal to store a draft; other
// errors stay as they are.
func (s *Starter) Explain(err error) error {
	if s.Draft == nil {
		return err
	}
	return s.labels.explain(err)
}

// Tell gives findings about a plan in the words of the loop, which name tasks
// by their titles, a line each and what is graver first.
func Tell(p *plan.Plan, found []diag.Diagnostic) []string {
	l := labels{names: map[string]string{}}
	for _, t := range p.All() {
		l.names[t.Doc.Path] = label(t.Title())
	}
	return l.lines(found)
}

// Tell gives what the gate found in the draft of the last run, a line each and
// what is graver first.
func (s *Starter) Tell(found []diag.Diagnostic) []string { return s.labels.lines(found) }

func (l labels) lines(found []diag.Diagnostic) []string {
	var errors, others []string
	for _, d := range found {
		switch {
		case d.Severity == diag.Error:
			errors = append(errors, l.detail(d))
		default:
			others = append(others, fmt.Sprintf("%s: %s", strings.ToLower(d.Severity.String()), l.detail(d)))
		}
	}
	return append(errors, others...)
}
