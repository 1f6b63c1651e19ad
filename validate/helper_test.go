package validate

import (
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

var update = flag.Bool("update", false, "rewrite the files that tests compare with")

const planFile = "---\ntitle: A plan\n---\nWhy it is done.\n"

// files makes plan files of path and content in turn. A path that does not end
// in .md stands for the task tasks/<path>.md, and its content for the
// frontmatter; plan.md is there unless given.
func files(pairs ...string) []plan.File {
	var out []plan.File
	for pair := range slices.Chunk(pairs, 2) {
		name, text := pair[0], pair[1]
		if !strings.HasSuffix(name, ".md") {
			name, text = "tasks/"+name+".md", "---\n"+text+"\n---\nDo it.\n"
		}
		out = append(out, plan.File{Path: name, Data: []byte(text)})
	}
	if !slices.ContainsFunc(out, func(f plan.File) bool { return f.Path == "plan.md" }) {
		out = append(out, plan.File{Path: "plan.md", Data: []byte(planFile)})
	}
	return out
}

// input reads a plan named p.
func input(pairs ...string) Input {
	var in Input
	in.Plan, in.Found = plan.Read("p", "", files(pairs...))
	return in
}

func hasRule(ds []diag.Diagnostic, rule string) bool {
	return slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return d.Rule == rule })
}

// after gives a plan that is judged for how it differs from the one before, if
// there is one.
func after(in Input, before ...Input) Input {
	in.Scope = Change
	for _, p := range before {
		in.Parent = p.Plan
	}
	return in
}

// merged is after for a merge with another side.
func merged(in, before, side Input) Input {
	in = after(in, before)
	in.Sides = []*plan.Plan{side.Plan}
	return in
}

// several is after for what several commits did.
func several(in, before Input) Input {
	in = after(in, before)
	in.Scope = Range
	return in
}

// run judges by the default gates.yaml and gives the findings as
// "file:line:column rule", one a line.
func run(in Input, gate Gate) string { return brief(Run(in, DefaultGates(), gate)) }

func brief(found []diag.Diagnostic) string {
	var b strings.Builder
	for _, d := range found {
		b.WriteString(strings.TrimPrefix(d.Path, "p/") + ":" + d.Pos.String() + " " + d.Rule + "\n")
	}
	return b.String()
}

// lines gives the findings in their one-line form.
func lines(found []diag.Diagnostic) string {
	var b strings.Builder
	for _, d := range found {
		b.WriteString(d.String() + "\n")
	}
	return b.String()
}

// project is a world that has these paths and the folders they are in.
func project(paths ...string) func(string) Existence {
	has := map[string]bool{}
	for _, p := range paths {
		for p = path.Clean(p); p != "."; p = path.Dir(p) {
			has[p] = true
		}
	}
	return func(p string) Existence {
		if has[p] {
			return Yes
		}
		return No
	}
}

// equal compares two printed results; white space at either end is not looked at.
func equal(t *testing.T, what, got, want string) {
	t.Helper()
	if strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("%s\n got:\n%s\n want:\n%s", what, got, want)
	}
}

// golden compares text with a file, or writes the file under -update.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is out of date; look at the difference, then run the test with -update\n got:\n%s\n want:\n%s", file, got, want)
	}
}

// folder reads the files below dir, if there are any.
func folder(t testing.TB, dir string) []plan.File {
	t.Helper()
	var out []plan.File
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(p)
		out = append(out, plan.File{Path: filepath.ToSlash(rel), Data: data})
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return out
}
