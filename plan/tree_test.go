package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestTree(t *testing.T) {
	p := build(t,
		"10-last", "id: last",
		"02-box", "id: box",
		"02-box/02-two", "id: two",
		"02-box/01-one", "id: one",
		"02-box/02-two/07-deep", "id: deep",
		"01-first", "id: first",
		"signals/b.md", signal("info", ""),
		"signals/a.md", signal("blocker", "one"),
	)
	equal(t, "file order", ids(p.All()), "first box one two deep last")
	equal(t, "top", ids(p.Tasks), "first box last")
	var numbers []string
	for _, task := range p.All() {
		numbers = append(numbers, task.Number())
		if p.Find(task.Number()) != task || p.Find(task.ID) != task || p.Task(task.ID) != task {
			t.Errorf("%s is not found by its number or id", task.ID)
		}
	}
	equal(t, "numbers", strings.Join(numbers, " "), "1 2 2.1 2.2 2.2.7 10")
	box, deep := p.Task("box"), p.Task("deep")
	equal(t, "ancestors", fmt.Sprint(box.IsAncestorOf(deep), deep.IsAncestorOf(box), box.IsAncestorOf(box)), "true false false")
	equal(t, "dir", deep.Dir+" "+deep.Slug, "tasks/02-box/02-two deep")
	equal(t, "signals", p.Signals[0].ID+" "+p.Signals[0].Level+" "+p.Signals[0].Task+" "+p.Signals[0].Message()+" "+p.Signals[1].ID,
		"a blocker one It does not work. b")
	if p.Task("") != nil || p.Task("none") != nil || p.Find("3") != nil || p.Signal("c") != nil || p.Signal("a") != p.Signals[0] {
		t.Error("something that is not there was found")
	}
}

func TestFindPrefersIDs(t *testing.T) {
	p := build(t, "01-a", "id: \"2\"", "02-b", "id: b")
	if p.Find("2").ID != "2" || p.Find("1").ID != "2" {
		t.Error("an id must win over a number")
	}
}

func TestFilesRoundTrip(t *testing.T) {
	files := fileList("01-a", "id: a # c", "01-a/01-b", "id: 'b'", "signals/s.md", signal("info", ""), "plan.md", planFile)
	p, _ := Read("p", "", files)
	got := p.Files()
	if len(got) != len(files) {
		t.Fatalf("%d files became %v", len(files), slices.Sorted(maps.Keys(got)))
	}
	for _, f := range files {
		equal(t, f.Path, string(got[f.Path]), string(f.Data))
	}
	crlf, _ := Read("p", "", []File{{Path: "plan.md", Data: []byte("\uFEFF" + strings.ReplaceAll(planFile, "\n", "\r\n"))}})
	equal(t, "stored form", string(crlf.Files()["plan.md"]), planFile)
}

func TestOrphansStandAtTheTop(t *testing.T) {
	p, found := Read("p", "", fileList("02-b", "id: b", "01-gone/01-a", "id: a"))
	equal(t, "findings", rules(found), "")
	equal(t, "top", ids(p.Tasks), "b a")
	equal(t, "numbers", p.Task("a").Number()+" "+p.Task("b").Number(), "1 2")
}

func TestReadIsBounded(t *testing.T) {
	files := fileList()
	for i := range MaxFiles - 1 {
		files = append(files, File{Path: fmt.Sprintf("notes/%d.txt", i)})
	}
	p, found := Read("p", "", files)
	if p.Doc == nil || len(found) != MaxFiles-1 || found[0].Rule != RuleStrayFile {
		t.Errorf("%d findings in a plan of as many files as may be", len(found))
	}
	p, found = Read("p", "", append(files, File{Path: "tasks/01-a.md"}))
	equal(t, "too many files", fmt.Sprint(p.Empty(), " "+found[0].Path+" ", rules(found)), "true p/plan.md 1:1 limits")

	name := "01-t"
	var pairs []string
	for i := range MaxDepth + 3 {
		pairs = append(pairs, name, fmt.Sprintf("id: t-%d", i))
		name += "/01-t"
	}
	p, found = Read("p", "", fileList(pairs...))
	if len(p.All()) != MaxDepth || strings.Count(p.All()[MaxDepth-1].Number(), ".") != MaxDepth-1 {
		t.Errorf("%d tasks were read", len(p.All()))
	}
	equal(t, "too deep", rules(found), "1:1 limits")
	equal(t, "the first too deep", found[0].Path, "p/tasks"+strings.Repeat("/01-t", MaxDepth+1)+".md")
}

// fileCase is one file of a folder and what is found at it.
type fileCase struct {
	path string
	mode Mode
	size int64
	want string
}

func TestReadFiles(t *testing.T) {
	ok := "---\nid: a\n---\nb\n"
	for _, c := range []fileCase{
		{"tasks/01-a.md", Regular, 0, ""},
		{"tasks/01-a/02-b.md", Regular, 0, ""},
		{"tasks/a.md", Regular, 0, "1:1 filename"},
		{"tasks/1-a.md", Regular, 0, "1:1 filename"},
		{"tasks/01-A.md", Regular, 0, "1:1 filename"},
		{"tasks/01-.md", Regular, 0, "1:1 filename"},
		{"tasks/.md", Regular, 0, "1:1 filename"},
		{"tasks/01-a.txt", Regular, 0, "1:1 stray-file"},
		{"notes.md", Regular, 0, "1:1 stray-file"},
		{"signals/A.md", Regular, 0, "1:1 stray-file"},
		{"signals/x/a.md", Regular, 0, "1:1 stray-file"},
		{"tasks/01-a.md", Executable, 0, "1:1 file-mode"},
		{"tasks/01-a.md", Symlink, 0, "1:1 file-mode"},
		{"tasks/01-a.md", Irregular, 0, "1:1 file-mode"},
		{"tasks/a.md", Symlink, 0, "1:1 file-mode"},
		{"tasks", Regular, 0, "1:1 file-mode"},
		{"tasks", Symlink, 0, "1:1 file-mode"},
		{"notes.txt", Symlink, 0, "1:1 stray-file"},
		{"tasks/01-a.md", Regular, MaxFile + 1, "1:1 limits"},
		{"tasks/01-a.md", Regular, MaxFile, ""},
		{"tasks/01-a.md", Regular, MaxPlan, "1:1 limits"},
	} {
		t.Run(fmt.Sprintf("%s %v %d", strings.ReplaceAll(c.path, "/", "∕"), c.mode, c.size), func(t *testing.T) {
			_, found := Read("p", "over/there", []File{{c.path, c.mode, []byte(ok), c.size}, {Path: "plan.md", Data: []byte(planFile)}})
			if len(found) > 0 && !strings.HasPrefix(found[0].Path, "over/there/") {
				t.Errorf("path %q", found[0].Path)
			}
			equal(t, fmt.Sprint(found), rules(found), c.want)
		})
	}
}

func TestReadable(t *testing.T) {
	for _, c := range []struct {
		pairs []string
		want  bool
	}{
		{[]string{"01-a", "id: a"}, true},
		{[]string{"01-a", "titel: a"}, true},
		{[]string{"01-a", "id: ["}, false},
		{[]string{"plan.md", "no fences"}, false},
	} {
		if p, _ := Read("p", "", fileList(c.pairs...)); p.Readable() != c.want {
			t.Errorf("%v: readable %v", c.pairs, !c.want)
		}
	}
	if p, _ := Read("p", "", nil); p.Readable() {
		t.Error("a plan without plan.md is readable")
	}
}

func TestReadPaths(t *testing.T) {
	_, found := Read("p", "", fileList("01-a", "id: A"))
	equal(t, "finding", found[0].String(), "p/tasks/01-a.md:2:5: off: the id `A` is not kebab-case [id-format]")
	empty, found := Read("p", "", nil)
	if !empty.Empty() || len(found) > 0 || empty.Title() != "" || empty.Version() != 1 || empty.Status() != Draft {
		t.Error("an empty folder is an empty plan, without findings of its files")
	}
}

func TestTitles(t *testing.T) {
	cases := []struct{ front, body, want string }{
		{"id: a\ntitle: ' Of the field '", "# Heading\n", "Of the field"},
		{"id: a", "text\n\n  ## Of the heading ##  \n# Other\n", "Of the heading"},
		{"id: a", "#no\n####### no\n#\n# yes\n", "yes"},
		{"id: a", "```sh\n# no\n```\n# yes\n", "yes"},
		{"id: a", "~~~\n```\n# no\n~~~\n# yes\n", "yes"},
		{"id: a", "````md\n```\n# no\n```\n````\n# yes\n", "yes"},
		{"id: a", "```\n```sh\n# no\n```\n# yes\n", "yes"},
		{"id: a", "```\n# no\n", "set up the db"},
		{"id: a", "```x``` is code\n\n# yes\n", "yes"},
		{"id: a", "    ```\n\n# yes\n", "yes"},
		{"id: a", "```\n    ```\n# no\n", "set up the db"},
		{"id: a", "~~~ `a`\n# no\n~~~\n# yes\n", "yes"},
		{"id: a", "    # indented code\n", "set up the db"},
		{"id: a", "text\n", "set up the db"},
	}
	for _, c := range cases {
		p := build(t, "tasks/01-set-up-the-db.md", "---\n"+c.front+"\n---\n"+c.body)
		equal(t, c.body, p.Tasks[0].Title(), c.want)
	}
}

func TestPlanFields(t *testing.T) {
	p := build(t, "plan.md", "---\ntitle: ' T '\ngates: strict\nversion: 3\nmax_replans: 0\nabandoned: True\n---\nb\n")
	equal(t, "fields", fmt.Sprint(p.Title(), p.Goal(), p.Gates(), p.Version(), p.MaxReplans(), p.IsAbandoned()), "TTstrict3 0 true")
	p = build(t, "plan.md", "---\ntitle: T\ngoal: |\n  G\nabandoned: false\n---\nb\n")
	equal(t, "defaults", fmt.Sprint(p.Title(), p.Goal(), p.Gates(), p.Version(), p.MaxReplans(), p.IsAbandoned()), "TG1 3 false")
	if err := p.Set("final_summary", "done: all"); err != nil {
		t.Fatal(err)
	}
	equal(t, "set", p.Doc.Text("final_summary"), "done: all")
	if err := new(Plan).Set("title", "x"); err == nil {
		t.Error("a field of a plan without plan.md was set")
	}
}
