package diff

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan/diag"
)

// Marker is the first line of [Markdown], by which a comment that holds it is
// found again.
const Marker = "<!-- git-plan-diff -->"

const (
	// MarkdownSize is what a comment on a pull request may hold, with room to
	// spare.
	MarkdownSize = 60_000
	// detailSize bounds what is told of one task.
	detailSize = 6_000
	// leftOutSize is kept for what is told of what is left out.
	leftOutSize = 280
	// fairShare is what each plan may take, though others come after it.
	fairShare = 4_000
)

// Markdown writes the differences as a pull request shows them: a summary, for
// each plan a picture of its tasks and the critical path, and what changed in
// each task, folded. It stays within size bytes, of which the details of one
// plan leave the others their share; what is left out is counted. Nothing in a
// plan can become markup, a mention or a reference.
func Markdown(w io.Writer, r *Result, size int) error {
	m := &markdown{left: size - leftOutSize, prose: newProse()}
	m.add(Marker + "\n")
	m.add("\n**" + sentence(r.Summary()) + "** (" + code(short(r.From)) + " to " + code(short(r.To)) + ")\n")
	for _, f := range r.Files { // what the gate asks for concerns every plan
		m.file(f)
	}
	for i := range r.Plans {
		m.kept = max(0, m.left-max(m.left/(len(r.Plans)-i), fairShare))
		m.plan(&r.Plans[i])
	}
	if left := m.leftOut(); left != "" {
		m.b.WriteString("\n" + left + ", see `git plan diff`.\n")
	}
	_, err := io.WriteString(w, m.b.String())
	return err
}

// markdown collects pieces as long as there is room.
type markdown struct {
	b strings.Builder
	// left is how much room there is, kept how much of it is for the plans that
	// come after this one.
	left, kept int
	// plans are the ids of those that there was no room for, and parts counts
	// what else there was none for.
	plans []string
	parts int
	prose *prose
}

// leftOut counts what there was no room for, in words.
func (m *markdown) leftOut() string {
	var out []string
	if n := len(m.plans); n > 0 {
		out = append(out, "+"+words.Count(n, "more plan")+m.names(leftOutSize-100))
	}
	if m.parts > 0 {
		out = append(out, "+"+words.Count(m.parts, "more part")+" of the plans above")
	}
	return strings.Join(out, ", ")
}

// names names as many of the plans that there was no room for as size bytes
// hold.
func (m *markdown) names(size int) string {
	for n := min(len(m.plans), 10); n > 0; n-- {
		var names []string
		for _, id := range m.plans[:n] {
			names = append(names, code(id))
		}
		text := " (" + strings.Join(names, ", ")
		if n < len(m.plans) {
			text += ", …"
		}
		if text += ")"; len(text) <= size {
			return text
		}
	}
	return ""
}

// add appends a piece as a whole or counts it as dropped.
func (m *markdown) add(piece string) {
	if len(piece) > m.left {
		m.parts++
		return
	}
	m.left -= len(piece)
	m.b.WriteString(piece)
}

func (m *markdown) file(f FileChange) {
	piece := "\n### " + code(f.Path) + " " + inline(string(f.Change)) + "\n"
	if lines := m.prose.file(f); len(lines) > 1 {
		piece += "\n" + fenced(lines[1:])
	}
	m.add(piece)
}

func (m *markdown) plan(p *Plan) {
	title := heading(p).Spans[0].Text
	head := "\n### " + code(p.ID) + " " + inline(strings.TrimPrefix(title, p.ID+": ")) + "\n"
	if m.left < len(head)+800 { // too little for a picture and a detail, too
		m.plans = append(m.plans, p.ID)
		return
	}
	m.add(head)
	if p.Change != Removed && p.Change != Archived {
		m.picture(p)
	}
	if p.Before != nil && p.After != nil && (len(p.Critical.Before) > 0 || len(p.Critical.After) > 0) {
		m.critical(p.Critical)
	}
	if lines := m.prose.plan(p); len(lines) > 0 {
		m.add(details("the plan itself", lines))
	}
	m.tasks(p)
	if text := renumbered(p); text != "" {
		m.add("\n" + inline(text) + "\n")
	}
	if n := len(p.Spelling); n > 0 {
		m.add("\n" + inline(words.Count(n, "file")+" written differently, with the same meaning: "+words.Few(p.Spelling, 3)) + "\n")
	}
}

func (m *markdown) picture(p *Plan) {
	text, legend := graph.MermaidChanges(p.now(), changes(p))
	if text == "" {
		return
	}
	if legend != "" {
		legend = "\n" + sentence(legend) + ".\n"
	}
	m.add("\n```mermaid\n" + text + "```\n" + legend)
}

func (m *markdown) critical(c Critical) {
	if !c.Changed() {
		m.add("\nCritical path, unchanged: " + inline(c.text(c.After)) + "\n")
		return
	}
	m.add("\nCritical path before: " + inline(c.text(c.Before)) + "  \nCritical path after: " + inline(c.text(c.After)) + "\n")
}

// tasks tells of each task in a block of its own, and of all that only moved
// in one, as far as that leaves other plans their share.
func (m *markdown) tasks(p *Plan) {
	var moved []line
	for _, t := range shown(p) {
		if t.Change == Moved {
			moved = append(moved, m.prose.task(t)...)
			continue
		}
		if m.left-m.kept < detailSize/10 {
			m.parts++ // there is no room for most, and one now and then helps nobody
			continue
		}
		name := code(t.ID) + " " + inline(diag.Cut(diag.Printable(t.now().Title()), 100))
		lines := m.prose.task(t)
		if t.Change == Added {
			lines = append(lines, m.whole(t)...)
		}
		m.detail(details(string(t.Change)+" "+name, lines))
	}
	if len(moved) > 0 {
		m.detail(details(words.Count(len(moved), "task")+" only moved", moved))
	}
}

// detail adds a piece of what is told of one task.
func (m *markdown) detail(piece string) {
	if len(piece) > m.left-m.kept {
		m.parts++
		return
	}
	m.add(piece)
}

// whole tells what an added task asks for.
func (m *markdown) whole(t *Task) []line {
	var out []line
	for _, f := range t.Fields {
		if f.Name != "path" && f.Name != "depends_on" && f.Name != "title" {
			out = append(out, m.prose.field(2, f)...)
		}
	}
	return out
}

// details is a folded block; the summary is markup already.
func details(summary string, lines []line) string {
	return "\n<details><summary>" + summary + "</summary>\n\n" + fenced(lines) + "\n</details>\n"
}

// fenced puts lines into a code block in which `+` and `-` are coloured. The
// fence is longer than any in them.
func fenced(lines []line) string {
	var b strings.Builder
	for i, l := range lines {
		text := lineText(l)
		if b.Len()+len(text) > detailSize {
			room := max(0, min(len(text), detailSize-b.Len()))
			for room > 0 && !utf8.RuneStart(text[room]) {
				room--
			}
			fmt.Fprintf(&b, "%s…\n  … %s more\n", text[:room], words.Count(len(lines)-i, "line"))
			break
		}
		b.WriteString(text + "\n")
	}
	fence := strings.Repeat("`", max(3, longestRun(b.String(), '`')+1))
	return fence + "diff\n" + b.String() + fence + "\n"
}

// lineText is a line with its mark in the first column.
func lineText(l line) string {
	mark := map[rune]string{edited: "!", plus: "+", minus: "-"}[l.mark]
	p := painter{&term.Page{}}
	var text term.Text
	for _, span := range l.Spans {
		text = append(text, p.span(span, l.mark == plus || l.mark == minus)...)
	}
	return strings.TrimRight(cmp.Or(mark, " ")+strings.Repeat("  ", max(0, l.depth))+text.String(), " ")
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// inline writes text so that neither markdown nor HTML sees markup in it, and
// no host a mention, a reference or a link: punctuation becomes character
// references, and as hosts look for the rest in what the markup became, what
// those are known by stands in an element of its own.
func inline(s string) string {
	var b strings.Builder
	for text, before := diag.Printable(s), byte(' '); text != ""; {
		word := len(text) - len(strings.TrimLeftFunc(text, isWordRune))
		if isCommit(text[:word]) {
			b.WriteString("<code>" + text[:word] + "</code>")
		} else {
			b.WriteString(text[:word])
		}
		if word > 0 {
			before, text = text[word-1], text[word:]
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		text = text[size:]
		b.WriteString(sign(r, before, text))
		before = ' '
	}
	return b.String()
}

// sign writes a character that is no part of a word, by what stands around it.
func sign(r rune, before byte, after string) string {
	switch {
	case strings.ContainsRune("@#!~%$&^:", r), r == '-' && isLetter(before) && after != "" && isDigit(after[0]): // GH-12
		return fmt.Sprintf("<span>&#%d;</span>", r)
	case r < utf8.RuneSelf && r != ' ':
		return fmt.Sprintf("&#%d;", r)
	}
	return string(r)
}

// isCommit reports whether a host would take a word for the name of a commit.
func isCommit(word string) bool {
	return len(word) >= 7 && strings.Trim(word, "0123456789abcdefABCDEF") == "" && strings.ContainsAny(word, "0123456789")
}

func isWordRune(r rune) bool { return r < utf8.RuneSelf && (isDigit(byte(r)) || isLetter(byte(r))) }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// code writes text as code, in which hosts look for nothing.
func code(s string) string {
	return "<code>" + strings.NewReplacer("`", "&#96;", "*", "&#42;", "_", "&#95;", "[", "&#91;", "\\", "&#92;", "~", "&#126;", "|", "&#124;", "!", "&#33;").
		Replace(html.EscapeString(diag.Cut(diag.Printable(s), 120))) + "</code>"
}

// sentence begins with a capital.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// Inline writes text of a plan for markdown on one line, so that nothing in it
// becomes markup, a mention, a reference or a link on a forge.
func Inline(s string) string { return inline(s) }
