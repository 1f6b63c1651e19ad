package plan

import "testing"

func TestLongest(t *testing.T) {
	unfinished := func(t *Task) int64 {
		if t.Status.Settled() || len(t.Children) > 0 {
			return 0
		}
		return 1
	}
	byEstimate := func(t *Task) int64 {
		d, err := ParseDuration(t.Doc.Text("estimate"))
		if err != nil {
			return 0
		}
		return d.Milliseconds()
	}
	cases := []struct {
		name   string
		weight func(*Task) int64
		want   string
		pairs  []string
	}{
		{"nothing", unfinished, "", nil},
		{"a chain beside a task", unfinished, "a c", []string{"01-a", "id: a", "02-b", "id: b", "03-c", "id: c\ndepends_on: [a]"}},
		{"the first of equals", unfinished, "a c", []string{"01-a", "id: a", "02-b", "id: b", "03-c", "id: c\ndepends_on: [a, b]"}},
		{"settled ones are passed", unfinished, "a c", []string{"01-a", "id: a", "02-b", "id: b\nstatus: done\ndepends_on: [a]", "03-c", "id: c\ndepends_on: [b]"}},
		{"through a container", unfinished, "a c d e", []string{"01-a", "id: a", "02-b", "id: b\ndepends_on: [a]", "02-b/01-c", "id: c", "02-b/02-d", "id: d\ndepends_on: [c]", "03-e", "id: e\ndepends_on: [b]"}},
		{"by data flow and file order", unfinished, "a c d", []string{"01-a", "id: a\noutputs: [x]", "02-b", "id: b\nkind: subtask\ninputs: [x]", "02-b/01-c", "id: c", "02-b/02-d", "id: d"}},
		{"by weight", byEstimate, "b", []string{"01-a", "id: a\nestimate: 1h", "02-b", "id: b\nestimate: 2d", "03-c", "id: c\nestimate: 1h\ndepends_on: [a]"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { equal(t, "chain", ids(build(t, c.pairs...).Graph().Longest(c.weight)), c.want) })
	}
}

// A cycle, which an invalid plan may have, neither hangs nor is a chain.
func TestLongestInCycle(t *testing.T) {
	p := build(t, "01-a", "id: a\ndepends_on: [b]", "02-b", "id: b\ndepends_on: [a]", "03-c", "id: c\ndepends_on: [b]")
	equal(t, "chain", ids(p.Graph().Longest(func(*Task) int64 { return 1 })), "b c")
}
