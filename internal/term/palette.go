// Package term is how texts for a terminal are put together: pieces that each
// say what they are, broken and cut by columns, and painted last.
//
// Begin with [Say] for a piece and [Palette.Write] for a line of them. What a
// piece says is made harmless when it is made, and only a palette adds
// sequences that a terminal obeys; so no text of a plan can. The zero palette
// paints nothing.
package term

import "slices"

// Slot is what a piece of text is, which decides its colour.
type Slot string

// The slots. What happens to a task has the same colour wherever it is told, and
// always stands beside a sign or word that says the same.
const (
	Plain Slot = ""
	// Title is a heading.
	Title Slot = "title"
	// Dim is what helps to find one's way and is seldom read: ids, numbers,
	// lines of a tree.
	Dim Slot = "dim"
	// Ready can be worked on now.
	Ready Slot = "ready"
	// Active is in progress.
	Active Slot = "active"
	// Blocked waits for somebody.
	Blocked Slot = "blocked"
	// Failed did not work out.
	Failed Slot = "failed"
	// Done is done.
	Done Slot = "done"
	// Skipped was left out.
	Skipped Slot = "skipped"
	// Added, Removed, Changed and Moved are what a comparison tells.
	Added   Slot = "added"
	Removed Slot = "removed"
	Changed Slot = "changed"
	Moved   Slot = "moved"
	// Error, Warning and Hint are parts of findings.
	Error   Slot = "error"
	Warning Slot = "warning"
	Hint    Slot = "hint"
	// Match is what was searched for.
	Match Slot = "match"
	// Commit is the name of a revision, Version that of a version.
	Commit  Slot = "commit"
	Version Slot = "version"
)

// colors are the sequences that begin each slot, those of the sixteen colours
// that every terminal and every theme of it, dark or light, gives a meaning.
func colors() map[Slot]string {
	const red, green, yellow, blue, magenta, cyan = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[34m", "\x1b[35m", "\x1b[36m"
	return map[Slot]string{
		Title: "\x1b[1m", Dim: "\x1b[2m",
		Ready: cyan, Active: yellow, Blocked: magenta, Failed: "\x1b[1;31m", Done: green, Skipped: "\x1b[2m",
		Added: green, Removed: red, Changed: yellow, Moved: cyan,
		Error: "\x1b[1;31m", Warning: "\x1b[1;35m", Hint: blue,
		Match: "\x1b[1;31m", Commit: yellow, Version: "\x1b[1;36m",
	}
}

// Slots gives the names that the configuration of git may set colours for.
func Slots() []Slot {
	var out []Slot
	for s := range colors() {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

// Palette has the colours of a terminal.
type Palette struct{ sequences map[Slot]string }

// NewPalette gives the usual colours, but for the slots that a user chose a
// sequence for.
func NewPalette(own map[Slot]string) Palette {
	p := Palette{colors()}
	for slot, sequence := range own {
		p.sequences[slot] = sequence
	}
	return p
}

// On reports whether the palette paints at all.
func (p Palette) On() bool { return p.sequences != nil }

// Paint gives a text in the colour of a slot. The text is taken as it is.
func (p Palette) Paint(slot Slot, text string) string {
	if sequence := p.sequences[slot]; sequence != "" && text != "" {
		return sequence + text + "\x1b[m"
	}
	return text
}
