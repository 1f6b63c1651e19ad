package render

import (
	"html/template"
	"io"
	"strings"

	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/internal/markdown"
	"github.com/git-plan/git-plan/internal/planspec"
	"github.com/git-plan/git-plan/plan/diag"
)

// HTML writes the sheet as a page that stands alone: no script, no file beside
// it. What a terminal would not show is there, folded; of a plan of ours there
// is a picture of what waits for what.
func (s *Sheet) HTML(w io.Writer) error {
	t, err := template.New("page").Parse(sheetPage)
	if err != nil {
		return err
	}
	return t.Execute(w, struct {
		Heading, Status, Goal, Summary, Progress string
		Body                                     template.HTML
		GoalDetail, Constraints, Signals, Counts []string
		Steps                                    []htmlStep
		Picture                                  template.HTML
		Style                                    template.CSS // of the picture
	}{
		diag.Printable(s.Heading), diag.Printable(s.Status), diag.Printable(s.Goal), diag.PrintableText(s.Summary), s.Steps.Progress().Share(),
		prose(s.Body), harmless(s.GoalDetail), harmless(s.Constraints), harmless(s.Signals),
		strings.Split(strings.TrimSpace(planspec.Counts(s.Steps)), "\n"), s.htmlSteps(s.Steps.Steps),
		s.picture(), template.CSS(graph.CSS()),
	})
}

// picture draws what waits for what, where there is more than one task.
func (s *Sheet) picture() template.HTML {
	if s.plan == nil || len(s.plan.All()) < 2 {
		return ""
	}
	return template.HTML(graph.SVG(s.plan, graph.Options{Style: graph.StylePage, NoHeading: true}))
}

// prose gives a text of several lines as what its markdown means.
func prose(text string) template.HTML {
	return template.HTML(markdown.HTML(diag.PrintableText(text)))
}

// htmlStep is a step on the page.
type htmlStep struct {
	Number, Status, Marker, Badge, Line, Note string
	Body                                      []string
	BodyOpen, ChildrenOpen                    bool
	Children                                  []htmlStep
}

func (s *Sheet) htmlSteps(steps []*planspec.Step) []htmlStep {
	var out []htmlStep
	for _, step := range steps {
		body, children := step.Shows()
		out = append(out, htmlStep{
			diag.Printable(step.ID), step.Status.String(), step.Status.Marker(), step.Badge(), diag.Printable(step.Line()), diag.Printable(s.note(step)),
			harmless(step.BodyLines()), body, children, s.htmlSteps(step.Children),
		})
	}
	return out
}

func harmless(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = diag.Printable(line)
	}
	return out
}

// sheetPage is the page. Of the markdown in it, its style knows the classes.
const sheetPage = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Heading}}</title>
<style>
.plan { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1f2328; background: #fff; overflow-wrap: anywhere; }
.plan h1 { font-size: 1.3rem; }
.plan ul.steps { list-style: none; padding-left: 1.2rem; } .plan > ul.steps { padding-left: 0; }
.plan .number, .plan .marker, .plan .badge { font-family: monospace; margin-right: .5em; }
.plan .badge { color: #0969da; } .plan .note { color: #59636e; }
.plan .done > .row .marker { color: #1a7f37; } .plan .active > .row .marker { color: #9a6700; } .plan .blocked > .row .marker { color: #cf222e; }
.plan .skipped > .row { color: #59636e; text-decoration: line-through; }
.plan .text { white-space: pre-wrap; }
.plan .prose { margin: 1rem 0; } .plan .prose h3 { font-size: 1.1rem; }
.plan .prose pre, .plan .wide { overflow-x: auto; } .plan .prose pre { border: 1px solid #d1d9e0; border-radius: 6px; padding: .6rem; }
.plan table { border-collapse: collapse; } .plan th, .plan td { border: 1px solid #d1d9e0; padding: .2rem .6rem; text-align: left; overflow-wrap: normal; }
.plan .right { text-align: right; } .plan .centre { text-align: center; } .plan .box { list-style: none; } .plan .box > p { display: inline; }
.plan summary { cursor: pointer; color: #59636e; }
.plan blockquote { margin: .2rem 0 .2rem 1.5rem; border-left: 3px solid #d1d9e0; padding-left: .6rem; }
.plan .picture { overflow-x: auto; border: 1px solid #d1d9e0; border-radius: 6px; margin: .6rem 0; box-sizing: border-box; }
.plan .picture { width: max-content; max-width: calc(100vw - 3rem); position: relative; left: 50%; transform: translateX(-50%); }
.plan .picture svg { display: block; margin: 0 auto; }
@media (prefers-color-scheme: dark) {
html { background: #0d1117; }
.plan { color: #e6edf3; background: #0d1117; }
.plan .badge { color: #58a6ff; } .plan .note, .plan summary, .plan .skipped > .row { color: #9198a1; }
.plan .done > .row .marker { color: #3fb950; } .plan .active > .row .marker { color: #d29922; } .plan .blocked > .row .marker { color: #f85149; }
.plan blockquote, .plan .picture, .plan .prose pre, .plan th, .plan td { border-color: #3d444d; }
.plan a { color: #58a6ff; }
}
{{if .Picture}}{{.Style}}{{end}}</style>
</head>
<body class="plan">
{{define "steps"}}<ul class="steps">
{{range .}}<li class="{{.Status}}"><span class="row"><span class="number">{{.Number}}</span><span class="marker">{{.Marker}}</span>{{with .Badge}}<span class="badge">{{.}}</span>{{end}}<span class="text">{{.Line}}</span>{{with .Note}} <span class="note">({{.}})</span>{{end}}</span>
{{if .Body}}<details{{if .BodyOpen}} open{{end}}><summary>details</summary><blockquote>{{range .Body}}<div class="text">{{.}}</div>{{end}}</blockquote></details>
{{end}}{{if .Children}}<details{{if .ChildrenOpen}} open{{end}}><summary>steps</summary>{{template "steps" .Children}}</details>
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
{{.}}</div>
{{end}}<p>Progress: {{.Progress}}</p>
{{with .Picture}}<div class="picture">{{.}}</div>
{{end}}{{template "steps" .Steps}}{{if .Signals}}<p>Open signals:</p>
<ul>{{range .Signals}}<li>{{.}}</li>{{end}}</ul>
{{end}}{{with .Summary}}<p class="text">Summary: {{.}}</p>
{{end}}<hr>
{{range .Counts}}<p>{{.}}</p>
{{end}}</body>
</html>
`
