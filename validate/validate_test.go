package validate

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// The stricter of the store's gate, the plan's own and the argument applies.
func TestStricterWins(t *testing.T) {
	for _, store := range []Gate{Base, Strict} {
		for _, own := range []Gate{Base, Strict} {
			for _, argument := range []Gate{Base, Strict} {
				g := DefaultGates()
				g.Gate = store
				in := input("plan.md", "---\ntitle: T\ngates: "+own.String()+"\n---\nB.\n", "01-a", "id: a")
				errors, _ := diag.Count(Run(in, g, argument))
				if want := 3 * int(max(store, own, argument)); errors != want {
					t.Errorf("store %v, plan %v, argument %v: %d errors, want %d", store, own, argument, errors, want)
				}
			}
		}
	}
}

func TestRulesChangeSeverity(t *testing.T) {
	g := DefaultGates()
	g.Rules = map[string]diag.Severity{"type-missing": diag.Warning, "no-tasks": diag.Off, "container-empty": diag.Error}
	equal(t, "base", lines(Run(input("01-a", "id: a\nkind: decide"), g, Base)),
		"p/tasks/01-a.md:1:1: warning: task `a` is missing the `type` field [type-missing]\n"+
			"p/tasks/01-a.md:3:7: error: `a` is of kind decide and has no children [container-empty]")
	equal(t, "a rule turned off", lines(Run(input(), g, Strict)), "")
}

// A thread's stray files are left alone, on the ref there must be none.
func TestStrayFiles(t *testing.T) {
	const stray = "this is no file of a plan [stray-file]"
	in := input("01-a", "id: a", "notes.md", "Ask Ada.")
	stored := in
	stored.Stored = true
	for own, want := range map[diag.Severity]string{diag.Off: "", diag.Warning: "warning", diag.Error: "error"} {
		g := DefaultGates()
		g.Rules = map[string]diag.Severity{plan.RuleStrayFile: own}
		if want != "" {
			want = "p/notes.md:1:1: " + want + ": " + stray
		}
		equal(t, "in a thread", lines(Run(in, g, Base)), want)
		found := Run(stored, g, Base)
		equal(t, "on the ref", lines(found), "p/notes.md:1:1: error: "+stray)
		equal(t, "what to do on the ref", found[0].Hint, "remove it from the branch")
	}
	here := in
	here.OnRef = func(path string) bool { return path == "p/notes.md" }
	equal(t, "in a folder and on the ref", lines(Run(here, DefaultGates(), Base)), lines(Run(stored, DefaultGates(), Base)))
	equal(t, "by default", lines(Run(in, DefaultGates(), Base)), "p/notes.md:1:1: warning: "+stray)
	equal(t, "what to do in a thread", Run(in, DefaultGates(), Base)[0].Hint, plan.StrayHint)
}

// Whoever reports on a task is not held up by what its definition lacks; who
// edits the definition is.
func TestChangeScope(t *testing.T) {
	const front = "id: a\ntype: chore\ncontext_hints: [\"Read `old.go`\"]\nrelevant_file_paths: [old.go]\n"
	const absent = "tasks/01-a.md:4:17 hint-path\ntasks/01-a.md:5:23 path-exists\n"
	const bare = "tasks/02-b.md:1:1 hints-missing\ntasks/02-b.md:1:1 paths-missing\ntasks/02-b.md:1:1 type-missing\n"
	base := input("01-a", front)
	for name, c := range map[string]struct {
		now  Input
		want string
	}{
		"nothing":            {input("01-a", front), ""},
		"done":               {input("01-a", front+"status: done\ncompleted_at: 2026-01-02"), ""},
		"claimed":            {input("01-a", front+"status: in_progress\nexecuted_by: ada\nlease_until: 2026-01-02T03:04:05Z"), ""},
		"failed with a note": {input("01-a", front+"status: failed\nerror: it broke\nnotes: [try again]"), ""},
		"hints":              {input("01-a", strings.Replace(front, "Read", "Study", 1)), absent},
		"title":              {input("01-a", front+"title: Mend it"), absent},
		"hints of a settled": {input("01-a", strings.Replace(front, "Read", "Study", 1)+"status: done"), ""},
		"a new task":         {input("01-a", front, "02-b", "id: b"), bare},
		"a new settled task": {input("01-a", front, "02-b", "id: b\nstatus: done"), ""},
		"an id":              {input("01-a", strings.Replace(front, "id: a", "id: c", 1)), absent},
		"a move":             {input("03-a", front), ""},
		"the plan":           {input("01-a", front, "plan.md", strings.Replace(planFile, "plan", "aim", 1)), ""},
		"a broken structure": {input("01-a", front+"status: done\ndepends_on: [z]"), "tasks/01-a.md:7:14 depends-unknown"},
		"the last task":      {input(), "plan.md:1:1 no-tasks"},
	} {
		in := after(c.now, base)
		in.Exists = project()
		equal(t, name, run(in, Strict), c.want)
	}
	base.Exists = project()
	equal(t, "the whole plan", run(base, Strict), absent)
	first := after(base)
	first.Exists = project()
	equal(t, "a new plan", run(first, Strict), absent)
}

// A merge that is the plan of neither side is judged for what its first parent
// did not have; a range only by the structural rules.
func TestChangeScopeOfSeveralSteps(t *testing.T) {
	before := input("01-a", "id: a")
	got := run(merged(input("01-a", "id: a", "02-b", "id: b"), before, input()), Strict)
	if !strings.Contains(got, "02-b") || strings.Contains(got, "01-a") {
		t.Errorf("a merge:\n%s", got)
	}
	equal(t, "a range", run(several(input("01-a", "id: a", "02-b", "id: b\ndepends_on: [z]"), before), Strict), "tasks/02-b.md:3:14 depends-unknown")
}

// The task that asks for the decomposition is exempt, and no other is.
func TestDecompositionIsExempt(t *testing.T) {
	equal(t, "first", run(input("01-decompose", "id: decompose\ntitle: Improve performance"), Strict), "")
	for _, pairs := range [][]string{{"02-decompose", "id: decompose"}, {"01-decompose", "id: other"}, {"01-a", "id: a", "01-a/01-decompose", "id: decompose"}} {
		if got := run(input(pairs...), Strict); !strings.Contains(got, "type-missing") {
			t.Errorf("%v is exempt", pairs)
		}
	}
}

func TestNoTasks(t *testing.T) {
	const abandoned = "---\ntitle: T\nabandoned: true\n---\nB.\n"
	equal(t, "abandoned", run(input("plan.md", abandoned), Strict), "")
	equal(t, "a misnamed task", run(input("tasks/1-a.md", "---\nid: a\n---\nB.\n"), Strict), "tasks/1-a.md:1:1 filename")
	equal(t, "stray files are no tasks", run(input("tasks-a.md", "x", "signals/x/y.md", "x"), Strict),
		"plan.md:1:1 no-tasks\nsignals/x/y.md:1:1 stray-file\ntasks-a.md:1:1 stray-file")
	var in Input
	in.Plan, in.Found = plan.Read("p", "", append(files(), plan.File{Path: "tasks/a.txt"}, plan.File{Path: "tasks/01-a.markdown"}))
	equal(t, "stray files among the tasks", run(in, Strict),
		"plan.md:1:1 no-tasks\ntasks/01-a.markdown:1:1 stray-file\ntasks/a.txt:1:1 stray-file")
}

func TestEmptyFields(t *testing.T) {
	const front = "id: a\ntype: chore\ncontext_hints: %h\nrelevant_file_paths: [a.go]"
	for value, missing := range map[string]bool{
		"[]": true, "": true, "~": true, "[\"\"]": true, "[\" \", \"\\t\"]": true, "{}": true, "[Read it]": false, "[\"\", Read it]": false,
	} {
		got := run(input("01-a", strings.Replace(front, "%h", value, 1)), Strict)
		if strings.Contains(got, "hints-missing") != missing {
			t.Errorf("context_hints: %s\n%s", value, got)
		}
	}
}

// A file that cannot be read has one finding, and what depends on it none.
func TestUnreadableFiles(t *testing.T) {
	const fenceless = "id: %s\n\nNo fence.\n"
	broken := func(id string) string { return strings.Replace(fenceless, "%s", id, 1) }
	equal(t, "a task", run(input("tasks/01-a.md", broken("other-id"), "02-b", "id: b\ndepends_on: [other-id]"), Base), "tasks/01-a.md:1:1 frontmatter")
	equal(t, "with a comment", run(input("tasks/01-a.md", broken("\"x\" # mine"), "02-b", "id: b\ndepends_on: [x]"), Base), "tasks/01-a.md:1:1 frontmatter")
	equal(t, "a number taken twice", run(input("01-a", "id: a", "tasks/01-b.md", broken("b")), Base), "tasks/01-b.md:1:1 frontmatter")
	equal(t, "a child of nobody", run(input("01-a", "id: a", "tasks/02-b/01-c.md", broken("c")), Base), "tasks/02-b/01-c.md:1:1 frontmatter")
	equal(t, "a container", run(input("tasks/01-a.md", broken("a"), "01-a/01-b", "id: b\ndepends_on: [a]"), Base), "tasks/01-a.md:1:1 frontmatter")
	equal(t, "plan.md", run(input("plan.md", "# Title\n"), Strict), "plan.md:1:1 frontmatter")
	in := input("plan.md", "---\ntitle: [\n---\nB.\n", "01-a", "id: a")
	in.Version = 3
	equal(t, "the version of plan.md", run(in, Base), "plan.md:2:8 frontmatter")

	large := append(files("02-b", "id: b\ndepends_on: [set-up]", "03-c", "id: c\ndepends_on: [other]"), plan.File{Path: "tasks/01-set-up.md", Size: 1 << 20})
	in.Version = 0
	in.Plan, in.Found = plan.Read("p", "", large)
	equal(t, "a file too large to look into", run(in, Base), "tasks/01-set-up.md:1:1 limits\ntasks/03-c.md:3:14 depends-unknown")
	large[len(large)-1] = plan.File{Path: "tasks/01-set-up.md", Size: 20 << 20}
	in.Plan, in.Found = plan.Read("p", "", large)
	equal(t, "a plan too large to look into", run(in, Base), "plan.md:1:1 limits")
	large[len(large)-1] = plan.File{Path: "tasks/01-set-up.md", Mode: plan.Symlink}
	in.Plan, in.Found = plan.Read("p", "", large)
	equal(t, "a link", run(in, Base), "tasks/01-set-up.md:1:1 file-mode\ntasks/03-c.md:3:14 depends-unknown")
}

// All findings of all files come at once, in reading order.
func TestAllFindingsAtOnce(t *testing.T) {
	found := Run(input(
		"plan.md", "---\ntitel: T\n---\n",
		"02-b", "id: B\nstatus: ready\ndepends_on: [x, a]\nrelevant_file_paths: [/x]",
		"tasks/01-a.md", "---\nid: a\n---\n\n",
		"tasks/02-c.md", "---\nid: a\n",
		"tasks/03-d.md", "---\nid: a\ntags: {}\n---\nB.\n",
	), DefaultGates(), Base)
	equal(t, "findings", brief(found), `
plan.md:1:1 title-empty
plan.md:2:1 unknown-field
plan.md:3:1 body-empty
tasks/01-a.md:3:1 body-empty
tasks/02-b.md:2:5 id-format
tasks/02-b.md:3:9 status-value
tasks/02-b.md:4:14 depends-unknown
tasks/02-b.md:5:23 path-escape
tasks/02-c.md:1:1 frontmatter
tasks/03-d.md:2:5 id-duplicate
tasks/03-d.md:3:7 frontmatter`)
	if !slices.IsSortedFunc(found, diag.Diagnostic.Compare) {
		t.Error("the findings are not in order")
	}
}

// The same plan gives the same findings, word for word, and the input stays
// as it was.
func TestRunIsRepeatable(t *testing.T) {
	in := input("01-aab", "id: aab", "02-aac", "id: aac", "03-aad", "id: aad", "04-b", "id: b\ndepends_on: [aax]\nowner: me")
	found := slices.Clone(in.Found)
	first := lines(Run(in, DefaultGates(), Strict))
	for range 20 {
		equal(t, "again", lines(Run(in, DefaultGates(), Strict)), first)
	}
	if !slices.Equal(in.Found, found) {
		t.Error("the findings of reading were changed")
	}
}

// A message is one line, whatever a title holds, and a task without an id is
// called by its file.
func TestMessages(t *testing.T) {
	in := input("01-a", `title: "Improve\nperformance"`)
	equal(t, "findings", lines(Run(in, DefaultGates(), Strict)), ""+
		"p/tasks/01-a.md:1:1: error: task `01-a.md` is missing the `context_hints` field [hints-missing]\n"+
		"p/tasks/01-a.md:1:1: error: the task has no id [id-missing]\n"+
		"p/tasks/01-a.md:1:1: error: task `01-a.md` is missing the `relevant_file_paths` field [paths-missing]\n"+
		"p/tasks/01-a.md:1:1: error: task `01-a.md` is missing the `type` field [type-missing]\n"+
		"p/tasks/01-a.md:2:8: error: `title` must be one line [frontmatter]\n"+
		"p/tasks/01-a.md:2:8: warning: the title `Improve performance` is vague [title-vague]")
}

func TestPlanNames(t *testing.T) {
	for id, bad := range map[string]bool{"auth": false, "archive": true, "Auth": true, "a_b": true, "2026": false} {
		in := Input{Stored: true}
		in.Plan, in.Found = plan.Read(id, "", files("01-a", "id: a"))
		if got := hasRule(Run(in, DefaultGates(), Base), plan.RuleFilename); got != bad {
			t.Errorf("plan %s on the ref: %v", id, got)
		}
		if in.Stored = false; hasRule(Run(in, DefaultGates(), Base), plan.RuleFilename) {
			t.Errorf("the folder %s of a thread is judged", id)
		}
	}
}

// A file that is there but is no regular file is not said to be missing too.
func TestLinkInPlaceOfFile(t *testing.T) {
	link := func(name string, pairs ...string) Input {
		var in Input
		all := slices.DeleteFunc(files(pairs...), func(f plan.File) bool { return f.Path == name })
		in.Plan, in.Found = plan.Read("p", "", append(all, plan.File{Path: name, Mode: plan.Symlink}))
		return in
	}
	equal(t, "plan.md", run(link("plan.md", "01-a", "id: a"), Base), "plan.md:1:1 file-mode")
	equal(t, "a container", run(link("tasks/01-a.md", "01-a/01-b", "id: b"), Base), "tasks/01-a.md:1:1 file-mode")
	equal(t, "tasks", run(link("tasks"), Strict), "tasks:1:1 file-mode")
}

func TestEmptyFolder(t *testing.T) {
	in := Input{}
	in.Plan, in.Found = plan.Read("t-1", "/work/.plans/t-1", nil)
	found := Run(in, DefaultGates(), Base)
	equal(t, "findings", lines(found), "/work/.plans/t-1/plan.md:1:1: error: the plan has no plan.md [plan-missing]")
	equal(t, "hint", found[0].Hint, "write plan.md with a `title` and what the plan is about")
}

// What is wrong with a file of a bad name or mode is told with it, and its id
// is known.
func TestFindingsOfFilesAside(t *testing.T) {
	equal(t, "a misnamed task", run(input("tasks/1-a.md", "---\nid: A\nstatus: open\n---\n", "02-b", "id: b\ndepends_on: [A, a, c]"), Base),
		"tasks/02-b.md:3:20 depends-unknown\ntasks/1-a.md:1:1 filename\ntasks/1-a.md:2:5 id-format\ntasks/1-a.md:3:9 status-value\ntasks/1-a.md:4:1 body-empty")
	equal(t, "one that cannot be read", run(input("tasks/1-a.md", "id: other\n", "02-b", "id: b\ndepends_on: [other]"), Base),
		"tasks/1-a.md:1:1 filename\ntasks/1-a.md:1:1 frontmatter")
	var in Input
	all := files("01-a", "id: x\nstatus: open", "02-b", "id: b\ndepends_on: [x]")
	all[0].Mode = plan.Executable
	in.Plan, in.Found = plan.Read("p", "", all)
	equal(t, "an executable task", run(in, Base), "tasks/01-a.md:1:1 file-mode\ntasks/01-a.md:3:9 status-value")
	if len(in.Plan.All()) != 1 || len(in.Plan.Files()) != 2 {
		t.Error("a file aside is in the plan")
	}
	all[0].Data = nil // as whoever reads folders leaves it
	in.Plan, in.Found = plan.Read("p", "", all)
	equal(t, "an executable task that was not read", run(in, Base), "tasks/01-a.md:1:1 file-mode\ntasks/02-b.md:3:14 depends-unknown")
}
