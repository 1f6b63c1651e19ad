package graph

import (
	"github.com/git-plan/git-plan/plan"
)

// Document is a graph as programs are given it.
type Document struct {
	Plan  string         `json:"plan"`
	Tasks []TaskDocument `json:"tasks"`
	Edges []EdgeDocument `json:"edges"`
}

// TaskDocument is a node of a [Document]. Parent is the id of the container,
// empty at the top.
type TaskDocument struct {
	ID     string      `json:"id"`
	Number string      `json:"number"`
	Title  string      `json:"title"`
	Status plan.Status `json:"status"`
	Parent string      `json:"parent"`
	Layer  int         `json:"layer"`
}

// EdgeDocument says that a task waits for another: because of `depends_on`,
// `data_flow` or `file_order`.
type EdgeDocument struct {
	Task  string `json:"task"`
	Needs string `json:"needs"`
	Kind  string `json:"kind"`
}

// NewDocument gives the graph of a plan for encoding/json.
func NewDocument(p *plan.Plan) Document {
	x := newPicture(p, nil)
	o := x.order()
	doc := Document{Plan: p.ID, Tasks: []TaskDocument{}, Edges: []EdgeDocument{}}
	for i, n := range x.nodes {
		t := TaskDocument{ID: taskName(n.task), Number: n.task.Number(), Title: n.task.Title(), Status: n.task.Status, Layer: o.layer[2*i]}
		if n.parent >= 0 {
			t.Parent = taskName(x.nodes[n.parent].task)
		}
		doc.Tasks = append(doc.Tasks, t)
	}
	kinds := map[plan.EdgeKind]string{plan.DependsOn: "depends_on", plan.DataFlow: "data_flow", plan.FileOrder: "file_order"}
	for _, w := range x.wires {
		doc.Edges = append(doc.Edges, EdgeDocument{taskName(x.nodes[w.to].task), taskName(x.nodes[w.from].task), kinds[w.kind]})
	}
	return doc
}
