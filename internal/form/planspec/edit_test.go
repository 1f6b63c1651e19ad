package planspec

import "testing"

func TestFind(t *testing.T) {
	p := parse(t, "1. a\n1.2. b\n1.2.10. c\n10. d")
	for id, want := range map[string]string{"1": "a", "1.2": "b", "1.2.10": "c", "10": "d", "": "", "2": "", "1.1": "", "1.2.1": "", "1.": "", ".1": "", "1.2.10.1": ""} {
		got := ""
		if s := p.Find(id); s != nil {
			got = s.Description
		}
		equal(t, id, got, want)
	}
}

func TestReplaceChildren(t *testing.T) {
	p := parse(t, "1. [act] a\n2. foo [subtask] b\n2.1. [act] old\n3. [decide] c\n3.1. [act] old")
	with := parse(t, "4. [subtask] new\n4.7. [act] deep\n9. [act] last\n")
	p.Find("2").ReplaceChildren(with.Steps)
	p.Find("3").ReplaceChildren(nil)
	want := `## Steps
1. [act] a
2. [>] foo [subtask] b
  2.1. [subtask] new
    2.1.7. [act] deep
  2.2. [act] last
3. [>] [decide] c
`
	equal(t, "plan", written(t, p), want)
	with.Steps[0].Description, with.Steps[0].Children[0].ID = "changed", "x"
	equal(t, "plan, after what it got was changed", written(t, p), want)
}
