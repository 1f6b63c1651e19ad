package render

import (
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// FuzzSheet shows plans of any texts in every form. Texts come in by frontmatter
// and by what reading would have refused: renderers rely on nothing.
func FuzzSheet(f *testing.F) {
	f.Add("title: t\ngoal: g", "Why.", "id: a\ntitle: x\nstatus: done\nresult: r", "Do it.")
	f.Add("title: \"\\e[31m<script>\"\ntags: [\"*a*\", \"\\u202e\"]", "# h\n```\n<img>\n", "id: a\ntitle: \"[x](javascript:y)\"\nerror: |\n  two\n  lines", "</details>\x1b[31m\u2028")
	f.Add("title: x\nabandoned: true", "", "id: a\nkind: subtask\nnotes: [\"```\", \"</span>\"]\nagent: \"\\x9b\"", "> quoted\n\n| a |")
	tags := regexp.MustCompile(`</?(section|details( open)?|summary|h[1-6]|p|ul|ol|li|span|code|pre|div|strong|em|br|hr|dl|dt|dd|main|blockquote|header|footer|body)( (class|id)="[a-z0-9 _-]*")*>`)
	prose := regexp.MustCompile(`<(pre tabindex="0"|div class="wide" tabindex="0"|a href="(https?|mailto):[^"<>]*" rel="noopener noreferrer nofollow" target="_blank"|` +
		`input type="checkbox"( checked)? disabled aria-label="(done|to do)"|ol start="[0-9]+"|/?(table|thead|tbody|tr|th|td|a|del)( class="[a-z]+")?)>`)
	picture := regexp.MustCompile(`(?s)<svg .*?</svg>`) // it is fuzzed where it is drawn
	f.Fuzz(func(t *testing.T, front, body, task, text string) {
		p, _ := plan.Read("auth", "", []plan.File{
			{Path: "plan.md", Data: []byte("---\n" + front + "\n---\n" + body)},
			{Path: "tasks/01-a.md", Data: []byte("---\n" + task + "\n---\n" + text)},
			{Path: "tasks/01-a/01-b.md", Data: []byte("---\nid: b\ndepends_on: [c]\n---\n# " + text)},
			{Path: "tasks/02-c.md", Data: []byte("---\nid: c\n---\n" + body)},
			{Path: "signals/s.md", Data: []byte("---\nlevel: blocker\ntask: c\n---\n" + text)},
		})
		if p.Doc != nil {
			p.Doc.Body += body
		}
		for _, folded := range []bool{false, true} {
			s := NewSheet(p)
			if folded {
				s.ExpandAll()
			}
			harmlessText(t, func(w io.Writer) error { return s.Text(w, &term.Page{Columns: 60}) })
			harmlessText(t, s.Markdown)
			page := harmlessText(t, s.HTML)
			_, inside, _ := strings.Cut(page, "<body")
			_, inside, _ = strings.Cut(inside, ">")
			inside, _, _ = strings.Cut(inside, "</body>")
			if rest := prose.ReplaceAllString(tags.ReplaceAllString(picture.ReplaceAllString(inside, ""), ""), ""); strings.ContainsAny(rest, "<>") {
				t.Fatalf("markup out of a plan: %q", rest)
			}
		}
		for _, task := range p.All() {
			harmlessText(t, func(w io.Writer) error { return TaskCard(w, task, &term.Page{Columns: 60}) })
		}
		if data, err := json.Marshal(Plan(p, "c")); err != nil || !json.Valid(data) {
			t.Fatalf("%v: %s", err, data)
		}
		for _, s := range p.Signals {
			if data, err := json.Marshal(Alert(p, s)); err != nil || !json.Valid(data) {
				t.Fatalf("%v: %s", err, data)
			}
		}
		_ = Textconv([]byte("---\n" + task + "\n---\n" + text))
	})
}

// harmlessText writes something and finds what a terminal would obey in it.
func harmlessText(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	if out := b.String(); diag.PrintableText(out) != out {
		t.Fatalf("raw characters in %q", out)
	}
	return b.String()
}
