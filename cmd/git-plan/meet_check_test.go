package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// holds looks at what B has after a meeting that needed nobody.
func (e *encounter) holds(want outcome) {
	e.t.Helper()
	for _, n := range want.notes {
		if text := e.said + e.complain + e.b.Git("log", "-1", "--format=%B", "plans"); !strings.Contains(text, n) {
			e.t.Errorf("nothing says %q:\n%s", n, text)
		}
	}
	e.compare(e.files(e.b), e.apply(e.base, want.files))
	for _, tip := range []string{e.aTip, e.bTip} {
		e.b.Git("merge-base", "--is-ancestor", tip, "plans")
	}
}

// compare reports each file that is not as wanted.
func (e *encounter) compare(got, want map[string]string) {
	e.t.Helper()
	all := maps.Clone(got)
	maps.Copy(all, want)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text, there := got[name]
		wanted, ok := want[name]
		switch {
		case !there:
			e.t.Errorf("%s is lost", name)
		case !ok:
			e.t.Errorf("%s should not be there:\n%s", name, text)
		case text != wanted:
			e.t.Errorf("%s is\n%s\nnot\n%s", name, text, wanted)
		}
	}
}

// unmoved looks at a meeting that was refused: nothing has changed.
func (e *encounter) unmoved() {
	e.t.Helper()
	if tip := e.b.Git("rev-parse", "plans"); tip != e.bTip {
		e.t.Errorf("a refused merge moved the plans from %s to %s", e.bTip, tip)
	}
	if e.srv.Git("rev-parse", "plans") != e.aTip {
		e.t.Error("a refused merge moved the plans at the server")
	}
}

// meetAgain looks at what is there when each has met the server once more. What
// was left to decide stays with the published side.
func (e *encounter) meetAgain() {
	e.t.Helper()
	if e.srv.Git("rev-parse", "plans") != e.aTip || e.b.Git("rev-parse", "plans") == e.bTip && e.bTip == e.aTip {
		e.plan(e.b, "sync")
		e.plan(e.a, "sync")
		e.plan(e.b, "sync")
		for _, g := range []string{e.b.Git("rev-parse", "plans"), e.srv.Git("rev-parse", "plans")} {
			if a := e.a.Git("rev-parse", "plans"); g != a {
				e.t.Errorf("after they met again, A has %s and another %s", a, g)
			}
		}
	}
	e.plan(e.b, "check", "plans")
	for dir, g := range map[string]func(...string) string{"a": e.a.Git, "b": e.b.Git, "srv.git": e.srv.Git} {
		if out := g("fsck", "--strict", "--no-dangling"); out != "" {
			e.t.Errorf("%s: %s", dir, out)
		}
	}
	for _, tree := range []string{"a-tree", "b-tree"} {
		if _, err := os.Stat(filepath.Join(e.top, tree)); err != nil {
			continue
		}
		if out := e.a.At(filepath.Join(e.top, tree)).Git("status", "--porcelain"); out != "" {
			e.t.Errorf("%s is left behind:\n%s", tree, out)
		}
	}
}
