package graph

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

var update = flag.Bool("update", false, "write the golden files anew")

// tasks makes a plan of file names below tasks/, without ".md", and
// frontmatter in turn.
func tasks(pairs ...string) *plan.Plan {
	files := []plan.File{{Path: "plan.md", Data: []byte("---\ntitle: A plan\n---\nWhy.\n")}}
	for i := 0; i < len(pairs); i += 2 {
		files = append(files, plan.File{Path: "tasks/" + pairs[i] + ".md", Data: []byte("---\n" + pairs[i+1] + "\n---\nDo it.\n")})
	}
	p, _ := plan.Read("demo", "", files)
	return p
}

// plans are the plans that golden files show.
func plans() map[string]*plan.Plan {
	return map[string]*plan.Plan{
		"empty": tasks(),
		"chain": tasks("01-a", "id: a\nstatus: done", "02-b", "id: b\nstatus: in_progress\ndepends_on: [a]", "03-c", "id: c\ndepends_on: [a, b]"),
		"diamond": tasks("01-a", "id: a\nstatus: done", "02-b", "id: b\nstatus: failed\ndepends_on: [a]", "03-c", "id: c\nstatus: skipped\ndepends_on: [a]",
			"04-d", "id: d\ndepends_on: [b, c]", "05-e", "id: e", "06-f", "id: f\ndepends_on: [e, a]"),
		"containers": tasks("01-a", "id: a\noutputs: [x]", "02-box", "id: box\ntitle: A box of tasks\ndepends_on: [a]", "02-box/01-b", "id: b",
			"02-box/02-inner", "id: inner\nkind: subtask\ninputs: [x]", "02-box/02-inner/01-c", "id: c", "02-box/02-inner/02-d", "id: d",
			"03-e", "id: e\ndepends_on: [box]", "04-f", "id: f\ndepends_on: [b]"),
		"cycle": tasks("01-a", "id: a\ndepends_on: [b]", "02-b", "id: b\ndepends_on: [a]", "03-c", "id: c\ndepends_on: [c, none]",
			"04-box", "id: box\ndepends_on: [box, d]", "04-box/01-d", "id: d\ndepends_on: [box]"),
		"release": release(),
		"hostile": hostile(),
		"wide":    wide(24),
	}
}

// release is a plan of the usual size.
func release() *plan.Plan {
	return tasks(
		"01-store-users", "id: store-users\ntitle: Write the migration for the table of users\nstatus: done",
		"02-hash-passwords", "id: hash-passwords\ntitle: Hash passwords with argon2\nstatus: done\ndepends_on: [store-users]",
		"03-issue-token", "id: issue-token\ntitle: Answer a correct password with a token\nstatus: in_progress\ndepends_on: [hash-passwords]",
		"04-check-token", "id: check-token\ntitle: Refuse requests without a valid token\ndepends_on: [issue-token]",
		"05-admin", "id: admin\ntitle: The pages of administrators", "05-admin/01-list", "id: list-users\ntitle: List the users\ndepends_on: [store-users]",
		"05-admin/02-ban", "id: ban-user\ntitle: Ban a user, so that all of the user's tokens end at once and for ever\ndepends_on: [list-users, check-token]",
		"06-rate-limit", "id: rate-limit\ntitle: Limit attempts to log in\nstatus: blocked\ndepends_on: [issue-token]",
		"07-handbook", "id: handbook\ntitle: Describe the endpoints\ndepends_on: [check-token, rate-limit]",
		"08-load-test", "id: load-test\ntitle: Measure 1,000 logins a second\ndepends_on: [rate-limit]",
		"09-flag", "id: flag\ntitle: Put it behind a flag", "10-release", "id: release\ntitle: Release it\ndepends_on: [admin, handbook, load-test, flag]",
	)
}

// hostile has titles that mean something to what draws them.
func hostile() *plan.Plan {
	titles := []string{
		`say \"hi\" and ]) } end`, "end", `line\nfeed %% no comment`, "<b onclick='x'>bold</b> <script>alert(1)</script>", "👩‍💻 emoji and 漢字",
		"click t1 href 'javascript:alert(1)'", "`md` **bold** ---> --x t1:::done", "1. list", "#35; #quot; &amp; #9829;", `a\\`, "style x fill:#f00;", "subgraph", "a|b{c}(d)/e/",
		`\x1b[31mred \u202Eflip`, "@{ shape: x }",
	}
	var pairs []string
	for i, title := range titles {
		pairs = append(pairs, fmt.Sprintf("%02d-t", i+1), fmt.Sprintf("id: t-%d\ntitle: \"%s\"\ndepends_on: [t-%d]", i+1, title, i))
	}
	return tasks(pairs...)
}

// wide is a plan whose tasks all wait for the same and are waited for by one.
func wide(n int) *plan.Plan {
	pairs := []string{"01-a", "id: a"}
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("m%d", i))
		pairs = append(pairs, fmt.Sprintf("%02d-m", i+2), fmt.Sprintf("id: m%d\ndepends_on: [a]", i))
	}
	return tasks(append(pairs, "90-z", "id: z\ndepends_on: ["+strings.Join(all, ", ")+"]")...)
}

func TestGolden(t *testing.T) {
	for name, p := range plans() {
		for ext, write := range map[string]func(io.Writer, *plan.Plan) error{
			"txt": func(w io.Writer, p *plan.Plan) error { return ASCII(w, p, &term.Page{}) }, "mmd": Mermaid, "dot": Dot,
			"json": func(w io.Writer, p *plan.Plan) error {
				enc := json.NewEncoder(w)
				enc.SetIndent("", " ")
				return enc.Encode(NewDocument(p))
			},
		} {
			if ext == "json" && name != "containers" {
				continue
			}
			t.Run(name+"."+ext, func(t *testing.T) {
				var b bytes.Buffer
				if err := write(&b, p); err != nil {
					t.Fatal(err)
				}
				golden(t, filepath.Join("testdata", name+"."+ext), b.Bytes())
				if ext == "txt" {
					narrow(t, b.String())
				}
			})
		}
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what is drawn; -update writes it anew:\n%s", file, got)
	}
}

// narrow holds a drawing to the width of a terminal, and free of what a
// terminal would obey.
func narrow(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if diag.Width(line) > 80 {
			t.Errorf("%d columns: %s", diag.Width(line), line)
		}
		for _, r := range line {
			if r < ' ' || r == 0x7f || r == 0x202e || r == 0x200d {
				t.Errorf("the character %U in %q", r, line)
			}
		}
	}
}

// Drawing stays quick where data flow makes millions of edges.
func TestLarge(t *testing.T) {
	var files []plan.File
	for i := range 4000 {
		front := fmt.Sprintf("id: t%d\ninputs: [x]\noutputs: [x]\ndepends_on: [t%d]", i, i/2)
		files = append(files, plan.File{Path: fmt.Sprintf("tasks/%02d-a/%02d-b.md", i/90, i%90), Data: []byte("---\n" + front + "\n---\nx\n")})
	}
	p, _ := plan.Read("large", "", files)
	took := gittest.Spent(func() {
		for _, write := range []func(io.Writer, *plan.Plan) error{Mermaid, Dot, func(w io.Writer, p *plan.Plan) error { return ASCII(w, p, &term.Page{}) }} {
			if err := write(io.Discard, p); err != nil {
				t.Fatal(err)
			}
		}
	})
	if took > time.Minute {
		t.Errorf("three drawings took %v", took)
	}
}

// What waits for a container waits for all that is in it, and is not looked at
// with each of those.
func TestLargeContainers(t *testing.T) {
	gittest.Linear(t, "tasks that wait for a large container", 9_000, func(n int) func() {
		text := func(id, front string) []byte { return fmt.Appendf(nil, "---\nid: %s\n%s---\nx\n", id, front) }
		files := []plan.File{{Path: "tasks/01-a.md", Data: text("a", "")}, {Path: "tasks/02-b.md", Data: text("b", "")}}
		for i := range n / 2 {
			files = append(files,
				plan.File{Path: fmt.Sprintf("tasks/01-a/%02d-s/%02d-t.md", i/90, i%90), Data: text(fmt.Sprintf("a-%d", i), "")},
				plan.File{Path: fmt.Sprintf("tasks/02-b/%02d-s/%02d-t.md", i/90, i%90), Data: text(fmt.Sprintf("b-%d", i), "depends_on: [a]\n")})
			if i%90 == 0 {
				files = append(files,
					plan.File{Path: fmt.Sprintf("tasks/01-a/%02d-s.md", i/90), Data: text(fmt.Sprintf("a-box-%d", i/90), "")},
					plan.File{Path: fmt.Sprintf("tasks/02-b/%02d-s.md", i/90), Data: text(fmt.Sprintf("b-box-%d", i/90), "")})
			}
		}
		p, _ := plan.Read("large", "", files)
		return func() {
			NewDocument(p)
			if err := ASCII(io.Discard, p, &term.Page{}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestMermaidParses gives what is drawn to Mermaid itself. It needs node, and
// in GIT_PLAN_TEST_MERMAID a node_modules folder with mermaid and jsdom.
func TestMermaidParses(t *testing.T) {
	var texts []string
	for _, p := range plans() {
		var b strings.Builder
		if err := Mermaid(&b, p); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, b.String())
	}
	gittest.Mermaid(t, texts...)
}

// TestDotParses gives what is drawn to Graphviz, where that is installed.
func TestDotParses(t *testing.T) {
	dot, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("Graphviz is not installed")
	}
	for name, p := range plans() {
		cmd := exec.Command(dot, "-Tcanon")
		in, errs := &bytes.Buffer{}, &bytes.Buffer{}
		if err := Dot(in, p); err != nil {
			t.Fatal(err)
		}
		cmd.Stdin, cmd.Stderr = in, errs
		if err := cmd.Run(); err != nil || errs.Len() > 0 {
			t.Errorf("%s: %v %s", name, err, errs)
		}
	}
}

func FuzzASCII(f *testing.F) {
	fuzz(f, func(w io.Writer, p *plan.Plan) error { return ASCII(w, p, &term.Page{}) }, checkASCII)
}
func FuzzMermaid(f *testing.F) { fuzz(f, Mermaid, checkMermaid) }
func FuzzDot(f *testing.F)     { fuzz(f, Dot, checkDot) }

// fuzz draws plans of three tasks with any frontmatter and title.
func fuzz(f *testing.F, write func(io.Writer, *plan.Plan) error, check func(*testing.T, string)) {
	f.Add("id: a\ndepends_on: [b]", "id: b\ndepends_on: [a, c]", "title\"]end")
	f.Add("id: a\nkind: subtask", "id: b\ninputs: [x]", "<b>&%%\n\x1b[31m\u202e")
	f.Add("id: a", "id: a\nstatus: done", "漢字 \\ 👩‍💻")
	f.Fuzz(func(t *testing.T, one, two, title string) {
		p := tasks("01-a", one, "01-a/01-b", two, "02-c", "id: c\ndepends_on: [a, b]\ntitle: "+fmt.Sprintf("%q", title))
		p2, _ := plan.Read("demo", "", []plan.File{{Path: "tasks/01-x.md", Data: []byte("---\nid: x\n---\n# " + title + "\n")}})
		for _, p := range []*plan.Plan{p, p2} {
			var b strings.Builder
			if err := write(&b, p); err != nil {
				t.Fatal(err)
			}
			check(t, b.String())
		}
	})
}

func checkASCII(t *testing.T, text string) { narrow(t, text) }

// checkMermaid holds each line to the few forms that there are: nothing of a
// plan stands outside of a quoted label, and in one nothing but letters, digits
// and references.
func checkMermaid(t *testing.T, text string) {
	for line := range strings.Lines(text) {
		before, rest, quoted := strings.Cut(strings.TrimSpace(line), `["`)
		if !quoted {
			if strings.ContainsAny(line, "\"<&`\\") {
				t.Errorf("line %q", line)
			}
			continue
		}
		label, end, _ := strings.Cut(rest, `"`)
		if end != "]" || strings.Trim(strings.TrimPrefix(before, "subgraph "), "gt0123456789") != "" {
			t.Errorf("line %q", line)
		}
		for _, r := range label {
			if r < 0x80 && r != ' ' && r != '#' && r != ';' && !isAlnum(r) {
				t.Errorf("%q in the label %q", r, label)
			}
		}
	}
}

// checkDot holds quotes to their pairs on every line.
func checkDot(t *testing.T, text string) {
	for line := range strings.Lines(text) {
		open := false
		for i := 0; i < len(line); i++ {
			switch {
			case line[i] == '\\' && open:
				i++
			case line[i] == '"':
				open = !open
			}
		}
		if open || strings.Contains(line, "\x1b") {
			t.Errorf("line %q", line)
		}
	}
}
