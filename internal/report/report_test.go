package report

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan/diag"
)

func at(path string, line, column int, severity diag.Severity, rule, message, hint string) diag.Diagnostic {
	return diag.Diagnostic{Path: path, Pos: diag.Pos{Line: line, Column: column}, Severity: severity, Rule: rule, Message: message, Hint: hint}
}

// small is a report of each kind of thing: plans with errors, with warnings and
// without, and what is of no plan.
func small() Report {
	return Report{Version: "1.2.3", Groups: []Group{{
		Plans: []string{"auth", "shop", "good"},
		Findings: []diag.Diagnostic{
			at("auth/plan.md", 1, 1, diag.Warning, "no-tasks", "the plan has no tasks", ""),
			at("auth/tasks/01-a.md", 2, 5, diag.Error, "id-format", "the id `A` is not kebab-case", "use lower-case letters"),
			at("auth/tasks/01-a.md", 3, 1, diag.Error, "unknown-field", "there is no field `x`", ""),
			at("gates.yaml", 5, 18, diag.Error, "gate-config", "there is no key `judge_command`", ""),
			at("shop/plan.md", 2, 1, diag.Warning, "title-vague", "the title says little", "name what changes"),
		},
	}}}
}

// ofCommits is a report of a range of commits, the second of them clean.
func ofCommits() Report {
	one, two, three := strings.Repeat("1", 40), strings.Repeat("2", 40), strings.Repeat("3", 40)
	finding := at("auth/plan.md", 2, 8, diag.Error, "title-empty", "no title", "")
	return Report{Groups: []Group{
		{Commit: one, Subject: "Ask for \x1b[31mmore", Plans: []string{"auth"}, Findings: []diag.Diagnostic{finding}},
		{Commit: two, Subject: "Clean", Plans: []string{"auth"}},
		{Commit: three, Subject: "Again", Plans: []string{"auth", "shop"}, Findings: []diag.Diagnostic{finding}},
	}}
}

// hostile is a report in which every text tries to be something else.
func hostile() Report {
	return Report{Groups: []Group{{
		Plans: []string{"a::b"},
		Findings: []diag.Diagnostic{
			at("a::b/x,line=1%0A\n::error::p\x00\u202e]]>\"'<&.md", 1, 1, diag.Error, "id-format", "::stop-commands::t\r\n::error::x\x00 ]]></failure>\"'<b>&\u202eevil [x](http://e) 100% \x1b[31m\xff\ufffe", "h\n::set-output name=x::y]]><"),
			at("a::b/y.md", 1, 1, diag.Warning, "other-rule", "]]></system-out>", ""),
		},
	}}}
}

func write(t testing.TB, r Report, format string) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, r, Options{Format: format}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCounts(t *testing.T) {
	errs, warnings := small().Count()
	if errs != 3 || warnings != 2 || small().Plans() != 3 || small().Commits() != 0 || ofCommits().Commits() != 3 || ofCommits().Plans() != 4 {
		t.Errorf("%d errors, %d warnings", errs, warnings)
	}
}

func TestWriters(t *testing.T) {
	for _, format := range Formats() {
		if err := Write(failing{}, small(), Options{Format: format}); !errors.Is(err, errFull) {
			t.Errorf("%s loses a writer's error: %v", format, err)
		}
		for _, r := range []Report{{}, small(), ofCommits(), hostile()} {
			text := write(t, r, format)
			if format == "json" {
				continue // tells programs what there is, as it is
			}
			if strings.ContainsAny(text, "\x00\x1b\u202e\r") {
				t.Errorf("%s lets a control character through: %q", format, text)
			}
		}
	}
	if err := Write(io.Discard, Report{}, Options{Format: "xml"}); err == nil || !strings.Contains(err.Error(), "sarif") {
		t.Errorf("an unknown format: %v", err)
	}
}

var errFull = errors.New("no room")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }

func TestText(t *testing.T) {
	want := `auth/plan.md:1:1: warning: the plan has no tasks [no-tasks]
auth/tasks/01-a.md:2:5: error: the id ` + "`A`" + ` is not kebab-case [id-format]
	hint: use lower-case letters
auth/tasks/01-a.md:3:1: error: there is no field ` + "`x`" + ` [unknown-field]
gates.yaml:5:18: error: there is no key ` + "`judge_command`" + ` [gate-config]
shop/plan.md:2:1: warning: the title says little [title-vague]
	hint: name what changes
3 errors, 2 warnings in 3 plans
`
	if got := write(t, small(), "text"); got != want {
		t.Errorf("got\n%s", got)
	}
	want = `commit 111111111111 Ask for \x1b[31mmore
auth/plan.md:2:8: error: no title [title-empty]
commit 333333333333 Again
auth/plan.md:2:8: error: no title [title-empty]
2 errors, 0 warnings in 4 plans of 3 commits
`
	if got := write(t, ofCommits(), "text"); got != want {
		t.Errorf("got\n%s", got)
	}
	if lines := strings.Count(write(t, hostile(), "text"), "\n"); lines != 4 {
		t.Errorf("a finding breaks out of its line: %d lines", lines)
	}
}

// The caret stands below the character, however wide what is before it.
func TestCaret(t *testing.T) {
	long := strings.Repeat("x", 200)
	for name, tt := range map[string]struct {
		text         string
		line, column int
		want         string
	}{
		"plain":           {"---\ntitle: 7\n", 2, 8, "  2 | title: 7\n    |        ^\n"},
		"first":           {"abc", 1, 1, "  1 | abc\n    | ^\n"},
		"behind the end":  {"abc", 1, 4, "  1 | abc\n    |    ^\n"},
		"far behind":      {"abc", 1, 99, "  1 | abc\n    |    ^\n"},
		"wide":            {"日本: x", 1, 5, "  1 | 日本: x\n    |       ^\n"},
		"fullwidth":       {"ＡＢ x", 1, 4, "  1 | ＡＢ x\n    |      ^\n"},
		"emoji":           {"\U0001F680 x", 1, 3, "  1 | \U0001F680 x\n    |    ^\n"},
		"combining":       {"e\u0301e x", 1, 5, "  1 | e\u0301e x\n    |    ^\n"},
		"tab":             {"a\tb\tc", 1, 5, "  1 | a   b   c\n    |         ^\n"},
		"tab after wide":  {"日\tb", 1, 3, "  1 | 日  b\n    |     ^\n"},
		"control":         {"a\x1b[1mb", 1, 6, "  1 | a\\x1b[1mb\n    |         ^\n"},
		"bidi":            {"\u202ex", 1, 2, "  1 | \\u202ex\n    |       ^\n"},
		"no UTF-8":        {"\xffx", 1, 2, "  1 | \\xffx\n    |     ^\n"},
		"carriage return": {"one\r\ntwo\r\n", 2, 2, "  2 | two\n    |  ^\n"},
		"byte order mark": {"\uFEFFone", 1, 1, "  1 | one\n    | ^\n"},
		"no such line":    {"one", 9, 1, ""},
		"no place":        {"one", 0, 0, ""},
		"a long line":     {long, 1, 5, "  1 | " + long[:100] + "…\n    |     ^\n"},
		"far in a long line": {long, 1, 150, "  1 | …" + long[:100] + "…\n    | " +
			strings.Repeat(" ", 61) + "^\n"},
		"line 100": {strings.Repeat("\n", 99) + "x", 100, 1, "  100 | x\n      | ^\n"},
	} {
		r := Report{Groups: []Group{{
			Findings: []diag.Diagnostic{at("p.md", tt.line, tt.column, diag.Error, "r", "m", "h")},
			Source:   func(string) (string, bool) { return tt.text, true },
		}}}
		var b strings.Builder
		if err := Write(&b, r, Options{Format: "text", Carets: true}); err != nil {
			t.Fatal(err)
		}
		_, got, _ := strings.Cut(b.String(), "\n")
		got, _, _ = strings.Cut(got, "\thint")
		if got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, tt.want)
		}
	}
}

func TestJSON(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal([]byte(write(t, Report{}, "json")), &doc); err != nil || fmt.Sprint(doc) != "map[errors:0 findings:[] plans:0 status:ok warnings:0]" {
		t.Errorf("%v, %v", doc, err)
	}
	got := write(t, Report{Groups: ofCommits().Groups[:1]}, "json")
	want := `{"status":"error","errors":1,"warnings":0,"plans":1,"findings":[{"path":"auth/plan.md","line":2,"column":8,"severity":"error",` +
		`"rule":"title-empty","message":"no title","hint":"","commit":"1111111111111111111111111111111111111111"}]}` + "\n"
	if got != want {
		t.Errorf("got %s", got)
	}
}

func TestGitHub(t *testing.T) {
	want := "::warning file=auth/plan.md,line=1,col=1,title=no-tasks::the plan has no tasks\n" +
		"::error file=auth/tasks/01-a.md,line=2,col=5,title=id-format::the id `A` is not kebab-case%0Ahint: use lower-case letters\n"
	if got := write(t, small(), "github"); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s", got)
	}
	if got := write(t, ofCommits(), "github"); !strings.Contains(got, "::commit 333333333333: no title\n") {
		t.Errorf("got\n%s", got)
	}
	base := small()
	base.Groups[0].Base = "docs/plans"
	if got := write(t, base, "github"); !strings.HasPrefix(got, "::warning file=docs/plans/auth/plan.md,") {
		t.Errorf("got\n%s", got)
	}
}

// The limit holds for errors and for warnings, and what is over it is counted.
func TestGitHubLimit(t *testing.T) {
	var g Group
	for i := range 25 {
		severity := diag.Error
		if i%5 == 0 {
			severity = diag.Warning
		}
		g.Findings = append(g.Findings, at("a.md", i+1, 1, severity, "r", "m", ""))
	}
	got := write(t, Report{Groups: []Group{g, {Findings: g.Findings[:6]}}}, "github")
	if strings.Count(got, "\n::error")+strings.Count(got, "::warning") != 17 ||
		!strings.HasSuffix(got, "\n::notice title=git plan check::+14 more: 14 errors and 0 warnings are not shown here\n") {
		t.Errorf("got\n%s", got)
	}
}

// Each line is one workflow command of ours, whatever plans hold.
func TestGitHubInjection(t *testing.T) {
	command := regexp.MustCompile(`^::(error|warning) file=[^,:\n]*,line=\d+,col=\d+,title=[^,:\n]*::[^\n]*$`)
	lines := strings.Split(strings.TrimSuffix(write(t, hostile(), "github"), "\n"), "\n")
	for _, line := range lines {
		if !command.MatchString(line) {
			t.Errorf("no command of ours: %q", line)
		}
	}
	if len(lines) != 2 || !strings.Contains(lines[0], "100%25") || !strings.Contains(lines[0], "file=a%3A%3Ab/x%2Cline=1%250A") {
		t.Errorf("%q", lines)
	}
	if got := escapeProperty("a:b,c%d\re\nf"); got != "a%3Ab%2Cc%25d%0De%0Af" {
		t.Error(got)
	}
	if got := escapeData("a:b,c%d\re\nf"); got != "a:b,c%25d%0De%0Af" {
		t.Error(got)
	}
}

func parseJUnit(t testing.TB, text string) junitReport {
	t.Helper()
	var doc junitReport
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict = true
	if err := d.Decode(&doc); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return doc
}

func TestJUnit(t *testing.T) {
	doc := parseJUnit(t, write(t, small(), "junit"))
	var got []string
	for _, s := range doc.Suites {
		got = append(got, fmt.Sprintf("%s %d/%d", s.Name, s.Failures, s.Tests))
		for _, c := range s.Cases {
			line := "  " + c.Name
			if c.Failure != nil {
				line += " " + c.Failure.Type + ": " + c.Failure.Message
			}
			if c.Warnings != "" {
				line += " (warned)"
			}
			got = append(got, line)
		}
	}
	want := "auth 1/2\n  auth/plan.md (warned)\n  auth/tasks/01-a.md id-format: the id `A` is not kebab-case (and 1 more error)\n" +
		"shop 0/1\n  shop/plan.md (warned)\ngood 0/1\n  the plan passes the gate\nstore 1/1\n  gates.yaml gate-config: there is no key `judge_command`"
	if strings.Join(got, "\n") != want || doc.Tests != 5 || doc.Failures != 2 {
		t.Errorf("%d of %d failed:\n%s", doc.Failures, doc.Tests, strings.Join(got, "\n"))
	}
	if doc := parseJUnit(t, write(t, ofCommits(), "junit")); len(doc.Suites) != 4 || doc.Suites[0].Name != "111111111111 auth" || doc.Failures != 2 {
		t.Errorf("%+v", doc)
	}
}

// What a plan holds stays text: the document has the elements it has without.
func TestJUnitInjection(t *testing.T) {
	text := write(t, hostile(), "junit")
	doc := parseJUnit(t, text)
	if len(doc.Suites) != 1 || len(doc.Suites[0].Cases) != 2 || doc.Failures != 1 || strings.Count(text, "</failure>") != 1 {
		t.Errorf("%+v\n%s", doc, text)
	}
	if message := doc.Suites[0].Cases[0].Failure.Message; !strings.Contains(message, `]]></failure>"'<b>&\u202eevil`) || !strings.Contains(message, "\ufffd") {
		t.Errorf("%q", message)
	}
	if name := doc.Suites[0].Cases[0].Name; !strings.Contains(name, `%0A\n::error::p\x00\u202e]]>"'<&.md`) {
		t.Errorf("%q", name)
	}
}

// A plan that is the folder one stands in has paths without a folder.
func TestPlanOf(t *testing.T) {
	plans := map[string]bool{"a": true, "a/b": true, ".": true}
	for p, want := range map[string]string{"a/plan.md": "a", "a/b/x.md": "a/b", "plan.md": ".", "tasks/x.md": ".", "../x.md": "", "/x.md": "", "ab/x.md": "."} {
		if got := planOf(p, plans); got != want {
			t.Errorf("%s belongs to %q, not %q", p, got, want)
		}
	}
	if got := planOf("b/x.md", map[string]bool{"a": true}); got != "" {
		t.Error(got)
	}
}
