package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan/diag"
)

const planFile = "---\ntitle: A plan\n---\nWhy it is done.\n"

// build reads a plan of files given as path and content in turn. A path that
// is no plan.md stands for the task tasks/<path>.md, and its content for the
// frontmatter; plan.md is there unless given. Nothing may be found.
func build(t testing.TB, pairs ...string) *Plan {
	t.Helper()
	p, found := Read("p", "", fileList(pairs...))
	for _, d := range found {
		t.Fatalf("finding in a plan that has none: %v", d)
	}
	return p
}

func fileList(pairs ...string) []File {
	files := []File{}
	for pair := range slices.Chunk(pairs, 2) {
		name, text := pair[0], pair[1]
		if name != "plan.md" && !strings.HasSuffix(name, ".md") {
			name, text = "tasks/"+name+".md", "---\n"+text+"\n---\nDo it.\n"
		}
		files = append(files, File{Path: name, Data: []byte(text)})
	}
	if !slices.ContainsFunc(files, func(f File) bool { return f.Path == "plan.md" }) {
		files = append(files, File{Path: "plan.md", Data: []byte(planFile)})
	}
	return files
}

// signal gives the file of a signal.
func signal(level, task string) string {
	front := "level: " + level + "\n"
	if task != "" {
		front += "task: " + task + "\n"
	}
	return "---\n" + front + "---\nIt does not work.\n"
}

// rules writes findings as "line:column rule", in reading order.
func rules(found []diag.Diagnostic) string {
	found = slices.Clone(found)
	diag.Sort(found)
	var out []string
	for _, d := range found {
		out = append(out, d.Pos.String()+" "+d.Rule)
	}
	return strings.Join(out, ", ")
}

// ids writes tasks as their ids.
func ids(tasks []*Task) string {
	var out []string
	for _, t := range tasks {
		out = append(out, t.ID)
	}
	return strings.Join(out, " ")
}

// statuses writes the status of every task as "id=status".
func statuses(p *Plan) string {
	var out []string
	for _, t := range p.All() {
		out = append(out, t.ID+"="+string(t.Status))
	}
	return strings.Join(out, " ")
}

// equal compares two printed results.
func equal(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s\n got  %q\n want %q", what, got, want)
	}
}
