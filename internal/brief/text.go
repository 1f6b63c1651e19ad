package brief

import (
	"fmt"
	"strings"
)

// writer writes a brief.
type writer struct{ strings.Builder }

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(&w.Builder, format+"\n", args...)
}

// section begins a part with a heading.
func (w *writer) section(name string) { w.line("\n## %s\n", name) }

func (w *writer) field(name, text string) {
	if text = flat(text); text != "" {
		w.line("%s: %s", name, text)
	}
}

func (w *writer) text(s string) {
	if s = strings.TrimSpace(s); s != "" {
		w.line("%s", s)
	}
}

func (w *writer) list(name string, items []string) {
	if len(items) > 0 {
		w.line("\n%s:", name)
	}
	for _, it := range items {
		w.line("- %s", flat(it))
	}
}

// flat makes one line of a text.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }
