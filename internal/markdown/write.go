package markdown

import (
	"fmt"
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// topHeading is the level that a heading of the first level gets: pages have
// headings of their own above.
const topHeading = 3

// writer writes what was read as HTML.
type writer struct {
	source []byte
	b      strings.Builder
	linked bool // within a link, where no other is made
}

// block writes a block.
func (w *writer) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		tag := fmt.Sprintf("h%d", min(n.Level+topHeading-1, 6))
		w.element(tag, "", n)
		w.b.WriteString("\n")
	case *ast.Paragraph:
		w.element("p", "", n)
		w.b.WriteString("\n")
	case *ast.TextBlock:
		w.inlines(n)
		w.b.WriteString("\n")
	case *ast.ThematicBreak:
		w.b.WriteString("<hr>\n")
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		w.b.WriteString("<pre tabindex=\"0\"><code>")
		lines := n.Lines()
		for i := range lines.Len() {
			line := lines.At(i)
			w.b.WriteString(html.EscapeString(strings.TrimSuffix(string(line.Value(w.source)), "\n")) + "\n")
		}
		w.b.WriteString("</code></pre>\n")
	case *ast.Blockquote:
		w.b.WriteString("<blockquote>\n")
		w.blocks(n)
		w.b.WriteString("</blockquote>\n")
	case *ast.List:
		w.list(n)
	case *extast.Table:
		w.table(n)
	default:
		w.blocks(n)
	}
}

func (w *writer) blocks(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		w.block(n)
	}
}

func (w *writer) element(tag, attributes string, n ast.Node) {
	w.b.WriteString("<" + tag + attributes + ">")
	w.inlines(n)
	w.b.WriteString("</" + tag + ">")
}

func (w *writer) list(n *ast.List) {
	tag, start := "ul", ""
	if n.IsOrdered() {
		tag = "ol"
		if n.Start != 1 {
			start = fmt.Sprintf(` start="%d"`, n.Start)
		}
	}
	w.b.WriteString("<" + tag + start + ">\n")
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		w.b.WriteString("<li" + box(item) + ">")
		w.blocks(item)
		w.b.WriteString("</li>\n")
	}
	w.b.WriteString("</" + tag + ">\n")
}

// box gives the class of an item that begins with a box of a checklist.
func box(item ast.Node) string {
	if first := item.FirstChild(); first != nil && first.FirstChild() != nil && first.FirstChild().Kind() == extast.KindTaskCheckBox {
		return ` class="box"`
	}
	return ""
}

func (w *writer) table(n *extast.Table) {
	classes := map[extast.Alignment]string{extast.AlignCenter: ` class="centre"`, extast.AlignRight: ` class="right"`}
	w.b.WriteString("<div class=\"wide\" tabindex=\"0\"><table>\n")
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		tag := "td"
		if row.Kind() == extast.KindTableHeader {
			tag = "th"
			w.b.WriteString("<thead>")
		}
		w.b.WriteString("<tr>")
		for i, cell := 0, row.FirstChild(); cell != nil; i, cell = i+1, cell.NextSibling() {
			w.element(tag, classes[n.Alignments[i]], cell)
		}
		w.b.WriteString("</tr>\n")
		if tag == "th" {
			w.b.WriteString("</thead>\n<tbody>\n")
		}
	}
	w.b.WriteString("</tbody></table></div>\n")
}

// inlines writes the text of a block.
func (w *writer) inlines(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		w.inline(n)
	}
}

func (w *writer) inline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		w.text(n)
	case *ast.String:
		w.b.WriteString(html.EscapeString(string(n.Value)))
	case *ast.CodeSpan:
		w.code(n)
	case *ast.Emphasis:
		w.element([]string{1: "em", 2: "strong"}[n.Level], "", n)
	case *extast.Strikethrough:
		w.element("del", "", n)
	case *extast.TaskCheckBox:
		if n.IsChecked {
			w.b.WriteString(`<input type="checkbox" checked disabled aria-label="done"> `)
		} else {
			w.b.WriteString(`<input type="checkbox" disabled aria-label="to do"> `)
		}
	case *ast.AutoLink:
		href, ok := Target(string(n.URL(w.source)))
		w.link(href, ok, "", func() { w.b.WriteString(html.EscapeString(string(n.Label(w.source)))) })
	case *ast.Link:
		w.target(n, string(n.Destination), "")
	case *ast.Image:
		w.target(n, string(n.Destination), "picture: ")
	default:
		w.inlines(n)
	}
}

// text writes a text as it is, but for the backslashes that take the meaning of
// what follows: an entity stays what was written, so that it hides nothing.
func (w *writer) text(n *ast.Text) {
	value := n.Value(w.source)
	if !n.IsRaw() {
		value = util.UnescapePunctuations(value)
	}
	w.b.WriteString(html.EscapeString(string(value)))
	switch {
	case n.HardLineBreak():
		w.b.WriteString("<br>\n")
	case n.SoftLineBreak():
		w.b.WriteString("\n")
	}
}

func (w *writer) code(n *ast.CodeSpan) {
	w.b.WriteString("<code>")
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		value := string(c.(*ast.Text).Value(w.source))
		w.b.WriteString(html.EscapeString(strings.ReplaceAll(value, "\n", " ")))
	}
	w.b.WriteString("</code>")
}

// target writes a link, or the text of one and where it would lead.
func (w *writer) target(n ast.Node, to, what string) {
	href, ok := Target(to)
	w.link(href, ok, what, func() { w.inlines(n) })
	if !ok && to != "" {
		w.b.WriteString(" (<code>" + html.EscapeString(to) + "</code>)")
	}
}

// link writes a link to somewhere outside of the page, which is told nothing of
// where the reader comes from.
func (w *writer) link(href string, ok bool, what string, text func()) {
	if !ok || w.linked {
		text()
		return
	}
	w.linked = true
	w.b.WriteString(`<a href="` + html.EscapeString(href) + `" rel="noopener noreferrer nofollow" target="_blank">` + what)
	text()
	w.b.WriteString("</a>")
	w.linked = false
}
