package loop

import (
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/plan/diag"
)

// taskRoom is how long, in bytes, the task that an answer is about may be: what
// is left of the budget for the words around it and for the names of others.
const taskRoom = 3800

// bounds say how much of a task is shown where it is too long: of each text, of
// each list, and of each of its items.
type bounds struct{ text, items, item int }

// narrowing are the bounds that are tried, the first that is enough.
func narrowing() []bounds {
	return []bounds{{2000, 20, 300}, {1200, 10, 200}, {600, 6, 120}, {300, 3, 80}, {100, 1, 40}}
}

// shortened is the task as far as an answer has room for it, in bytes; Cut says
// then where all of it is.
func (t Task) shortened(planID string, room int) Task {
	if size(t) <= room {
		return t
	}
	for _, b := range narrowing() {
		short := b.shorten(t)
		short.Cut = fmt.Sprintf("This task is too long for here. `git plan show %s/%s` shows all of it: read that first.", planID, t.Ref)
		if size(short) <= room || b.items == 1 {
			return short
		}
	}
	return t
}

func (b bounds) shorten(t Task) Task {
	t.Title = diag.OneLine(t.Title, b.text)
	for _, text := range []*string{&t.Description, &t.Result, &t.Error} {
		*text = diag.Head(*text, b.text)
	}
	for _, list := range []*[]string{&t.Hints, &t.Paths, &t.Creates, &t.Criteria, &t.Inputs, &t.Outputs, &t.Affected} {
		*list = b.list(*list)
	}
	if n := len(t.Notes) - b.items; n > 0 {
		t.Notes = t.Notes[n:] // the last are the newest
	}
	t.Notes = b.list(t.Notes)
	t.Dependencies = t.Dependencies[:min(len(t.Dependencies), 2*b.items)]
	t.Results = t.Results[:min(len(t.Results), b.items)]
	return t
}

func (b bounds) list(items []string) []string {
	if items == nil {
		return nil
	}
	out := make([]string, 0, min(len(items), b.items))
	for _, it := range items[:min(len(items), b.items)] {
		out = append(out, diag.Head(it, b.item))
	}
	return out
}

// signalRoom bounds, in characters, what is shown of a signal's message: its
// end, where a failed check says what failed, and its first line.
const signalRoom = 3000

// shortMessage is a signal's message as far as an answer has room for it.
func shortMessage(s, planID string) string {
	runes := []rune(s)
	if len(runes) <= signalRoom {
		return s
	}
	first, _, _ := strings.Cut(s, "\n")
	return diag.Head(first, 300) + "\n\n… (`git plan alert list " + planID + " --json` shows all of it)\n\n" + string(runes[len(runes)-signalRoom+400:])
}
