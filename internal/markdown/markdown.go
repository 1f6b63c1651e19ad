// Package markdown makes HTML of the markdown that people and agents write in
// plans: headings, paragraphs, lists and checklists, quotations, code, tables,
// emphasis and links. Begin with [HTML], or
// [Line] for a text of one line.
//
// Nothing of the source becomes markup by itself: HTML in it is shown as text,
// a picture becomes a link, and only http and https links are links. The cost
// grows with the length of the source, whatever it holds, so that nobody can
// make a reader wait.
package markdown

import (
	"html"
	"strings"
)

// maxDepth bounds how deep quotations and lists nest; what is deeper is shown
// as a paragraph.
const maxDepth = 12

// topHeading is the level that a heading of the first level gets: pages have
// headings of their own above.
const topHeading = 3

// HTML gives the source as HTML, to stand in an element of a page.
func HTML(source string) string {
	w := &writer{}
	w.blocks(splitLines(source), 0, true)
	return w.b.String()
}

// Line gives a source of one line as HTML, without an element around it.
func Line(source string) string { return inline(source) }

func splitLines(source string) []string {
	source = strings.ReplaceAll(strings.ReplaceAll(source, "\r\n", "\n"), "\t", "    ")
	return strings.Split(strings.Trim(source, "\n"), "\n")
}

// writer collects the output.
type writer struct{ b strings.Builder }

// blocks writes lines as blocks. In a tight list paragraphs have no element of
// their own.
func (w *writer) blocks(lines []string, depth int, loose bool) {
	for len(lines) > 0 {
		if isBlank(lines[0]) {
			lines = lines[1:]
			continue
		}
		lines = lines[w.block(lines, depth, loose):]
	}
}

// block writes the block that lines begin with and gives how many lines it took.
func (w *writer) block(lines []string, depth int, loose bool) int {
	line := lines[0]
	if n := w.code(lines); n > 0 {
		return n
	}
	if level, text := heading(line); level > 0 {
		w.heading(level, text)
		return 1
	}
	if isRule(line) {
		w.b.WriteString("<hr>\n")
		return 1
	}
	if depth < maxDepth {
		if isQuote(line) {
			return w.quote(lines, depth)
		}
		if _, ok := bullet(line); ok {
			return w.list(lines, depth)
		}
	}
	if n := w.table(lines); n > 0 {
		return n
	}
	return w.paragraph(lines, depth, loose)
}

func (w *writer) heading(level int, text string) {
	tag := "h" + string(rune('0'+min(level+topHeading-1, 6)))
	w.b.WriteString("<" + tag + ">" + inline(text) + "</" + tag + ">\n")
}

// quote writes the lines that a mark of quotation begins.
func (w *writer) quote(lines []string, depth int) int {
	n := 0
	var inner []string
	for ; n < len(lines) && isQuote(lines[n]); n++ {
		rest := strings.TrimLeft(lines[n], " ")[1:]
		inner = append(inner, strings.TrimPrefix(rest, " "))
	}
	w.b.WriteString("<blockquote>\n")
	w.blocks(inner, depth+1, true)
	w.b.WriteString("</blockquote>\n")
	return n
}

// paragraph writes the lines up to an empty one or another block.
func (w *writer) paragraph(lines []string, depth int, loose bool) int {
	n, level := 1, 0
	for ; n < len(lines) && !isBlank(lines[n]); n++ {
		if level = underline(lines[n]); level > 0 {
			break
		}
		if interrupts(lines[n], depth) {
			break
		}
	}
	text := joined(lines[:n])
	switch {
	case level > 0:
		w.heading(level, text)
		return n + 1
	case loose:
		w.b.WriteString("<p>" + inline(text) + "</p>\n")
	default:
		w.b.WriteString(inline(text) + "\n")
	}
	return n
}

// joined makes one text of the lines of a paragraph. Blanks at the end of a
// line matter: two of them end it.
func joined(lines []string) string {
	out := make([]string, len(lines))
	for i, line := range lines {
		line = strings.TrimLeft(line, " ")
		trimmed := strings.TrimRight(line, " ")
		if len(line)-len(trimmed) >= 2 && i < len(lines)-1 {
			trimmed += "\\"
		}
		out[i] = trimmed
	}
	return strings.Join(out, "\n")
}

// code writes the code that lines begin with: between fences, or indented.
func (w *writer) code(lines []string) int {
	if indent(lines[0]) >= 4 {
		n := 1
		for n < len(lines) && (indent(lines[n]) >= 4 || isBlank(lines[n])) {
			n++
		}
		for isBlank(lines[n-1]) {
			n--
		}
		w.pre(lines[:n], 4)
		return n
	}
	fence := fenceOf(lines[0])
	if fence == "" {
		return 0
	}
	n := 1
	for n < len(lines) && !closes(lines[n], fence) {
		n++
	}
	w.pre(lines[1:n], indent(lines[0]))
	return min(n+1, len(lines))
}

// pre writes lines as they are, but for blanks that all of them begin with.
func (w *writer) pre(lines []string, cut int) {
	w.b.WriteString("<pre tabindex=\"0\"><code>")
	for _, line := range lines {
		w.b.WriteString(html.EscapeString(line[min(cut, indent(line)):]) + "\n")
	}
	w.b.WriteString("</code></pre>\n")
}
