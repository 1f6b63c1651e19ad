package render

import (
	"html/template"
	"io"
	"strings"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/internal/markdown"
	"github.com/git-plan/git-plan/internal/standalone"
	"github.com/git-plan/git-plan/plan/diag"
)

// HTML writes the sheet as a page that stands alone: no script, no file beside
// it. What a terminal would not show is there, folded; of a plan of ours there
// is a picture of what waits for what. What cannot be seen is made visible on the
// whole of it.
func (s *Sheet) HTML(w io.Writer) error {
	picture := s.picture()
	t, err := template.New("page").Funcs(template.FuncMap{
		"note":         s.note,
		"picture":      func() template.HTML { return picture },
		"css":          func() template.CSS { return template.CSS(graph.CSS()) },
		"prose":        func(text string) template.HTML { return template.HTML(markdown.HTML(diag.PrintableText(text))) },
		"progress":     s.progress,
		"counts":       s.counts,
		"status":       planspec.StatusOf,
		"badge":        badge,
		"line":         stepLine,
		"body":         stepBody,
		"bodyOpen":     func(step *form.Item) bool { open, _ := s.Folds.Shows(step); return open },
		"childrenOpen": func(step *form.Item) bool { _, open := s.Folds.Shows(step); return open },
	}).Parse(standalone.Source("{{.Heading}}", sheetRules, sheetBody))
	if err != nil {
		return err
	}
	var b strings.Builder
	if err := t.Execute(&b, s); err != nil {
		return err
	}
	_, err = io.WriteString(w, diag.PrintableText(b.String()))
	return err
}

// picture draws what waits for what, where there is more than one task.
func (s *Sheet) picture() template.HTML {
	if s.plan == nil || len(s.plan.All()) < 2 {
		return ""
	}
	return template.HTML(graph.SVG(s.plan, graph.Options{Page: true}))
}

// sheetRules are the style of what a sheet shows. Of the markdown in it, they know
// the classes.
const sheetRules = `ul.steps { list-style: none; padding-left: 1.2rem; } body > ul.steps { padding-left: 0; }
.number, .marker, .badge { font-family: monospace; margin-right: .5em; }
.badge { color: var(--accent); } .note { color: var(--soft); }
.done > .row .marker { color: var(--done); } .active > .row .marker { color: var(--active); } .blocked > .row .marker { color: var(--failed); }
.skipped > .row { color: var(--soft); text-decoration: line-through; }
.text { white-space: pre-wrap; }
.prose { margin: 1rem 0; } .prose h3 { font-size: 1.1rem; }
.prose pre, .wide { overflow-x: auto; } .prose pre { border: 1px solid var(--line); border-radius: 6px; padding: .6rem; }
table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: .2rem .6rem; text-align: left; overflow-wrap: normal; }
.right { text-align: right; } .centre { text-align: center; } .box { list-style: none; } .box > p { display: inline; }
summary { color: var(--soft); }
blockquote { margin: .2rem 0 .2rem 1.5rem; border-left: 3px solid var(--line); padding-left: .6rem; }
.picture { width: max-content; max-width: calc(100vw - 3rem); box-sizing: border-box; position: relative; left: 50%; transform: translateX(-50%); }
{{if picture}}{{css}}{{end}}`

const sheetBody = `{{define "steps"}}<ul class="steps">
{{range $step := .}}{{$status := status .}}<li class="{{$status.Word}}"><span class="row"><span class="number">{{.Number}}</span><span class="marker">{{$status.Marker}}</span>{{with badge .}}<span class="badge">{{.}}</span>{{end}}<span class="text">{{line .}}</span>{{with note .}} <span class="note">({{.}})</span>{{end}}</span>
{{with body .}}<details{{if bodyOpen $step}} open{{end}}><summary>details</summary><blockquote>{{range .}}<div class="text">{{.}}</div>{{end}}</blockquote></details>
{{end}}{{if .Children}}<details{{if childrenOpen .}} open{{end}}><summary>steps</summary>{{template "steps" .Children}}</details>
{{end}}</li>
{{end}}</ul>
{{end -}}
<h1>{{.Heading}}</h1>
{{with .Status}}<p>Status: {{.}}</p>
{{end}}{{with .Goal}}<p>Goal: {{.}}</p>
{{end}}{{range .GoalDetail}}<blockquote class="text">{{.}}</blockquote>
{{end}}{{if .Constraints}}<p>Constraints:</p>
<ul>{{range .Constraints}}<li>{{.}}</li>{{end}}</ul>
{{end}}{{with .Body}}<div class="prose">
{{prose .}}</div>
{{end}}<p>Progress: {{progress}}</p>
{{with picture}}<div class="picture">{{.}}</div>
{{end}}{{template "steps" .Steps}}{{if .Signals}}<p>Open signals:</p>
<ul>{{range .Signals}}<li>{{.}}</li>{{end}}</ul>
{{end}}{{with .Summary}}<p class="text">Summary: {{.}}</p>
{{end}}<hr>
{{range counts}}<p>{{.}}</p>
{{end}}`
