package hooks

import (
	"strings"
	"testing"
)

// FuzzLines reads anything as what git tells a hook: every line has all of its
// fields, or the hook refuses.
func FuzzLines(f *testing.F) {
	zero := strings.Repeat("0", 40)
	f.Add(zero+" "+strings.Repeat("1", 40)+" refs/heads/plans\n", 3)
	f.Add("a b refs/heads/x y\n\n", 4)
	f.Add("\x00 \xff \x1b[31m\n", 3)
	f.Fuzz(func(t *testing.T, text string, fields int) {
		if fields < 1 || fields > 9 {
			return
		}
		r := Run{Event: PreReceive, Stdin: strings.NewReader(text)}
		all, err := r.lines(fields)
		if err != nil {
			return
		}
		for _, line := range all {
			if len(line) != fields {
				t.Fatalf("%q of %q", line, text)
			}
			_ = named(line[0])
		}
	})
}
