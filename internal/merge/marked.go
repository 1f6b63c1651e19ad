package merge

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// Labels say whose the two texts of a conflict are, as in git's markers.
type Labels struct {
	Ours string
	// Theirs names who changed a file of the plan there.
	Theirs func(file string) string
	// Gone says what the other side did where it has no text, such as "removed";
	// empty stands for "removed".
	Gone string
}

// Marked merges a plan as [Plans] does and gives its files with git's conflict
// markers around what the sides made differently, and only there. A file that only
// one side has is marked as a whole.
func Marked(base, ours, theirs *plan.Plan, opts Options, labels Labels) map[string][]byte {
	opts.Prefer = Ours
	a := filesOf(Plans(base, ours, theirs, opts).Plan)
	opts.Prefer = Theirs
	b := filesOf(Plans(base, ours, theirs, opts).Plan)
	moved := movedFiles(a, b)
	out := map[string][]byte{}
	for name := range maps.Keys(a) {
		if other, both := b[name]; both {
			out[name] = []byte(markDifferences(string(a[name]), string(other), labels.of(name)))
		} else {
			out[name] = []byte(labels.of(name).around(string(a[name]), moved[name], Theirs))
		}
	}
	for name := range maps.Keys(b) {
		if _, both := a[name]; !both {
			out[name] = []byte(labels.of(name).around(string(b[name]), moved[name], Ours))
		}
	}
	return out
}

// label are the labels of one file.
type label struct{ ours, theirs, gone string }

func (l Labels) of(file string) label {
	return label{l.Ours, l.Theirs(file), cmp.Or(l.Gone, "removed")}
}

// around marks a file that one side does not have, or has elsewhere.
func (l label) around(text, moved string, missing Side) string {
	what := l.gone
	if moved != "" {
		what = "moved to " + moved
	}
	if missing == Ours {
		return markedText("("+what+" here)", text, l)
	}
	return markedText(text, fmt.Sprintf("(%s by %s)", what, l.theirs), l)
}

func filesOf(p *plan.Plan) map[string][]byte {
	if p == nil {
		return nil
	}
	return p.Files()
}

// movedFiles gives, for a task's file that only one of two sets has, where the other
// set has that task.
func movedFiles(a, b map[string][]byte) map[string]string {
	ids := func(files map[string][]byte) map[string]string {
		byID := map[string]string{}
		for name, data := range files {
			if doc := parse(name, string(data)); doc != nil && doc.Text("id") != "" {
				byID[doc.Text("id")] = name
			}
		}
		return byID
	}
	inA, inB, moved := ids(a), ids(b), map[string]string{}
	for id, name := range inA {
		if other := inB[id]; other != "" && other != name {
			moved[name], moved[other] = other, name
		}
	}
	return moved
}

// markDifferences puts markers around the lines that differ. A fenced block of code
// is never cut: markers in it would be an example to its readers.
func markDifferences(ours, theirs string, l label) string {
	var b strings.Builder
	same := matches(units(ours), units(theirs))
	o, t := units(ours), units(theirs)
	x, y := 0, 0
	for x < len(o) || y < len(t) {
		if x < len(o) && same[x] == y {
			b.WriteString(o[x])
			x, y = x+1, y+1
			continue
		}
		endX := x
		for endX < len(o) && same[endX] < 0 {
			endX++
		}
		endY := len(t)
		if endX < len(o) {
			endY = same[endX]
		}
		b.WriteString(markedText(strings.Join(o[x:endX], ""), strings.Join(t[y:endY], ""), l))
		x, y = endX, endY
	}
	return b.String()
}

// units splits a text into lines, of which a fenced block of code is one.
func units(text string) []string {
	var out []string
	fence := ""
	for line := range strings.Lines(text) {
		inside := fence != ""
		fence = plan.FenceAfter(fence, line)
		if inside {
			out[len(out)-1] += line
		} else {
			out = append(out, line)
		}
	}
	return slices.Clip(out)
}

// markedText puts two texts between git's conflict markers.
func markedText(ours, theirs string, l label) string {
	return "<<<<<<< " + l.ours + "\n" + ended(ours) + "=======\n" + ended(theirs) + ">>>>>>> " + l.theirs + "\n"
}

// MarkedFile marks a file that one side does not have.
func MarkedFile(name, text string, missing Side, labels Labels) []byte {
	return []byte(labels.of(name).around(text, "", missing))
}
