package planjson

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan"
)

// odd are pieces of text that some notation or other gives a meaning to.
func odd() []string {
	return []string{"a|b", "→ c", "[x]", `\`, `\|`, "中文", "🎉", "> q", "status: done", "- i", "# h", "\"", "'", "{", "}", "a: b", "true", "0x1", "~", "---", "...",
		"Progress: 1/2", "null", "1e3", "&a", "*a", "!t", "%", "@", "`c`", "<b>", "\u00a0", "\ufeff", "é", "  two", "?", "key:", ",", "2026-01-02"}
}

type maker struct{ *rand.Rand }

func (m maker) text() string {
	var out []string
	for range 1 + m.IntN(4) {
		out = append(out, odd()[m.IntN(len(odd()))])
	}
	return strings.Join(out, []string{" ", "", "\n"}[m.IntN(3)])
}

func (m maker) line() string { return strings.ReplaceAll("w"+m.text()+"w", "\n", " ") }

// node makes any value that YAML and JSON both have.
func (m maker) node(depth int) plan.Node {
	switch k := m.IntN(7); {
	case k == 0 && depth < 3:
		n := plan.Node{Kind: plan.List, Items: []plan.Node{}}
		for range m.IntN(3) {
			n.Items = append(n.Items, m.node(depth+1))
		}
		return n
	case k == 1 && depth < 3:
		n := plan.Node{Kind: plan.Map}
		for i := range m.IntN(3) {
			n.Fields = append(n.Fields, plan.Field{Key: fmt.Sprint(string(rune('a'+i)), m.line()), Value: m.node(depth + 1)})
		}
		return n
	case k == 2:
		return plan.Node{Kind: plan.Int, Text: fmt.Sprint(m.IntN(2000) - 1000)}
	case k == 3:
		return plan.Node{Kind: plan.Float, Text: fmt.Sprintf("%.2f5", m.Float64())}
	case k == 4:
		return plan.Node{Kind: plan.Bool, Text: "true"}
	}
	return plan.Node{Kind: plan.String, Text: m.text()}
}

// frontmatter gives some of the fields that a file may have.
func (m maker) frontmatter(specs []plan.FieldSpec, except string) []plan.Field {
	var out []plan.Field
	for _, f := range specs {
		if f.Name == except || !f.Required && m.IntN(3) > 0 {
			continue
		}
		var v plan.Node
		switch f.Type() {
		case "line":
			v = plan.Value(m.line())
		case "text":
			v = plan.Value(m.text())
		case "list":
			v = plan.Value([]string{m.text(), m.text()}[:m.IntN(3)])
		case "paths":
			v = plan.Value([]string{"src/中.go", "a b/c#d"}[:m.IntN(3)])
		case "integer":
			v = plan.Value(1 + m.IntN(9))
		case "boolean":
			v = plan.Value(m.IntN(2) == 0)
		case "time":
			v = plan.Value(time.Unix(m.Int64N(1<<31), 0).UTC().Format(time.RFC3339))
		case "duration":
			v = plan.Value("1d12h")
		case "enum":
			v = plan.Value(f.Values[m.IntN(len(f.Values))])
		case "progress":
			v = plan.Value("2/3")
		}
		out = append(out, plan.Field{Key: f.Name, Value: v})
	}
	for i := range m.IntN(3) {
		out = append(out, plan.Field{Key: fmt.Sprint("x-", i), Value: m.node(0)})
	}
	return out
}

func (m maker) file(t *testing.T, path string, fields []plan.Field) plan.File {
	t.Helper()
	f, err := plan.Compose(path, fields, "\n"+m.line()+"\n\n"+m.text()+"\n")
	if err != nil {
		t.Skip(err) // what no file can hold
	}
	return f
}

// Plans of any shape and text go through the document and come back.
func TestRandomPlans(t *testing.T) {
	for seed := range uint64(300) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			m := maker{rand.New(rand.NewPCG(seed, 1))}
			list := []plan.File{m.file(t, "plan.md", m.frontmatter(plan.PlanFields(), ""))}
			dirs := []string{"tasks"}
			for i := range m.IntN(6) {
				stem := fmt.Sprintf("%s/%02d-t%d", dirs[m.IntN(len(dirs))], i+1, i)
				dirs = append(dirs, stem)
				id := plan.Field{Key: "id", Value: plan.Value(fmt.Sprint("t", i))}
				list = append(list, m.file(t, stem+".md", append([]plan.Field{id}, m.frontmatter(plan.TaskFields(), "id")...)))
			}
			for i := range m.IntN(2) {
				list = append(list, m.file(t, fmt.Sprintf("signals/s.%d_.md", i), m.frontmatter(plan.SignalFields(), "")))
			}
			p, found := plan.Read("demo", "", list)
			if len(found) > 0 {
				t.Fatal(found)
			}
			comesBack(t, p)
		})
	}
}

// The largest documents are read, or refused, in a time that is no harm.
func TestLarge(t *testing.T) {
	var b strings.Builder
	for i := range 99 {
		for j := range 99 {
			fmt.Fprintf(&b, `,{"id":"t%d-%d","path":"tasks/%02d-t/%02d-t.md","body":"%s"}`, i, j, i+1, j+1, "x"+strings.Repeat(`\nx`, 100))
		}
	}
	doc := `{"id":"a","title":"A","body":"A","tasks":[` + b.String()[1:] + `]}`
	var files []plan.File
	took := gittest.Spent(func() {
		p, found := Parse("p.json", []byte(doc))
		if p == nil {
			t.Fatal(found[0])
		}
		files, _ = p.Files(nil)
	})
	if len(files) != 99*99+1 || took > 20*time.Second {
		t.Errorf("%d files in %v", len(files), took)
	}
	t.Log(took, len(doc))
}
