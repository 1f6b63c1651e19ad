package diff

// Document is the result as programs are given it.
type Document struct {
	From  string         `json:"from"`
	To    string         `json:"to"`
	Plans []PlanDocument `json:"plans"`
	Files []FileChange   `json:"files,omitempty"`
}

// PlanDocument is a plan that differs. A signal that was opened, cleared or
// changed is the field `signals/<id>`.
type PlanDocument struct {
	ID     string         `json:"id"`
	Change Change         `json:"change"`
	Fields []Field        `json:"fields"`
	Tasks  []TaskDocument `json:"tasks"`
	Edges  EdgesDocument  `json:"edges"`
}

// TaskDocument is a task that differs.
type TaskDocument struct {
	ID     string  `json:"id"`
	Change Change  `json:"change"`
	Fields []Field `json:"fields"`
}

// EdgesDocument has pairs of a task and what it needs.
type EdgesDocument struct {
	Added   [][2]string `json:"added"`
	Removed [][2]string `json:"removed"`
}

// Document gives the result for encoding/json. Lists are never nil.
func (r *Result) Document() Document {
	doc := Document{From: r.From, To: r.To, Plans: []PlanDocument{}, Files: r.Files}
	for _, p := range r.Plans {
		d := PlanDocument{
			ID: p.ID, Change: p.Change, Fields: append([]Field{}, p.Fields...), Tasks: []TaskDocument{},
			Edges: EdgesDocument{pairsOf(p.Needs), pairsOf(p.NeedsNot)},
		}
		for _, s := range p.Signals {
			d.Fields = append(d.Fields, Field{"signals/" + s.Name, s.Old, s.New})
		}
		for _, t := range p.Tasks {
			d.Tasks = append(d.Tasks, TaskDocument{t.ID, t.Change, append([]Field{}, t.Fields...)})
		}
		doc.Plans = append(doc.Plans, d)
	}
	return doc
}

func pairsOf(edges []Edge) [][2]string {
	out := [][2]string{}
	for _, e := range edges {
		out = append(out, [2]string{e.Task, e.Needs})
	}
	return out
}
