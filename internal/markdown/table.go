package markdown

import "strings"

// maxCells bounds a table: rows may have fewer cells than its head, and each is
// filled up.
const maxCells = 20_000

// table writes the table that lines begin with: a head, a line of dashes, rows.
func (w *writer) table(lines []string) int {
	if len(lines) < 2 || !strings.Contains(lines[0], "|") {
		return 0
	}
	head, align := cells(lines[0]), aligned(lines[1])
	if len(align) == 0 || len(head) != len(align) {
		return 0
	}
	n := 2
	for n < len(lines) && strings.Contains(lines[n], "|") && n*len(head) < maxCells {
		n++
	}
	w.b.WriteString("<div class=\"wide\" tabindex=\"0\"><table>\n<thead>")
	w.row("th", head, align)
	w.b.WriteString("</thead>\n<tbody>\n")
	for _, line := range lines[2:n] {
		w.row("td", cells(line), align)
	}
	w.b.WriteString("</tbody></table></div>\n")
	return n
}

func (w *writer) row(tag string, row, align []string) {
	w.b.WriteString("<tr>")
	for i, class := range align {
		text := ""
		if i < len(row) {
			text = inline(row[i])
		}
		if class != "" {
			class = ` class="` + class + `"`
		}
		w.b.WriteString("<" + tag + class + ">" + text + "</" + tag + ">")
	}
	w.b.WriteString("</tr>\n")
}

// cells splits a row at its bars, but for escaped ones.
func cells(line string) []string {
	line = strings.TrimSpace(line)
	line = strings.TrimPrefix(line, "|")
	if !strings.HasSuffix(line, `\|`) {
		line = strings.TrimSuffix(line, "|")
	}
	var out []string
	var cell strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			cell.WriteByte('|')
			i++
		case line[i] == '|':
			out = append(out, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(line[i])
		}
	}
	return append(out, strings.TrimSpace(cell.String()))
}

// aligned reads the line below a table's head: a class for each column, or
// nothing where the line is no such line.
func aligned(line string) []string {
	if !strings.Contains(line, "-") || strings.Trim(line, " |:-") != "" {
		return nil
	}
	var out []string
	for _, cell := range cells(line) {
		dashes := strings.Trim(cell, ":")
		if dashes == "" || strings.Trim(dashes, "-") != "" {
			return nil
		}
		class := ""
		switch left, right := strings.HasPrefix(cell, ":"), strings.HasSuffix(cell, ":"); {
		case left && right:
			class = "centre"
		case right:
			class = "right"
		}
		out = append(out, class)
	}
	return out
}
