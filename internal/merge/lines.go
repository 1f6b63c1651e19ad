package merge

import (
	"slices"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// hunk is a stretch of a three-way comparison: lines that hold, or lines that
// the sides made differently.
type hunk struct {
	lines        []string // that hold; nil where the sides disagree
	ours, theirs []string
	conflict     bool
}

// lines splits text into lines with their ends.
func lines(text string) []string { return slices.Collect(strings.Lines(text)) }

// threeWay compares two texts with what both began from, as `git merge-file`
// does: what one side changed holds, what both changed alike holds once, and
// the rest is a conflict, cut down to the lines that differ.
func threeWay(base, ours, theirs []string) []hunk {
	a, b := matches(base, ours), matches(base, theirs)
	var out []hunk
	i, x, y := 0, 0, 0
	for i < len(base) || x < len(ours) || y < len(theirs) {
		if i < len(base) && a[i] == x && b[i] == y {
			out = append(out, hunk{lines: base[i : i+1]})
			i, x, y = i+1, x+1, y+1
			continue
		}
		// The next line of the base that both sides kept ends the difference.
		j := i
		for j < len(base) && (a[j] < 0 || b[j] < 0) {
			j++
		}
		endX, endY := len(ours), len(theirs)
		if j < len(base) {
			endX, endY = a[j], b[j]
		}
		out = append(out, weave(base[i:j], ours[x:endX], theirs[y:endY])...)
		i, x, y = j, endX, endY
	}
	return out
}

// weave settles one difference.
func weave(base, ours, theirs []string) []hunk {
	switch {
	case slices.Equal(ours, theirs), slices.Equal(base, theirs):
		return []hunk{{lines: ours}}
	case slices.Equal(base, ours):
		return []hunk{{lines: theirs}}
	}
	n := commonPrefix(ours, theirs)
	head := hunk{lines: ours[:n]}
	ours, theirs = ours[n:], theirs[n:]
	k := commonSuffix(ours, theirs)
	tail := hunk{lines: ours[len(ours)-k:]}
	return []hunk{head, {ours: ours[:len(ours)-k], theirs: theirs[:len(theirs)-k], conflict: true}, tail}
}

func commonPrefix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// matches gives for each line of a the index of the line of b that it is, or
// -1: a longest common subsequence, unless the texts are very different.
func matches(a, b []string) []int {
	out := make([]int, len(a))
	for i := range out {
		out[i] = -1
	}
	n := commonPrefix(a, b)
	k := commonSuffix(a[n:], b[n:])
	for i := range n {
		out[i] = i
	}
	for i := range k {
		out[len(a)-1-i] = len(b) - 1 - i
	}
	if len(a)+len(b) > maxLines+2*(n+k) {
		return out
	}
	for _, p := range Common(a[n:len(a)-k], b[n:len(b)-k]) {
		out[n+p[0]] = n + p[1]
	}
	return out
}

// maxLines bounds the work of a comparison: of longer texts that differ, only the
// beginnings and ends are compared.
const maxLines = 10_000

// Common gives the pairs of equal elements that stay in a shortest edit from a to b.
// There are at most 50,000 different ones: no more are told from each other.
func Common(a, b []string) [][2]int {
	codes := map[string]rune{} // each different text is lent a character
	encode := func(list []string) []rune {
		var out []rune
		for _, t := range list {
			if _, ok := codes[t]; !ok {
				codes[t] = rune(len(codes) + 1)
			}
			out = append(out, codes[t])
		}
		return out
	}
	library := diffmatchpatch.New()
	library.DiffTimeout = 0 // the same texts give the same answer, however busy the machine is
	var out [][2]int
	x, y := 0, 0
	for _, d := range library.DiffMainRunes(encode(a), encode(b), false) {
		for range d.Text {
			if d.Type == diffmatchpatch.DiffEqual {
				out = append(out, [2]int{x, y})
			}
			if d.Type != diffmatchpatch.DiffInsert {
				x++
			}
			if d.Type != diffmatchpatch.DiffDelete {
				y++
			}
		}
	}
	return out
}

// mergedText is a text merged by line.
type mergedText struct {
	// text holds the chosen side's lines, or both between markers, where the
	// sides disagree.
	text string
	// ours and theirs are the lines that disagree.
	ours, theirs string
	clean        bool
}

// mergeText merges by line. Where the sides disagree choose says whose lines
// are kept; Neither keeps both, between git's markers.
func mergeText(base, ours, theirs string, choose Side) mergedText {
	out := mergedText{clean: true}
	var b strings.Builder
	for _, h := range threeWay(lines(base), lines(ours), lines(theirs)) {
		if !h.conflict {
			b.WriteString(strings.Join(h.lines, ""))
			continue
		}
		out.clean = false
		o, t := strings.Join(h.ours, ""), strings.Join(h.theirs, "")
		out.ours, out.theirs = out.ours+o, out.theirs+t
		switch choose {
		case Ours:
			b.WriteString(o)
		case Theirs:
			b.WriteString(t)
		default:
			b.WriteString(markedText(o, t, label{ours: "ours", theirs: "theirs"}))
		}
	}
	out.text = b.String()
	return out
}

func ended(text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}
