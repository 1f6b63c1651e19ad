package markdown

import (
	"html"
	"strings"
)

// item is an item of a list.
type item struct {
	lines []string
	// box is what a checklist has before the item: 'x' or ' ', else 0.
	box byte
}

// list writes the list that lines begin with.
func (w *writer) list(lines []string, depth int) int {
	first, _ := bullet(lines[0])
	var items []item
	n, loose := 0, false
	for n < len(lines) {
		m, ok := bullet(lines[n])
		if !ok || m.ordered != first.ordered || m.kind != first.kind {
			break
		}
		it, used, gap := takeItem(lines[n:], m)
		items = append(items, it)
		n += used
		next := n
		for next < len(lines) && isBlank(lines[next]) {
			next++
		}
		more := false
		if next < len(lines) {
			m, ok := bullet(lines[next])
			more = ok && m.ordered == first.ordered && m.kind == first.kind
		}
		loose = loose || gap || more && next > n
		if !more {
			break
		}
		n = next
	}
	w.items(items, first, depth, loose)
	return n
}

// takeItem gives the item that lines begin with, how many lines it took, and
// whether an empty one stands between its parts.
func takeItem(lines []string, m marker) (it item, n int, gap bool) {
	head := lines[0]
	it.lines = append(it.lines, head[min(m.width, len(head)):])
	it.tick()
	blanks := 0
	for n = 1; n < len(lines); n++ {
		line := lines[n]
		switch {
		case isBlank(line):
			blanks++
			continue
		case indent(line) >= m.width:
			gap = gap || blanks > 0
		case blanks > 0 || interrupts(line, 0) || isBullet(line):
			return it, n - blanks, gap
		}
		for ; blanks > 0; blanks-- {
			it.lines = append(it.lines, "")
		}
		it.lines = append(it.lines, line[min(m.width, indent(line)):])
	}
	return it, n - blanks, gap
}

func isBullet(line string) bool {
	_, ok := bullet(line)
	return ok
}

// tick takes the box of a checklist off the item.
func (it *item) tick() {
	text := strings.TrimLeft(it.lines[0], " ")
	if len(text) > 3 && text[0] == '[' && text[2] == ']' && text[3] == ' ' && strings.IndexByte(" xX", text[1]) >= 0 {
		it.box, it.lines[0] = text[1]|0x20, text[4:]
	}
}

func (w *writer) items(items []item, first marker, depth int, loose bool) {
	tag := "ul"
	if first.ordered {
		tag = "ol"
	}
	w.b.WriteString("<" + tag)
	if start := strings.TrimLeft(first.start, "0"); first.ordered && start != "1" {
		w.b.WriteString(` start="` + html.EscapeString("0"+start) + `"`)
	}
	w.b.WriteString(">\n")
	for _, it := range items {
		switch it.box {
		case 'x':
			w.b.WriteString(`<li class="box"><input type="checkbox" checked disabled aria-label="done"> `)
		case ' ':
			w.b.WriteString(`<li class="box"><input type="checkbox" disabled aria-label="to do"> `)
		default:
			w.b.WriteString("<li>")
		}
		w.blocks(it.lines, depth+1, loose)
		w.b.WriteString("</li>\n")
	}
	w.b.WriteString("</" + tag + ">\n")
}
