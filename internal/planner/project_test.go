package planner_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/planner"
	"github.com/git-plan/git-plan/internal/prompt"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/suggest"
)

func open(t *testing.T, g *gittest.Repo) *store.Repo {
	t.Helper()
	repo, err := store.Open(t.Context(), store.Options{Git: g.G(), Getenv: func(string) string { return "" }, Now: time.Now, Agent: "tester"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { repo.Close() })
	return repo
}

func look(t *testing.T, g *gittest.Repo, opts planner.Options) *planner.Sources {
	t.Helper()
	s, err := planner.Look(t.Context(), open(t, g), opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLook(t *testing.T) {
	g := gittest.New(t)
	g.Write(".gitignore", "*.o\n")
	g.Write("src/a.go", "a\n")
	g.Write("src/b.go", "b\n")
	g.Write("gone.go", "c\n")
	g.Write("odd\x1bname.go", "d\n")
	g.Write("odd\xffname.go", "d\n")
	g.Commit("begin")
	g.Write("new.go", "n\n")
	g.Write("a.o", "o\n")
	g.Write(".plans/thread-1/plan.md", "p\n")
	if err := os.Remove(filepath.Join(g.Dir, "gone.go")); err != nil {
		t.Fatal(err)
	}
	s := look(t, g, planner.Options{LeaveOut: ".plans"})
	if listing, note := s.Listing(nil); listing != ".gitignore\nREADME.md\nnew.go\nsrc/a.go\nsrc/b.go" || note != "" {
		t.Errorf("%q %q", listing, note)
	}
	if s := look(t, g, planner.Options{LeaveOut: ".plans", Tracked: true}); s.Has("new.go") || !s.Has("src/a.go") || s.Has("src") {
		t.Errorf("%q", s.Names)
	}
	bare := g.Clone(t, "--bare")
	s = look(t, bare, planner.Options{})
	if text, err := s.Text(t.Context(), "src/a.go"); err != nil || text != "a\n" || !slices.Contains(s.Names, "gone.go") {
		t.Errorf("%q %q %v", s.Names, text, err)
	}
	for _, name := range []string{"src", "none", "../x"} {
		var none *planner.NoFileError
		if _, err := s.Text(t.Context(), name); !errors.As(err, &none) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s := look(t, gittest.NewBare(t), planner.Options{}); len(s.Names) > 0 {
		t.Errorf("%q", s.Names)
	}
}

// Only text inside the project is read, whatever stands there or leads out of
// it, and nothing that would never end.
func TestText(t *testing.T) {
	g := gittest.New(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("the password\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	g.Write("a.go", "a\n")
	g.Write("binary", "a\x00b")
	g.Write("latin", "caf\xe9")
	g.Write("large", strings.Repeat("x", 1<<20+1))
	g.Write("folder/b.go", "b\n")
	for name, to := range map[string]string{"link": "a.go", "out": secret, "up": "../secret", "dir": filepath.Dir(secret), "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(g.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	pipe(t, filepath.Join(g.Dir, "pipe"))
	s := look(t, g, planner.Options{})
	for _, name := range []string{"a.go", "link", "./folder/../a.go"} {
		if text, err := s.Text(t.Context(), name); err != nil || text != "a\n" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	for _, name := range []string{"out", "up", "dir/secret", "loop", "pipe", "folder", "binary", "latin", "large", "none", secret, "../secret", "a.go/x"} {
		var none *planner.NoFileError
		if text, err := s.Text(t.Context(), name); !errors.As(err, &none) || text != "" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	p, notes, err := s.Project(t.Context(), []string{"a.go", "folder/", "out"})
	if err != nil || len(p.Files) != 2 || p.Files[0].Title != "File `a.go`" || p.Files[1].Title != "File `folder/b.go`" || len(notes) != 1 || !strings.HasPrefix(notes[0], "out: ") {
		t.Errorf("%+v %q %v", p.Files, notes, err)
	}
}

// Of a folder that is named so many files are shown as there is room for.
func TestProjectIsBounded(t *testing.T) {
	g := gittest.New(t)
	for i := range 40 {
		g.Write(fmt.Sprintf("src/%02d.go", i), strings.Repeat("line\n", 1000))
	}
	p, notes, err := look(t, g, planner.Options{}).Project(t.Context(), []string{"src"})
	if err != nil || len(p.Files) < 4 || len(p.Files) > 8 {
		t.Errorf("%d, %v", len(p.Files), err)
	}
	if want := fmt.Sprintf("src: there is no room for what %d files of it hold", 40-len(p.Files)); len(notes) != 1 || notes[0] != want {
		t.Errorf("%q, not %q", notes, want)
	}
}

// Of a large project those files are named that the user named, and those
// higher up.
func TestListingIsBounded(t *testing.T) {
	g := gittest.New(t)
	for i := range 2000 {
		g.Write(fmt.Sprintf("deep/down/in/the/tree/of/the/project/file-%04d.go", i), "x\n")
	}
	g.Write("wanted/at/any/depth/a.go", "a\n")
	g.Write("top.go", "t\n")
	s := look(t, g, planner.Options{})
	listing, note := s.Listing([]string{"wanted/"})
	lines := strings.Split(listing, "\n")
	if len(listing) > 46_000 || !slices.Contains(lines, "top.go") || !slices.Contains(lines, "wanted/at/any/depth/a.go") || !slices.IsSorted(lines) {
		t.Errorf("%d bytes", len(listing))
	}
	if want := fmt.Sprintf(" (%d of 2003; the others are left out)", len(lines)); note != want {
		t.Errorf("%q, not %q", note, want)
	}
}

// What a model suggests is about files of the project and lines in them.
func TestReal(t *testing.T) {
	g := gittest.New(t)
	g.Write("a.go", "one\ntwo")
	g.Write("empty", "")
	g.Commit("begin")
	g.Write("untracked.go", "x\n")
	s := look(t, g, planner.Options{Tracked: true})
	var all []suggest.Suggestion
	for _, at := range []string{"a.go 0", "a.go 2", "a.go 3", "empty 0", "empty 1", "none.go 0", "untracked.go 1", "../../etc/passwd 1", "/etc/passwd 0", ".git/config 1", ". 0"} {
		var x suggest.Suggestion
		if _, err := fmt.Sscan(at, &x.Path, &x.Line); err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	kept, made, err := s.Real(t.Context(), all)
	var got []string
	for _, k := range kept {
		got = append(got, fmt.Sprint(k.Path, " ", k.Line))
	}
	if want := []string{"a.go 0", "a.go 2", "empty 0"}; err != nil || !slices.Equal(got, want) || made != len(all)-3 {
		t.Errorf("%q %d %v", got, made, err)
	}
}

// Each prompt stays within its bound, whatever there is to show; and what a
// model needs to answer is not what is cut.
func TestQuestionsAreBounded(t *testing.T) {
	long := strings.Repeat("a long line of text ~~~ # x\n", 40_000)
	many := slices.Repeat([]string{long}, 20)
	p, wide := planner.Project{Listing: long}, planner.Project{Listing: long}
	for range 50 {
		p.Add("x", long, 30_000)
		wide.Add("x", long, 110_000)
	}
	before := &planner.Refused{Draft: long, Why: many}
	start, cuts := planner.Goal{Text: long, Constraints: many, Memories: many, Spec: "spec.md", SpecText: long, Project: p}.Question(before)
	replan := planner.Next{Goal: long, Plan: long, Failed: long, Reason: long, Constraints: many, Discoveries: many, Project: planner.Project{Listing: long}}.Question(before)
	search := planner.Search{Plans: nil, Marks: slices.Repeat([]suggest.Suggestion{{Title: long[:1000], Path: "a.go"}}, 5000), Project: wide}.Question()
	for name, q := range map[string]string{"start": start, "replan": replan, "search": search} {
		if len(q) > prompt.MaxPrompt || len(q) < prompt.MaxPrompt/2 {
			t.Errorf("%s: %d bytes", name, len(q))
		}
	}
	for _, q := range []string{start, replan} {
		for _, title := range []string{"## Goal", "## Your last draft, which was refused", "## What is wrong with it"} {
			_, after, found := strings.Cut(q, title)
			if !found || strings.HasPrefix(after, " (the first 0 ") {
				t.Errorf("%s is missing", title)
			}
		}
	}
	if !slices.ContainsFunc(cuts, func(c string) bool { return strings.HasPrefix(c, "Specification: `spec.md`: the first ") }) {
		t.Errorf("%q", cuts)
	}
}
