package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// Board is the tasks of plans by how they stand.
type Board struct {
	Plans   []BoardPlan   `json:"plans"`
	Columns []BoardColumn `json:"columns"`
}

// BoardPlan is a plan whose tasks are on a board.
type BoardPlan struct {
	ID       string          `json:"id"`
	Title    string          `json:"title"`
	Status   plan.PlanStatus `json:"status"`
	Progress plan.Progress   `json:"progress"`
}

// BoardColumn is the tasks of one status; what was skipped or cancelled stands
// with what is done.
type BoardColumn struct {
	Status plan.Status `json:"status"`
	Cards  []Card      `json:"tasks"`
}

// Card is a task on a board.
type Card struct {
	Plan   string      `json:"plan"`
	ID     string      `json:"id"`
	Number string      `json:"number"`
	Title  string      `json:"title"`
	Status plan.Status `json:"status"`
	// Ready says that it can be worked on now.
	Ready bool `json:"ready"`
	// Agent is who works on it, or did.
	Agent string `json:"agent"`
	// Needs are the tasks that it still waits for.
	Needs []string `json:"needs"`
	// Reason is why it is blocked or failed.
	Reason string `json:"reason"`

	settled string
}

// NewBoard puts tasks on a board that nothing stands below: those who work take
// these. Ready ones come first, and what was done last comes before what was
// done earlier.
func NewBoard(plans []*plan.Plan) *Board {
	b := &Board{Plans: []BoardPlan{}}
	for _, s := range []plan.Status{plan.Pending, plan.InProgress, plan.Blocked, plan.Failed, plan.Done} {
		b.Columns = append(b.Columns, BoardColumn{s, []Card{}})
	}
	for _, p := range plans {
		b.Plans = append(b.Plans, BoardPlan{p.ID, p.Title(), p.Status(), p.Progress()})
		b.add(p)
	}
	slices.SortStableFunc(b.Columns[0].Cards, func(x, y Card) int { return cmp.Compare(rank(x), rank(y)) })
	done := b.Columns[len(b.Columns)-1].Cards
	slices.SortStableFunc(done, func(x, y Card) int { return cmp.Compare(y.settled, x.settled) })
	return b
}

func (b *Board) add(p *plan.Plan) {
	ready := map[*plan.Task]bool{}
	for _, t := range p.Ready() {
		ready[t] = true
	}
	for _, t := range p.All() {
		if len(t.Children) > 0 {
			continue
		}
		c := Card{
			Plan: p.ID, ID: t.ID, Number: t.Number(), Title: t.Title(), Status: t.Status, Ready: ready[t],
			Agent: t.Doc.Text("executed_by"), Needs: []string{}, settled: t.Doc.Text("completed_at"),
		}
		switch t.Status {
		case plan.Pending:
			for _, u := range p.WaitsFor(t) {
				c.Needs = append(c.Needs, u.ID)
			}
		case plan.Blocked, plan.Failed:
			c.Reason = cmp.Or(flat(t.Doc.Text("error")), flat(t.Doc.Text("result")))
		}
		at := slices.IndexFunc(b.Columns, func(c BoardColumn) bool { return c.Status == t.Status })
		if at < 0 {
			at = len(b.Columns) - 1
		}
		b.Columns[at].Cards = append(b.Columns[at].Cards, c)
	}
}

func rank(c Card) int {
	if c.Ready {
		return 0
	}
	return 1
}

// name is what a column is called.
func (c BoardColumn) name() string {
	name := strings.ReplaceAll(string(c.Status), "_", " ")
	return strings.ToUpper(name[:1]) + name[1:]
}
