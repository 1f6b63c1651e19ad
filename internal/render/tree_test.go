package render

import (
	"os"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/internal/term"
)

// spec gives the sheet of a PlanSpec.
func spec(t *testing.T, text string) *Sheet {
	t.Helper()
	o, found := planspec.Parse(text)
	if len(found) > 0 {
		t.Fatal(found)
	}
	return NewSpecSheet(o)
}

// drawn gives the steps as a person sees them.
func drawn(s *Sheet) string {
	var page term.Page
	s.tree(&page)
	return page.String()
}

func TestFoldExample(t *testing.T) {
	var want []byte
	text, err := os.ReadFile("../form/planspec/testdata/fold.md")
	if err == nil {
		want, err = os.ReadFile("../form/planspec/testdata/fold.out")
	}
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "tree", drawn(spec(t, string(text))), string(want))
}

func TestCompleteExample(t *testing.T) {
	text, err := os.ReadFile("../form/planspec/testdata/complete.md")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "counts", strings.Join(spec(t, string(text)).counts(), "\n"), "Steps: 17 | reason: 4 | act: 9 | decide: 1 | subtask: 3\nProgress: 3/17 (17%)")
}

func TestTree(t *testing.T) {
	s := spec(t, `## Steps
1. [subtask] a → x | Progress: 1/2
  1.1. [>] [decide] b
    > ← i, j
    >   d
    1.1.1. [act] yes
      > hidden
  1.2. [!] c | no disk
    > d
10. [LLM] | done
`)
	equal(t, "tree", drawn(s), `1   [ ]  [SUBTASK]  a → x | Progress: 1/2
├─ 1.1  [>]  [DECIDE]   b
│                       > ← i, j
│                       >   d
│  └─ 1.1.1  [ ]  [ACT]      yes
└─ 1.2  [!]             c | no disk
                        > d
10  [ ]  [LLM]      | done
`)
	s.Fold("1", planspec.Collapsed)
	equal(t, "collapsed", drawn(s), "1   [ ]  [SUBTASK]  a → x | Progress: 1/2\n10  [ ]  [LLM]      | done\n")
	none := &Sheet{}
	equal(t, "nothing", drawn(none)+strings.Join(none.counts(), "\n"), "Steps: 0 | reason: 0 | act: 0 | decide: 0 | subtask: 0\nProgress: 0/0 (0%)")
}

func TestTreeIsWrapped(t *testing.T) {
	s := spec(t, `## Steps
1. [>] name_1 [] one two three four five six → x
  > 計画計画計画計画計画計画 x
2. name_2 [subtask] Twenty-nine letters and more
`)
	page := term.Page{Columns: 46}
	s.tree(&page)
	equal(t, "wrapped", page.String(),
		`1  [>]             one two three four five six
                   → x  (name_1)
                   > 計画計画計画計画計画計画
                   > x
2  [ ]  [SUBTASK]  Twenty-nine letters and
                   more  (name_2)
`)
	s.Steps[1].Say("kind", "")
	equal(t, "without types", drawn(s), "1  [>]  one two three four five six → x  (name_1)\n        > 計画計画計画計画計画計画 x\n2  [ ]  Twenty-nine letters and more  (name_2)\n")
	equal(t, "counts without types", strings.Join(s.counts(), "\n"), "Steps: 2\nProgress: 0/2 (0%)")
	s.Steps[1].Say("title", "a\x1b[31mred\u202e")
	if got := drawn(s); !strings.Contains(got, `a\x1b[31mred\u202e`) {
		t.Errorf("not fit for a terminal: %q", got)
	}
}

func TestShare(t *testing.T) { equal(t, "share", share(1, 5), "1/5 (20%)") }

func equal(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}
