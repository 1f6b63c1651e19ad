package main

import "testing"

// A command line gets the command that it begins with and no other, and the
// whole tree where it begins with none.
func TestRootFor(t *testing.T) {
	all := catalogue()
	for i, c := range commands(&app{}) {
		if c.Name() != all[i].name {
			t.Errorf("the command %s stands in the catalogue as %s", c.Name(), all[i].name)
		}
		root := rootFor(&app{}, []string{c.Name(), "-h"})
		if made := root.Commands(); len(made) != 1 || made[0].Name() != c.Name() || len(c.Aliases) > 0 {
			t.Errorf("%s: %d commands were made", c.Name(), len(made))
		}
	}
	for _, args := range [][]string{nil, {"-h"}, {"--json", "status"}, {"help", "status"}, {"__complete", "sta"}, {"stauts"}} {
		if made := rootFor(&app{}, args).Commands(); len(made) != len(all) {
			t.Errorf("%q: %d of %d commands were made", args, len(made), len(all))
		}
	}
}
