package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// injections are texts that some reader of some output would obey, were they to
// reach it as they are.
func injections() []string {
	return []string{
		// terminals
		"\x1b[31mred\x1b[0m", "\x1b[2J\x1b[H", "\x1b]0;title\x07", "\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\", "\x1b]52;c;ZXZpbA==\x07", "\x1b[6n", "\x1bP+q544e\x1b\\", "\x1b[?1049h", "\u009b31mC1",
		"over\rwritten", "a\bb", "ring\x07", "nul\x00nul", "del\x7f", "form\ffeed", "vt\vtab", "two\nlines", "tab\tbed",
		// what is seen is not what is there
		"\u202egnp.exe", "\u2066isolated\u2069", "\u200bzero\u200bwidth\u200d", "\ufeffmark", "\u2028line\u2029paragraph", "\u00adsoft", "عنوان", "re\u0301sume\u0301", "\U000e0001tag\U000e0041", "Z\u0300\u0301\u0302\u0303\u0304", "ａｄｍｉｎ",
		// pages and pictures
		"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "\"><script>", "' onmouseover='x", "</title></style></textarea></script><b>", "<!-- --> <!--", "<![CDATA[ ]]> ]]>", "&lt;b&gt; &#60;", "javascript:alert(1)", "{{.}} {{`x`}} {%x%} ${x} #{x}", "<?xml version=\"1.0\"?><!ENTITY x SYSTEM \"file:///etc/passwd\">", "</svg><script>", "</details></summary>",
		// markdown and diagrams
		"[x](javascript:alert(1))", "![x](https://evil.example/x.png)", "```\nend of the block\n```", "# heading", "| a | b |\n|---|---|", "*a* _b_ **c** ~~d~~", "- [x] done", "> quoted", "@everyone #1 !2 org/repo#3", "a\"]:::x;click a \"javascript:x\"", "end\nsubgraph x", "%%{init: {}}%%", "\"]; evil [label=\"x", "\\N\\G\\E", "\\\"\\",
		// logs of jobs
		"::error file=x::y", "::set-output name=x::y", "::stop-commands::t", "%0A::error::x%0D", "##[error]x", "##vso[task.setvariable]x",
		// commit messages, tables, shells, formats, other readers
		"x\n\nPlan-Judge: approved", "Signed-off-by: x <x@x>", "=cmd|' /C calc'!A0", "+1,\"2\";3", "$(id) `id` ; id | id && id > x", "'; DROP TABLE plans; --", "%s%n%d%x %!s(MISSING)", "../../../etc/passwd", "C:\\x\\..\\y", "-rf --exec=x", "null", "__proto__", "\xff\xfe", "\xed\xa0\x80", "[[wiki]] <<ref>> \\input{x}", strings.Repeat("long ", 400), "\U0001f469\u200d\U0001f4bb", "🇩🇪",
	}
}

// quoted writes a text as YAML, with escapes for what may not stand in a file.
// Bytes that are no text have no such escape, and stand as what they would be.
func quoted(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r >= ' ' && r < 0x7f:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return `"` + b.String() + `"`
}

// injected is a plan with each text in each field that holds text, in those
// that do not, and in bodies as far as a file may hold it there.
func injected() map[string]string {
	files := map[string]string{}
	all := injections()
	list := make([]string, len(all))
	for i, text := range all {
		q := quoted(text)
		list[i] = q
		body := strings.Map(func(r rune) rune {
			if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
				return '?'
			}
			return r
		}, strings.ToValidUTF8(text, "?"))
		var b strings.Builder
		for _, key := range []string{"title", "step_name", "agent", "executed_by", "result", "error", "x-own"} {
			fmt.Fprintf(&b, "%s: %s\n", key, q)
		}
		for _, key := range []string{"tags", "subtasks", "context_hints", "acceptance_criteria", "inputs", "outputs", "notes"} {
			fmt.Fprintf(&b, "%s: [%s]\n", key, q)
		}
		files[fmt.Sprintf("p/tasks/01-texts/%02d-t.md", i+1)] = fmt.Sprintf("---\nid: t%d\n%s---\n\n%s\n", i, b.String(), body)
		b.Reset()
		for _, key := range []string{"status", "type", "kind", "priority", "estimate", "progress", "started_at", "x" + strconv.Itoa(i), "lease_until"} {
			fmt.Fprintf(&b, "%s: %s\n", key, q)
		}
		for _, key := range []string{"depends_on", "relevant_file_paths", "creates", "affected_files", "evidence"} {
			fmt.Fprintf(&b, "%s: [%s]\n", key, q)
		}
		files[fmt.Sprintf("p/tasks/02-words/%02d-t.md", i+1)] = fmt.Sprintf("---\nid: %s\n%s%s: x\n---\n\n%s\n", q, b.String(), q, body)
		files[fmt.Sprintf("p/signals/s%d.md", i)] = fmt.Sprintf("---\nlevel: info\ntask: %s\nsource: %s\nopened_by: %s\nbranch: %s\ncode: %s\n---\n\n%s\n", q, q, q, q, q, body)
		files[fmt.Sprintf("q%d/plan.md", i)] = fmt.Sprintf("---\ntitle: %s\ngoal: %s\ncreated_by: %s\nfinal_summary: %s\n---\n\n%s\n", q, q, q, q, body)
	}
	many := "[" + strings.Join(list, ", ") + "]"
	files["p/plan.md"] = "---\ntitle: Injected\ngoal_detail: " + many + "\nconstraints: " + many + "\ntags: " + many + "\ninformed_by: " + many + "\nx-own: " + many + "\n---\n\nTexts.\n"
	files["p/tasks/01-texts.md"] = "---\nid: texts\n---\n\nTexts.\n"
	files["p/tasks/02-words.md"] = "---\nid: words\n---\n\nWords.\n"
	return files
}

// printed is one form in which plans are printed, and what it must hold to,
// beside showing nothing that a terminal obeys.
type printed struct {
	line string
	hold func(t *testing.T, said string)
}

func outputs() []printed {
	var out []printed
	add := func(hold func(*testing.T, string), lines ...string) {
		for _, line := range lines {
			out = append(out, printed{line, hold})
		}
	}
	add(nil, "show p", "show p --all", "show p/t0", "show q0", "list", "log p", "log", "diff plans~1 plans", "diff p@{1} p", "graph p", "grep .", "check plans", "check p", "next p", "status p", "prime", "alert list p", "brief p", "brief p --for replan", "brief p --for execution --task t0", "context", "context --prompt", "doctor", "verify", "board", "board p --all", "log --graph p", "log --versions p", "list --archived", "suggest", "next q0",
		"check plans --against main", "show p@{0} --all", "graph p --format ascii", "diff plans", "export -t planspec q0", "brief q0", "apply p answer", "textconv answer", "convert -f planspec -t json answer", "import -f planspec answer", "hooks status",
		"export -t planspec p", "export -t rawko p", "show p --format planspec")
	add(isJSON, "show p --json", "show p/t0 --json", "list --json", "log p --json", "events p", "diff plans~1 plans --json", "graph p --json", "grep --json .", "check plans --json", "check plans --format sarif", "next p --json", "status --json p",
		"alert list --json p", "export -t json p", "export -t planloop p", "export -t hopspec p", "export -t rawko --json p", "doctor --json", "verify --json", "board --json", "board p --json", "log --json", "suggest --json", "export -t planspec-json p", "brief p --json", "prime p --json", "context --json", "log --versions --json p", "task start p/t0 --json", "task done p/nothing --json", "use nothing --json", "replan p --reason x --json")
	add(isPage, "show p --format html", "show p --format html --all", "show q25 --format html", "diff plans~1 plans --format html", "diff p@{1} p --format html")
	add(isMarkdown, "show p --format markdown", "show p --format markdown --all", "diff plans~1 plans --format markdown", "diff p@{1} p --format markdown")
	add(isXML, "check plans --format junit", "graph p --format svg")
	add(isCommands, "check plans --format github")
	add(isMermaid, "graph p --format mermaid")
	add(isDot, "graph p --format dot")
	return out
}

// No text of a plan is more than text in any output.
func TestInjection(t *testing.T) {
	g := withPlan(t)
	g.plant(injected())
	g.Git("update-ref", "refs/heads/plans", g.GitInput(strings.Join(injections()[:9], "\n"), "commit-tree", "-p", "plans~1", "-F", "-", "plans^{tree}"))
	g.Write("answer", "PLAN_CMD: ADD 1 "+strings.Join(injections(), "\nPLAN_CMD: ")+"\n# "+strings.Join(injections(), "\n1. [act] "))
	for _, o := range outputs() {
		t.Run(o.line, func(t *testing.T) {
			on := *g
			on.t = t
			f := &forge{&on}
			_, said := f.quiet(t, o.line)
			if o.hold != nil {
				o.hold(t, said)
			}
		})
	}
}

// withoutWarnings leaves what went to standard output.
func withoutWarnings(said string) string {
	var b strings.Builder
	for line := range strings.Lines(said) {
		if !strings.HasPrefix(line, "warning: ") && !strings.HasPrefix(line, "hint: ") && !strings.HasPrefix(line, "fatal: ") && !strings.HasPrefix(line, "error: ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

func isJSON(t *testing.T, said string) {
	d := json.NewDecoder(strings.NewReader(withoutWarnings(said)))
	for {
		var v any
		if err := d.Decode(&v); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v: %.300s", err, said)
		}
	}
}

func isXML(t *testing.T, said string) {
	d := xml.NewDecoder(strings.NewReader(withoutWarnings(said)))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("%v in %.300s", err, said)
		}
		if e, ok := token.(xml.StartElement); ok {
			if e.Name.Local == "script" || e.Name.Local == "foreignObject" {
				t.Errorf("an element %s", e.Name.Local)
			}
			for _, a := range e.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Value, "javascript:") && a.Name.Local == "href" {
					t.Errorf("an attribute %s=%q", a.Name.Local, a.Value)
				}
			}
		}
	}
}

// isPage finds elements and attributes that pages of plans have not, and
// scripts, which these pages do without.
func isPage(t *testing.T, said string) {
	page := withoutWarnings(said)
	if at := strings.Index(page, "<!DOCTYPE"); at > 0 || strings.Contains(page, "<script") {
		t.Errorf("it begins with %.100q, or has a script", page)
	}
	holdsPage(t, "the page", page)
	_, body, _ := strings.Cut(said, "<body")
	pictures := regexp.MustCompile(`(?s)<svg .*?</svg>`)
	for _, picture := range pictures.FindAllString(body, -1) {
		isXML(t, picture)
	}
	body = pictures.ReplaceAllString(body, "")
	for _, tag := range regexp.MustCompile(`<[^>]*>?`).FindAllString(body, -1) {
		if !regexp.MustCompile(`^</?[a-z0-9]+(?: [a-z-]+(?:="[^"<>]*")?)*>$`).MatchString(tag) {
			t.Fatalf("a tag %.200q", tag)
		}
		if regexp.MustCompile(`(?i)^<(script|img|svg|iframe|object|embed|link|meta|base|form)|\son[a-z]+=|javascript:`).MatchString(tag) {
			t.Fatalf("a tag %.200q", tag)
		}
	}
}

// isMarkdown finds what a host would render, link or run.
func isMarkdown(t *testing.T, said string) {
	fence := ""
	for line := range strings.Lines(withoutWarnings(said)) {
		line = strings.TrimSuffix(line, "\n")
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(ticks) >= 3:
			fence = ticks
			continue
		case fence != "" && line == fence:
			fence = ""
			continue
		case fence != "":
			continue
		}
		if found := regexp.MustCompile(`(?i)<(script|img|svg|iframe|!\[|\?|b>|textarea|title|style)|\]\(|(?:^|[^&\\])@[a-z]+`).FindString(line); found != "" {
			t.Errorf("%q in %.300q", found, line)
		}
	}
	if fence != "" {
		t.Error("a block does not end")
	}
}

// isCommands wants each line to be a command of ours, or what is said of many.
func isCommands(t *testing.T, said string) {
	for line := range strings.Lines(withoutWarnings(said)) {
		if !regexp.MustCompile(`^::(error|warning|notice) (file|title)=[^:]*::[^\r]*\n$`).MatchString(line) {
			t.Errorf("a line %.300q", line)
		}
	}
}

func isMermaid(t *testing.T, said string) {
	for line := range strings.Lines(withoutWarnings(said)) {
		before, label, _ := strings.Cut(strings.TrimSpace(line), `["`)
		label = strings.TrimSuffix(label, `"]`)
		if strings.ContainsAny(before+label, "\"<>`\\{}") && !strings.Contains(before, "-->") || strings.HasPrefix(before, "click") || strings.Contains(line, "%%{") {
			t.Errorf("a line %.300q", line)
		}
	}
}

func isDot(t *testing.T, said string) {
	for line := range strings.Lines(withoutWarnings(said)) {
		rest := regexp.MustCompile(`"(?:[^"\\]|\\.)*"`).ReplaceAllString(strings.TrimSpace(line), "")
		if strings.ContainsAny(rest, "\"<&`$\\") || strings.Contains(rest, "evil") {
			t.Errorf("a line %.300q", line)
		}
	}
}
