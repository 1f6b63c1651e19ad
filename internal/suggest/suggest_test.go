package suggest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/suggest"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// printed is what git prints of a line with a mark.
func printed(file string, line int, text string) string {
	return fmt.Sprintf("%s\x00%d\x00%s\n", file, line, text)
}

func TestMarks(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"a.go", "\t// TODO: handle an empty list here", "Handle an empty list here"},
		{"a.go", "\tx := 1 // FIXME(ann): this breaks on Windows", "This breaks on Windows"},
		{"a.go", "// The parser is slow, TODO: measure it first", "Measure it first"},
		{"a.c", "/* XXX wrong for negative numbers */", "Wrong for negative numbers"},
		{"a.c", " * TODO frobnicate_all must be called here", "frobnicate_all must be called here"},
		{"a.py", "    # TODO", "Settle the TODO in a.py"},
		{"a.py", "    # FIXME: later", "Settle the FIXME in a.py: later"},
		{"a.sql", "-- TODO: an index on users(email)", "An index on users(email)"},
		{"a.jsx", "  {/* TODO: translate this text */}", "Translate this text"},
		{"a.html", "<!-- TODO: a real heading here -->", "A real heading here"},
		{"README.md", "- [ ] TODO: describe the options", "Describe the options"},
		{"a.py", "# TODO " + strings.Repeat("long ", 40), "Long" + strings.Repeat(" long", 19) + "…"},
		{"a.py", "# TODO a \x1b[31mred\u202e bidi text", `A \x1b[31mred\u202e bidi text`},
		// No task is asked for in these.
		{"a.go", `	fmt.Println("TODO")`, ""},
		{"a.go", `	grep("# TODO: x y z")`, ""},
		{"a.go", "\t// TODO, FIXME and XXX are looked for", ""},
		{"a.go", "\t// the marks TODO and FIXME", ""},
		{"a.go", "\tvar TODO = 1", ""},
		{"README.md", "Marks such as TODO: these are found.", ""},
		{"vendor/x/a.go", "// TODO: not ours to do here", ""},
		{"web/node_modules/a.js", "// TODO: not ours to do here", ""},
		{"a.min.js", "// TODO: made by a program", ""},
		{"a\xff.go", "// TODO: a name that is no text", ""},
	} {
		found, whole := suggest.Marks(strings.NewReader(printed(c.file, 7, c.text)))
		if !whole {
			t.Errorf("%q was not read to the end", c.text)
		}
		switch {
		case c.want == "" && len(found) > 0:
			t.Errorf("%s: %q gave %q", c.file, c.text, found[0].Title)
		case c.want != "" && (len(found) != 1 || found[0].Title != c.want || found[0].Line != 7 || found[0].Path != c.file):
			t.Errorf("%s: %q gave %+v, want %q", c.file, c.text, found, c.want)
		}
	}
}

// What is broken comes before what is missing; more than anybody reads is not
// read, and neither is a line without end.
func TestMarksAreBounded(t *testing.T) {
	found, _ := suggest.Marks(strings.NewReader(printed("a.go", 1, "// TODO: the first thing") + printed("b.go", 2, "// FIXME: the broken thing") + "no line of git's\n"))
	if len(found) != 2 || found[0].Type != "bugfix" || found[1].Type != "chore" {
		t.Errorf("got %+v", found)
	}
	var many strings.Builder
	for i := range 5000 {
		many.WriteString(printed("a.go", i, fmt.Sprintf("// TODO: thing number %d", i)))
	}
	if found, whole := suggest.Marks(strings.NewReader(many.String())); whole || len(found) != 1000 {
		t.Errorf("read %d marks to the end: %v", len(found), whole)
	}
	long := printed("a.go", 1, strings.Repeat("x", 10<<20)+"// TODO: far away in it") + printed("a.go", 2, "// TODO: the next line")
	if found, _ := suggest.Marks(strings.NewReader(long)); len(found) != 1 || found[0].Line != 2 {
		t.Errorf("got %+v", found)
	}
}

func TestUntested(t *testing.T) {
	for _, c := range []struct{ name, files, want string }{
		{"python", "a.py tests/test_a.py b.py tests/test_b.py c.py c_test.py d.py __init__.py docs/conf.py setup.py tests/helper.py", "d.py"},
		{"python without a custom", "a.py tests/test_a.py b.py c.py d.py e.py", ""},
		{"too few to tell", "a.py test_a.py b.py test_b.py c.py", ""},
		{"javascript", "src/a.ts src/a.test.ts src/b.tsx src/__tests__/b.tsx src/c.js src/c.spec.js src/d.ts src/d.d.ts src/index.ts vite.config.ts", "src/d.ts"},
		{"go packages", "a/a.go a/a_test.go b/x.go b/b_test.go c/c.go c/y.go c/z_test.go d/e.go d/d.go d/doc.go main.go tools/t.go", "d/d.go"},
		{"java", "src/A.java test/ATest.java src/B.java test/BTest.java src/C.java test/CIT.java src/D.java", "src/D.java"},
		{"ruby", "lib/a.rb spec/a_spec.rb lib/b.rb spec/b_spec.rb lib/c.rb spec/c_spec.rb lib/d.rb spec/spec_helper.rb", "lib/d.rb"},
		{"nothing", "", ""},
	} {
		var got []string
		for _, s := range suggest.Untested(strings.Fields(c.files)) {
			got = append(got, s.Path)
			if s.Type != "test" || s.Title == "" || s.Reason == "" {
				t.Errorf("%s: %+v", c.name, s)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %v, want %s", c.name, got, c.want)
		}
	}
}

// tagged is a plan of one task.
func tagged(t *testing.T, title, body string) *plan.Plan {
	t.Helper()
	p, found := plan.Read("notes", "", []plan.File{
		{Path: "plan.md", Data: []byte("---\ntitle: Notes\n---\n\nNotes.\n")},
		{Path: "tasks/01-a.md", Data: []byte("---\nid: a\ntitle: " + title + "\n---\n\n" + body + "\n")},
	})
	if len(found) > 0 {
		t.Fatal(diag.Lines(found))
	}
	return p
}

func TestNewLeavesOutTasks(t *testing.T) {
	found := []suggest.Suggestion{
		{Title: "Handle an empty list", Path: "a.go", Line: 3},
		{Title: "Something else", Path: "b.go", Line: 12},
		{Title: "One more thing", Path: "b.go", Line: 1},
		{Title: "handle: an empty LIST!", Path: "c.go", Line: 9},
		{Title: "One more thing", Path: "d.go", Line: 4},
	}
	plans := []*plan.Plan{tagged(t, "handle an `empty` list", "See b.go:12, and cb.go:1, b.go:15.")}
	var got []string
	for _, s := range suggest.New(found, plans) {
		got = append(got, s.Title+" "+s.Path)
	}
	if want := []string{"One more thing b.go"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHints(t *testing.T) {
	p := tagged(t, "A", "B.")
	got := suggest.Hints(p, []diag.Diagnostic{
		{Path: "notes/tasks/01-a.md", Pos: diag.Pos{Line: 4}, Rule: "path-exists", Message: "no file `x.go`"},
		{Path: "notes/tasks/01-a.md", Pos: diag.Pos{Line: 1}, Rule: "title-vague", Message: "no"},
	})
	if len(got) != 1 || got[0] != (suggest.Suggestion{Title: "Mend the paths in task notes/a", Type: "chore", Path: "notes/tasks/01-a.md", Line: 4, Reason: "no file `x.go`"}) {
		t.Errorf("got %+v", got)
	}
}

// Only tracked files count, wherever git stands and whatever it is set to.
func TestRead(t *testing.T) {
	g := gittest.New(t)
	g.Git("config", "color.ui", "always")
	g.Git("config", "grep.column", "true")
	g.Write("a.go", "// TODO: be kind to users\n")
	g.Write("b.go", "// TODO: not tracked by git\n")
	g.Write(".plans/thread-1/plan.md", "TODO: a draft of a plan\n")
	g.Write("bin.go", "\x00// TODO: binary, not read\n")
	g.Git("add", "a.go", "bin.go", ".plans")
	found, err := suggest.Read(t.Context(), git.Git{Dir: g.Dir, Env: g.Env}, ".plans")
	if err != nil || len(found) != 1 || found[0].Title != "Be kind to users" {
		t.Errorf("got %+v, %v", found, err)
	}
	g.Git("rm", "-q", "--cached", "a.go")
	if found, err := suggest.Read(t.Context(), git.Git{Dir: g.Dir, Env: g.Env}, ".plans"); err != nil || len(found) != 0 {
		t.Errorf("got %+v, %v", found, err)
	}
}

// A file of data in which each line has one of the marks, and none the others,
// takes no longer than its length.
func TestReadIsLinear(t *testing.T) {
	gittest.Linear(t, "a file of marks", 80_000, func(lines int) func() {
		g := gittest.New(t)
		g.Write("data.csv", strings.Repeat("TODO,next\n", lines))
		g.Git("add", "data.csv")
		return func() {
			if _, err := suggest.Read(t.Context(), git.Git{Dir: g.Dir, Env: g.Env}); err != nil {
				t.Error(err)
			}
		}
	})
}
