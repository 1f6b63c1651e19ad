package validate

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

func FuzzGates(f *testing.F) {
	for _, text := range []string{
		"", "format: 1\ngate: strict\nrules:\n  title-vague: error\n  judge: off\njudge: required\nevidence: advisory\nlease: 90m\n",
		"format: 2\n", "format:\ngate:\nrules:\nlease:\n", "rules: [a]\nrules: {a: b}", "gate: !x &y *z", "\"a\\nb\": {c: [1, {d: e}]}\nlease: 1e9w",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		g, found := ParseGates("gates.yaml", data)
		checkFindings(t, found)
		checkPlaces(t, map[string]string{"gates.yaml": string(data)}, found)
		if g.Lease <= 0 || g.Format < 1 || g.Gate != Base && g.Gate != Strict {
			t.Errorf("parsed as %+v", g)
		}
		for id, s := range g.Rules {
			if r, ok := Find(id); !ok || r.Fixed() && s != diag.Error {
				t.Errorf("rule %s was set to %v", id, s)
			}
		}
	})
}

// FuzzRun makes a plan of the text, files divided by lines that begin with
// "=== ", and one before it of the half that comes first.
func FuzzRun(f *testing.F) {
	f.Add("title: T", uint8(0))
	for _, r := range Rules() {
		var b strings.Builder
		for _, file := range loadFixtureFiles(f, r.ID) {
			if len(file.Data) < 1000 {
				fmt.Fprintf(&b, "=== %s\n%s", file.Path, file.Data)
			}
		}
		f.Add(b.String(), uint8(len(r.ID)))
	}
	f.Fuzz(func(t *testing.T, text string, bits uint8) {
		now := divide(text)
		in := Input{Scope: Scope(bits & 1), Stored: bits&2 != 0, Version: int(bits >> 6)}
		in.Plan, in.Found = plan.Read("p", "", now)
		if bits&4 != 0 {
			old, _ := plan.Read("p", "", now[:len(now)/2])
			in.Parent = old
		}
		in.Exists = project("src/app.go")
		gate := Gate(bits >> 3 & 1)
		found := Run(in, DefaultGates(), gate)
		checkFindings(t, found)
		texts := map[string]string{}
		for _, file := range now {
			texts["p/"+file.Path] = string(file.Data)
		}
		checkPlaces(t, texts, found)
		graves := slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
		if errs := Errors(in, DefaultGates(), gate); !slices.Equal(errs, graves) {
			t.Errorf("the errors alone are\n%s\nand among all\n%s", lines(errs), lines(graves))
		}
		if len(found) == 0 {
			again(t, in, gate)
		}
	})
}

func loadFixtureFiles(f *testing.F, rule string) []plan.File {
	return append(folder(f, rulesDir+"/"+rule+"/bad"), folder(f, rulesDir+"/"+rule+"/ok")...)
}

// divide cuts text into files, each path once.
func divide(text string) []plan.File {
	var out []plan.File
	seen := map[string]bool{}
	for _, part := range strings.Split("\n"+text, "\n=== ")[1:] {
		name, body, _ := strings.Cut(part, "\n")
		if name == path.Clean(name) && !strings.HasPrefix(name, "..") && !seen[name] && len(out) < 20 {
			seen[name] = true
			out = append(out, plan.File{Path: name, Data: []byte(body)})
		}
	}
	return out
}

// checkPlaces holds positions against the text: none is outside of it.
func checkPlaces(t *testing.T, texts map[string]string, found []diag.Diagnostic) {
	t.Helper()
	for _, d := range found {
		all := strings.Split(string(plan.Normalize([]byte(texts[d.Path]))), "\n")
		if d.Pos.Line > len(all) || d.Pos.Column > utf8.RuneCountInString(all[d.Pos.Line-1])+1 {
			t.Errorf("the place is not in the file: %s", d)
		}
	}
}

// again judges what would be stored of a plan without findings.
func again(t *testing.T, in Input, gate Gate) {
	t.Helper()
	in.Plan, in.Found = plan.Read("p", "", in.Plan.FileList())
	if found := Run(in, DefaultGates(), gate); len(found) > 0 {
		t.Errorf("clean at first, then not:\n%s", lines(found))
	}
}

func BenchmarkRun(b *testing.B) {
	var pairs []string
	for i := range 10 {
		front := fmt.Sprintf("id: task-%d\ntitle: Answer request %d\ntype: feature\npriority: high\ndepends_on: [%s]\ncontext_hints: [\"Read `src/app.go`\"]\n"+
			"relevant_file_paths: [src/app.go]\nacceptance_criteria: [The test passes]\ncreates: [src/r%d.go]", i, i, strings.Repeat(fmt.Sprintf("task-%d", i-1), min(i, 1)), i)
		pairs = append(pairs, fmt.Sprintf("%02d-t", i+1), front)
	}
	in := input(pairs...)
	in.Exists = project("src/app.go")
	if found := Run(in, DefaultGates(), Strict); len(found) > 0 {
		b.Fatalf("findings:\n%s", lines(found))
	}
	b.ReportAllocs()
	for b.Loop() {
		Run(in, DefaultGates(), Strict)
	}
}
