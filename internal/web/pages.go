package web

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
	"sync"

	"github.com/git-plan/git-plan/internal/diff"
	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/plan/diag"
)

//go:embed assets templates
var files embed.FS

// assetTypes are the files that pages need, with the types they are served as.
func assetTypes() map[string]string {
	return map[string]string{
		"style.css": "text/css; charset=utf-8", "graph.css": "text/css; charset=utf-8", "app.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml",
	}
}

func asset(name string) ([]byte, error) {
	if name == "graph.css" {
		return []byte(graph.CSS()), nil
	}
	return fs.ReadFile(files, "assets/"+name)
}

// pages are the templates of pages, parsed at the first page.
type pages struct {
	once      sync.Once
	templates *template.Template
	err       error
}

func (p *pages) parsed() (*template.Template, error) {
	p.once.Do(func() {
		t, err := template.New("pages").Funcs(template.FuncMap{
			"prose": prose, "line": line, "box": boxOf, "evidence": evidenceOf, "stamp": stamp, "short": short,
		}).Parse(diff.PartTemplates())
		if err == nil {
			t, err = t.ParseFS(files, "templates/*.html")
		}
		p.templates, p.err = t, err
	})
	return p.templates, p.err
}

// frame is what surrounds each page.
type frame struct {
	links
	// Title names the page, before the name of the repository.
	Title, Name string
	// Tip is the commit that the page shows, empty without a store.
	Tip, TipShort string
	Query, Here   string
	// Content names the template of the content, Data is what it shows, and Main
	// what became of both.
	Content string
	Data    any
	Main    template.HTML
}

// Policy is the page's policy where no server can send one.
func (f frame) Policy() string { return staticPolicy }

// staticPolicy lets a page use its own files and nothing else. The scheme stands
// there as pages opened from a folder have no origin that 'self' could mean.
const staticPolicy = "default-src 'none'; style-src 'self' file:; script-src 'self' file:; img-src 'self' file:; base-uri 'none'; form-action 'none'"

// page makes a page of a frame. This is where whatever cannot be seen, but
// changes what is read, is made visible.
func (v *Viewer) page(f frame, s *state, l links) ([]byte, error) {
	t, err := v.pages.parsed()
	if err != nil {
		return nil, err
	}
	f.links, f.Name = l, v.opts.Name
	if s != nil {
		f.Tip, f.TipShort = s.Commit, short(s.Commit)
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, f.Content, f.Data); err != nil {
		return nil, err
	}
	f.Main = template.HTML(b.String()) // made by a template of ours, which escaped
	b.Reset()
	if err := t.ExecuteTemplate(&b, "frame.html", f); err != nil {
		return nil, err
	}
	return []byte(diag.PrintableText(b.String())), nil
}
