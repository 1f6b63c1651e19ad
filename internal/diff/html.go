package diff

import (
	"fmt"
	"html/template"
	"io"
	"slices"

	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/internal/standalone"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// HTML writes the differences as a page that stands alone: no script, no file
// beside it. Of each plan there is a picture, of the first ones of very many.
func HTML(w io.Writer, r *Result) error {
	t, err := template.New("page").Parse(partTemplates + standalone.Source("{{.Summary}}", pageRules, pageBody))
	if err != nil {
		return err
	}
	part := NewPart(r, nil)
	data := pageData{Part: part}
	if slices.ContainsFunc(part.Plans, func(s section) bool { return s.Picture != "" }) {
		data.Style = template.CSS(graph.CSS())
	}
	return t.Execute(w, data)
}

type pageData struct {
	*Part
	Style template.CSS // of pictures
}

// Part is the differences as part of a page: the template "plan-diff" of
// [PartTemplates] shows it.
type Part struct {
	From, To, Summary string
	Files             []block
	Plans             []section
}

// section is a plan: what changed of itself, of each task, and what is told last.
type section struct {
	Head        line
	Lines, Last []line
	Picture     template.HTML
	Tasks       []block
}

// block is a task, or a file of the store.
type block struct {
	Head  line
	Lines []line
}

// PartTemplates is the source of the template that shows a [Part] on a page of
// html/template. It has classes and no styles of its own.
func PartTemplates() string { return partTemplates }

// NewPart makes the differences a part of a page. In its pictures, whose style is
// that of [graph.CSS], tasks lead to where link says, which may be nil.
func NewPart(r *Result, link func(*plan.Task) string) *Part {
	part, drawn := newPart(r), 0
	for i := range r.Plans {
		if p := &r.Plans[i]; drawn < maxPictures && p.drawable() {
			drawn++
			part.Plans[i].Picture = template.HTML(picture(p, fmt.Sprintf("plan-graph-%d", drawn), link))
		}
	}
	return part
}

// newPart makes the lines that every form tells, without pictures.
func newPart(r *Result) *Part {
	part := &Part{From: diag.Printable(short(r.From)), To: diag.Printable(short(r.To)), Summary: sentence(r.Summary())}
	v := newProse()
	for _, f := range r.Files {
		lines := v.file(f)
		part.Files = append(part.Files, block{lines[0], lines[1:]})
	}
	for i := range r.Plans {
		p := &r.Plans[i]
		s := section{Head: heading(p), Lines: v.plan(p), Last: last(p)}
		for _, t := range shown(p) {
			lines := v.task(t)
			s.Tasks = append(s.Tasks, block{lines[0], lines[1:]})
		}
		part.Plans = append(part.Plans, s)
	}
	return part
}

const pageRules = `h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; padding: .3rem .6rem; }
p { margin: .1rem 0; white-space: pre-wrap; }
p.task { border: 1px solid transparent; margin: .4rem 0; padding: .3rem .6rem; }
.mark { display: inline-block; width: 1.2em; font-family: monospace; }
.added .mark { color: var(--done); } .removed .mark { color: var(--failed); } .changed .mark { color: var(--active); } .moved .mark { color: var(--accent); }
ins { background: var(--add); text-decoration: none; } del { background: var(--del); }
.d2 { margin-left: 1.2rem; } .d3 { margin-left: 2.4rem; } .d4 { margin-left: 3.6rem; }
{{.Style}}`

const pageBody = `<h1>{{.Summary}}</h1>
<p>From <code>{{.From}}</code> to <code>{{.To}}</code></p>
{{template "plan-diff" .}}`

const partTemplates = `{{define "spans"}}<span class="mark">{{.Mark}}</span>{{range .Spans}}{{if eq .Op 1}}<del>{{.Shown}}</del>{{else if eq .Op 2}}<ins>{{.Shown}}</ins>{{else}}{{.Shown}}{{end}}{{end}}{{end -}}
{{define "lines"}}{{range .}}<p class="{{.Class}} d{{.Depth}}">{{template "spans" .}}</p>
{{end}}{{end -}}
{{define "plan-diff"}}{{range .Files}}<section>
<h2 class="{{.Head.Class}}">{{template "spans" .Head}}</h2>
{{template "lines" .Lines}}</section>
{{end}}{{range .Plans}}<section>
<h2 class="{{.Head.Class}}">{{template "spans" .Head}}</h2>
{{template "lines" .Lines}}{{with .Picture}}<div class="picture">{{.}}</div>
{{end}}{{range .Tasks}}{{if .Lines}}<details open><summary class="{{.Head.Class}}">{{template "spans" .Head}}</summary>
{{template "lines" .Lines}}</details>
{{else}}<p class="task {{.Head.Class}}">{{template "spans" .Head}}</p>
{{end}}{{end}}{{template "lines" .Last}}</section>
{{end}}{{end -}}
`
