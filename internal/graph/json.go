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
	d := newDrawing(p)
	doc := Document{Plan: p.ID, Tasks: []TaskDocument{}, Edges: []EdgeDocument{}}
	layers := d.layers()
	for i, t := range d.tasks {
		n := TaskDocument{ID: taskName(t), Number: t.Number(), Title: t.Title(), Status: t.Status, Layer: layers[i]}
		if t.Parent != nil {
			n.Parent = taskName(t.Parent)
		}
		doc.Tasks = append(doc.Tasks, n)
	}
	for _, e := range d.edges {
		kind := map[plan.EdgeKind]string{plan.DependsOn: "depends_on", plan.DataFlow: "data_flow", plan.FileOrder: "file_order"}[e.kind]
		doc.Edges = append(doc.Edges, EdgeDocument{taskName(d.tasks[e.from]), taskName(d.tasks[e.to]), kind})
	}
	return doc
}
