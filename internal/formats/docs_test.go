package formats

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/plan"
)

var update = flag.Bool("update", false, "write the table in docs/formats.md anew")

// sample gives a value that a field may have, as YAML.
func sample(f plan.FieldSpec) string {
	switch f.Name {
	case "depends_on":
		return "[first]"
	case "version":
		return "2"
	case "step_name":
		return "anchor"
	}
	switch f.Type() {
	case "line":
		return "Some words"
	case "text":
		return "\"Some words\\nand more\""
	case "list":
		return "[one, two]"
	case "paths":
		return "[src/a.go]"
	case "integer":
		return "5"
	case "boolean":
		return "true"
	case "time":
		return "2026-01-02T03:04:05Z"
	case "duration":
		return "2h"
	case "enum":
		return f.Values[len(f.Values)-1]
	case "progress":
		return "1/3"
	}
	return "another-name"
}

// withField makes a plan in which a field is set: of plan.md or of its second
// task.
func withField(t *testing.T, file, field, value string) *plan.Plan {
	t.Helper()
	fields := map[string]string{"plan.md": "title: Demo\n", "second": "title: Second\n"}
	set := field + ": " + value + "\n"
	switch {
	case field == "id":
		fields["second"] += set
	case field == "title" && file == "plan.md":
		fields[file], fields["second"] = set, fields["second"]+"id: second\n"
	case field == "title":
		fields[file] = set + "id: second\n"
	default:
		fields["second"] += "id: second\n"
		fields[file] += set
	}
	p, found := plan.Read("demo", "", []plan.File{
		{Path: "plan.md", Data: []byte("---\n" + fields["plan.md"] + "---\n\nDemo\n")},
		{Path: "tasks/01-first.md", Data: []byte("---\nid: first\ntitle: First\n---\n\nFirst\n")},
		{Path: "tasks/02-second.md", Data: []byte("---\n" + fields["second"] + "---\n\nSecond\n")},
	})
	if len(found) > 0 {
		t.Fatalf("%s: %v", field, found)
	}
	return p
}

// through takes a plan to a form and back, and gives what was said to be lost.
func through(t *testing.T, f Format, p *plan.Plan) (*plan.Plan, []string) {
	t.Helper()
	w := Writing{Plan: p, Updated: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	var back *Plan
	var losses []string
	if f.Write == nil {
		files, lost := f.Folder(w)
		var list []plan.File
		for name, data := range files {
			list = append(list, plan.File{Path: name, Data: data})
		}
		back, _ = f.ParseFolder("/demo", list)
		losses = lost
	} else {
		text, lost, err := f.Write(w)
		if err != nil {
			t.Fatal(err)
		}
		again, found := f.Parse("demo", text)
		if again == nil {
			t.Fatalf("%s does not read what it wrote: %v\n%s", f.Name, found, text)
		}
		back, losses = again, lost
	}
	back.ID = "demo"
	files, lost := back.Files(nil)
	q, _ := plan.Read("demo", "", files)
	return q, append(losses, lost...)
}

// doc gives the document of a plan that a field is in.
func doc(p *plan.Plan, file string) *plan.Document {
	if file == "plan.md" {
		return p.Doc
	}
	for _, t := range p.All() {
		if t.Title() == "Second" || t.Title() == "Some words" {
			return t.Doc
		}
	}
	return p.All()[len(p.All())-1].Doc
}

func valueOf(d *plan.Document, name string) any {
	for _, v := range d.Values() {
		if v.Name == name {
			return v.Value
		}
	}
	return nil
}

// row tells for each form whether something comes back, "" for no. What does
// not come back must be told.
func row(t *testing.T, what string, p *plan.Plan, kept func(*plan.Plan) bool) string {
	t.Helper()
	line := "| " + what + " |"
	for _, f := range All() {
		q, losses := through(t, f, p)
		if kept(q) {
			line += " yes |"
			continue
		}
		line += " |"
		if len(losses) == 0 {
			t.Errorf("%s loses %s and does not tell", f.Name, what)
		}
	}
	return line + "\n"
}

// The table in docs/formats.md says of each field and form whether it comes
// back, and it is as the code does.
func TestDocsTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("| kept |")
	for _, f := range All() {
		b.WriteString(" `" + f.Name + "` |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(All())) + "\n")
	fields := func(file string, specs []plan.FieldSpec) {
		for _, f := range append(specs, plan.FieldSpec{Name: "x-own"}) {
			if f.Name == "status" {
				continue // each has a row of its own
			}
			p := withField(t, file, f.Name, sample(f))
			want := valueOf(doc(p, file), f.Name)
			if want == nil {
				t.Fatalf("%s is not set", f.Name)
			}
			name := "`" + f.Name + "`"
			if file == "plan.md" {
				name += " of the plan"
			}
			b.WriteString(row(t, name, p, func(q *plan.Plan) bool { return reflect.DeepEqual(valueOf(doc(q, file), f.Name), want) }))
		}
	}
	fields("plan.md", plan.PlanFields())
	fields("second", plan.TaskFields())
	others(t, &b)
	checkTable(t, b.String())
}

// others adds the rows of what is no field.
func others(t *testing.T, b *strings.Builder) {
	base := map[string]string{"plan.md": "---\ntitle: Demo\n---\n\nDemo\n", "tasks/01-first.md": "---\nid: first\ntitle: First\n---\n\nFirst\n"}
	with := func(name, data string) *plan.Plan {
		var list []plan.File
		for n, d := range base {
			if n != name {
				list = append(list, plan.File{Path: n, Data: []byte(d)})
			}
		}
		p, found := plan.Read("demo", "", append(list, plan.File{Path: name, Data: []byte(data)}))
		if len(found) > 0 {
			t.Fatal(found)
		}
		return p
	}
	b.WriteString(row(t, "the text of plan.md", with("plan.md", "---\ntitle: Demo\n---\n\nWhy.\n"), func(q *plan.Plan) bool {
		return strings.TrimSpace(q.Doc.Body) == "Why."
	}))
	b.WriteString(row(t, "the text of a task", with("tasks/01-first.md", "---\nid: first\ntitle: First\n---\n\nHow, in\n\nparts.\n"), func(q *plan.Plan) bool {
		return strings.TrimSpace(q.Tasks[0].Doc.Body) == "How, in\n\nparts."
	}))
	b.WriteString(row(t, "tasks below others", with("tasks/01-first/02-child.md", "---\nid: child\ntitle: Child\n---\n\nChild\n"), func(q *plan.Plan) bool {
		return len(q.Tasks) == 1 && len(q.Tasks[0].Children) == 1
	}))
	b.WriteString(row(t, "open signals", with("signals/ci.md", "---\nlevel: info\n---\n\nNo.\n"), func(q *plan.Plan) bool { return len(q.Signals) == 1 }))
	for _, s := range plan.Statuses() {
		p := withField(t, "second", "status", string(s))
		b.WriteString(row(t, fmt.Sprintf("`status: %s`", s), p, func(q *plan.Plan) bool { return q.Tasks[1].Status == s }))
	}
}

const begin, end = "<!-- what each form keeps; made by go test ./internal/formats -update -->\n\n", "\n<!-- end -->\n"

func checkTable(t *testing.T, table string) {
	path := filepath.Join("..", "..", "docs", "formats.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	is, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatal("docs/formats.md has no place for the table")
	}
	if is == table {
		return
	}
	if !*update {
		t.Fatalf("the table in docs/formats.md is not what the forms do; write it anew with -update. It should be\n%s", table)
	}
	if err := os.WriteFile(path, []byte(before+begin+table+end+after), 0o666); err != nil {
		t.Fatal(err)
	}
}
