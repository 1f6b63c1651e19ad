package main

import (
	"context"
	"fmt"
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

// palette gives the colours of standard output.
func (o *output) palette() term.Palette { return o.paletteFor(o.terminalOut()) }

// newPage begins a page of standard output.
func (o *output) newPage() *term.Page {
	return &term.Page{Columns: o.columns(), Palette: o.palette()}
}

// errorPalette gives the colours of standard error.
func (o *output) errorPalette() term.Palette {
	if o.errorColors == nil {
		colors := term.Palette{}
		o.errorColors = &colors // what is wrong with a colour is told without any
		colors = o.paletteFor(o.errTerminal != nil)
	}
	return *o.errorColors
}

// paletteFor decides on colours for a stream: --color, else NO_COLOR, else
// color.plan and color.ui as git reads them, also after an interruption.
func (o *output) paletteFor(terminal bool) term.Palette {
	if o.json || !o.colored(terminal) {
		return term.Palette{}
	}
	return term.NewPalette(o.ownColors())
}

func (o *output) colored(terminal bool) bool {
	switch o.color {
	case "always":
		return true
	case "never":
		return false
	case "auto":
		return terminal && o.Getenv("TERM") != "dumb"
	}
	if o.Getenv("NO_COLOR") != "" {
		return false
	}
	if !terminal { // a child of git for that would cost every program that reads us
		if o.config == nil {
			return false
		}
		when, ok := o.config.Get("color.plan")
		if !ok {
			when, _ = o.config.Get("color.ui")
		}
		if !strings.EqualFold(when, "always") {
			return false
		}
	}
	answer, err := o.git().ReadLine(context.Background(), "config", "--get-colorbool", "color.plan", fmt.Sprint(terminal))
	return err == nil && answer == "true"
}

// terminalOut reports whether a person reads standard output at a terminal,
// through git's pager perhaps.
func (o *output) terminalOut() bool {
	paging := o.pagerInUse()
	if out, ok := o.Stdout.(*checkedWriter); ok && out.pager != nil {
		paging = true
	}
	if paging && o.config != nil {
		if colors, err := o.config.Bool("color.pager", true); err == nil && !colors {
			return false
		}
	}
	return paging || o.atTerminal()
}

// ownColors gives the sequences of the slots that the user chose a colour for,
// as git reads it.
func (o *output) ownColors() map[term.Slot]string {
	if o.config == nil {
		return nil
	}
	own := map[term.Slot]string{}
	for _, slot := range term.Slots() {
		key := "color.plan." + string(slot)
		if _, ok := o.config.Get(key); !ok {
			continue
		}
		sequence, err := o.git().Read(context.Background(), "config", "--get-color", key)
		if err != nil {
			o.warn("%s is no colour: see color.<slot> in `git help config`", key)
			continue
		}
		own[slot] = string(sequence)
	}
	return own
}
