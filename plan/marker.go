package plan

import "strings"

// RuleConflictMarker is the id of the rule that refuses conflict markers.
const RuleConflictMarker = "conflict-marker"

// Marker is a conflict as git writes it: two texts between lines of `<<<<<<<`,
// `=======` and `>>>>>>>`, the first and last with a label.
type Marker struct {
	// Line is that of `<<<<<<<`, 1-based.
	Line int
	// Ours and Theirs are the labels.
	Ours, Theirs string
	// Text is all of it, markers included.
	Text string
}

// FenceAfter gives the fence of a block of code that is open after a line of
// markdown, "" for none; fence is the one that was open before it.
func FenceAfter(fence, line string) string {
	text := strings.TrimLeft(line, " ")
	if len(line)-len(text) > 3 {
		return fence
	}
	run := text[:len(text)-len(strings.TrimLeft(text, "`"))]
	if run == "" {
		run = text[:len(text)-len(strings.TrimLeft(text, "~"))]
	}
	rest := strings.TrimSpace(text[len(run):])
	switch {
	case len(run) < 3:
		return fence
	case fence == "" && (run[0] == '~' || !strings.Contains(rest, "`")):
		return run
	case fence != "" && run[0] == fence[0] && len(run) >= len(fence) && rest == "":
		return ""
	}
	return fence
}

// conflict is a marker by the lines it is made of.
type conflict struct {
	begin, base, middle, end int // of lines; base is middle where there is none
}

// findConflicts gives the conflicts among lines, those in fenced code left out.
func findConflicts(lines []string) []conflict {
	var out []conflict
	fence, more := "", true
	for i := 0; i < len(lines); i++ {
		if more && fence == "" && isMarker(lines[i], "<<<<<<< ") {
			var c conflict
			if c, more = conflictAt(lines, i); more { // else none ends further down
				out = append(out, c)
				i = c.end
				continue
			}
		}
		fence = FenceAfter(fence, lines[i])
	}
	return out
}

// conflictAt gives the conflict that begins at a line, if it ends anywhere.
func conflictAt(lines []string, i int) (c conflict, ok bool) {
	c = conflict{begin: i}
	for i++; i < len(lines); i++ {
		switch line := strings.TrimRight(lines[i], "\n"); {
		case isMarker(line, "||||||| ") && c.base == 0:
			c.base = i
		case line == "=======" && c.middle == 0:
			c.middle = i
			if c.base == 0 {
				c.base = i
			}
		case isMarker(line, ">>>>>>> ") && c.middle > 0:
			c.end = i
			return c, true
		}
	}
	return c, false
}

// isMarker reports whether a line is a marker with a label.
func isMarker(line, marker string) bool {
	label, ok := strings.CutPrefix(line, marker)
	return ok && strings.TrimSpace(label) != ""
}

// markersIn gives the conflict markers of a text, and the text as our side has it:
// of the same length and with each line where it was, all else blank.
func markersIn(text string) (markers []Marker, ours string) {
	if !strings.Contains(text, "<<<<<<< ") {
		return nil, text
	}
	lines := strings.SplitAfter(text, "\n")
	label := func(i int) string { return strings.TrimSpace(lines[i][len("<<<<<<< "):]) }
	blank := make([]string, len(lines))
	copy(blank, lines)
	for _, c := range findConflicts(lines) {
		markers = append(markers, Marker{
			Line: c.begin + 1, Ours: label(c.begin), Theirs: label(c.end), Text: strings.Join(lines[c.begin:c.end+1], ""),
		})
		from, to := c.begin+1, c.base
		if c.begin == 0 && (from == to || strings.TrimSpace(lines[from]) != "---") {
			from, to = c.middle+1, c.end // ours has no such file
		}
		for i := c.begin; i <= c.end; i++ {
			if i < from || i >= to {
				blank[i] = blankLine(lines[i])
			}
		}
	}
	if len(markers) == 0 {
		return nil, text
	}
	return markers, fenceFirst(blank)
}

func blankLine(line string) string {
	text := strings.TrimSuffix(line, "\n")
	return strings.Repeat(" ", len(text)) + line[len(text):]
}

// fenceFirst joins lines, with the opening fence of frontmatter before the blank
// lines that took the place of markers above it.
func fenceFirst(lines []string) string {
	i := 0
	for i < len(lines) && strings.TrimSpace(lines[i]) == "" {
		i++
	}
	if i > 0 && i < len(lines) && strings.TrimRight(lines[i], " \t\n") == "---" {
		above := strings.Join(lines[:i], "")
		return lines[i] + above + strings.Join(lines[i+1:], "")
	}
	return strings.Join(lines, "")
}
