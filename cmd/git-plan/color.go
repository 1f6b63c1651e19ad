package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/term"
)

// colorWhen is the value of --color: when output is in colours.
type colorWhen string

func (c *colorWhen) String() string { return string(*c) }

// Type is no word for the help, which would put it where no value is taken: it
// has to follow a `=`.
func (c *colorWhen) Type() string { return "" }

func (c *colorWhen) Set(s string) error {
	if !slices.Contains([]string{"always", "never", "auto"}, s) {
		return fmt.Errorf("it is always, never or auto")
	}
	*c = colorWhen(s)
	return nil
}

// palette gives the colours of standard output, none where it is not in colours.
func (a *app) palette() term.Palette { return a.paletteFor(a.terminalOut()) }

// newPage begins a page of standard output.
func (a *app) newPage() *term.Page {
	return &term.Page{Columns: a.columns(), Palette: a.palette()}
}

// errorPalette gives the colours of standard error.
func (a *app) errorPalette() term.Palette {
	if a.errorColors == nil {
		colors := term.Palette{}
		a.errorColors = &colors // what is wrong with a colour is told without any
		colors = a.paletteFor(isTerminal(a.Stderr))
	}
	return *a.errorColors
}

// paletteFor decides on colours for a stream: --color, else NO_COLOR, else
// color.plan and color.ui as git reads them. Git is asked after an interruption
// too: there is still an error to be shown.
func (a *app) paletteFor(terminal bool) term.Palette {
	if a.json || !a.colored(terminal) {
		return term.Palette{}
	}
	return term.NewPalette(a.ownColors())
}

func (a *app) colored(terminal bool) bool {
	switch a.color {
	case "always":
		return true
	case "never":
		return false
	case "auto":
		return terminal && a.Getenv("TERM") != "dumb"
	}
	if a.Getenv("NO_COLOR") != "" || !terminal && !a.alwaysColored() {
		return false
	}
	answer, err := a.git().ReadLine(context.Background(), "config", "--get-colorbool", "color.plan", fmt.Sprint(terminal))
	return err == nil && answer == "true"
}

// alwaysColored reports whether the configuration asks for colours where nobody
// may be looking. It is not worth a child of git: who asks for that is rare, and
// programs read our output all the time.
func (a *app) alwaysColored() bool {
	if a.repo == nil {
		return false
	}
	for _, key := range []string{"color.plan", "color.ui"} {
		if when, ok := a.repo.Config.Get(key); ok {
			return strings.EqualFold(when, "always")
		}
	}
	return false
}

// terminalOut reports whether a person reads standard output at a terminal,
// through git's pager perhaps.
func (a *app) terminalOut() bool {
	paging := a.pagerInUse()
	if out, ok := a.Stdout.(*checkedWriter); ok && out.pager != nil {
		paging = true
	}
	if paging && a.repo != nil {
		if colors, err := a.repo.Config.Bool("color.pager", true); err == nil && !colors {
			return false
		}
	}
	return paging || a.atTerminal()
}

// ownColors gives the sequences of the slots that the user chose a colour for,
// as git reads it.
func (a *app) ownColors() map[term.Slot]string {
	if a.repo == nil {
		return nil
	}
	own := map[term.Slot]string{}
	for _, slot := range term.Slots() {
		key := "color.plan." + string(slot)
		if _, ok := a.repo.Config.Get(key); !ok {
			continue
		}
		sequence, err := a.git().Read(context.Background(), "config", "--get-color", key)
		if err != nil {
			a.warn("%s is no colour: see color.<slot> in `git help config`", key)
			continue
		}
		own[slot] = string(sequence)
	}
	return own
}

// isTerminal reports whether what is written to w is read at a terminal.
func isTerminal(w io.Writer) bool {
	if e, ok := w.(*pagedErrors); ok {
		w = e.pager.errors
	}
	return terminalFile(w) != nil
}
