package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// waits writes the edges of a plan as "from>to" with d for depends_on, f for
// data flow, o for file order, and the index of the entry.
func waits(p *Plan) string {
	var out []string
	for e := range p.Graph().Edges() {
		out = append(out, fmt.Sprintf("%s>%s %c%d", e.From.ID, e.To.ID, "dfo"[e.Kind], e.Item))
	}
	return strings.Join(out, ", ")
}

func TestGraphEdges(t *testing.T) {
	cases := []struct {
		name  string
		pairs []string
		want  string
	}{
		{"depends_on", []string{"01-a", "id: a", "02-b", "id: b\ndepends_on: [none, a, c]", "03-c", "id: c"}, "b>a d1, b>c d2"},
		{"data flow, earlier only", []string{"01-a", "id: a\noutputs: [x]", "02-b", "id: b\ninputs: [y, x]\noutputs: [x]", "03-c", "id: c\noutputs: [y]"}, "b>a f1"},
		{"data flow, not from itself", []string{"01-a", "id: a\ninputs: [x]\noutputs: [x]"}, ""},
		{"data flow, not from ancestors", []string{"01-a", "id: a\noutputs: [x]", "01-a/01-b", "id: b\noutputs: [x]", "01-a/02-c", "id: c\ninputs: [x]"}, "c>b f0"},
		{"data flow, from every producer", []string{"01-a", "id: a\noutputs: [x]", "02-b", "id: b\noutputs: [x]", "03-c", "id: c\ninputs: [x]"}, "c>a f0, c>b f0"},
		{"subtask order", []string{"01-a", "id: a\nkind: subtask", "01-a/01-b", "id: b", "01-a/02-c", "id: c", "01-a/03-d", "id: d"}, "c>b o0, d>c o0"},
		{"no order without it", []string{"01-a", "id: a\nkind: decide", "01-a/01-b", "id: b", "01-a/02-c", "id: c"}, ""},
		{"the first of two with one id", []string{"01-a", "id: a", "02-b", "id: a", "03-c", "id: c\ndepends_on: [a]"}, "c>a d0"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { equal(t, "edges", waits(build(t, c.pairs...)), c.want) })
	}
}

func TestGraphDownstream(t *testing.T) {
	p := build(t,
		"01-a", "id: a", "02-b", "id: b\ndepends_on: [a]", "03-box", "id: box\ndepends_on: [b]", "03-box/01-c", "id: c", "03-box/02-d", "id: d",
		"04-e", "id: e\ndepends_on: [box]", "05-f", "id: f")
	for id, want := range map[string]string{"a": "b box c d e", "b": "box c d e", "c": "e", "d": "e", "box": "e", "e": "", "f": ""} {
		equal(t, id, ids(p.Graph().Downstream(p.Task(id))), want)
	}
	equal(t, "cascade of b", ids(p.Cascade(p.Task("b"))), "box c d e")
	equal(t, "cascade of c", ids(p.Cascade(p.Task("c"))), "e")
	if first := p.Graph(); first != p.Graph() {
		t.Error("the graph is made twice")
	}
}

func TestCycles(t *testing.T) {
	cases := []struct {
		name  string
		pairs []string
		want  []string // the cycle and its place, "task[item]"
	}{
		{"none", []string{"01-a", "id: a", "02-b", "id: b\ndepends_on: [a]"}, nil},
		{"self", []string{"01-a", "id: a\ndepends_on: [a]"}, []string{"a -> a at a[0]"}},
		{"two", []string{"01-a", "id: a\ndepends_on: [b]", "02-b", "id: b\ndepends_on: [c, a]", "03-c", "id: c"}, []string{"a -> b -> a at b[1]"}},
		{"three", []string{"01-a", "id: a\ndepends_on: [c]", "02-b", "id: b\ndepends_on: [a]", "03-c", "id: c\ndepends_on: [b]"}, []string{"a -> c -> b -> a at c[0]"}},
		{"child waits for what its container waits for", []string{"01-a", "id: a\ndepends_on: [c]", "02-box", "id: box\ndepends_on: [a]", "02-box/01-c", "id: c"}, []string{"a -> c -> box -> a at box[0]"}},
		{"container and a task after it", []string{"01-a", "id: a\ndepends_on: [box]", "02-box", "id: box", "02-box/01-c", "id: c\ndepends_on: [a]"}, []string{"a -> box -> c -> a at c[0]"}},
		{"container waits for its child", []string{"01-box", "id: box\ndepends_on: [c]", "01-box/01-c", "id: c"}, []string{"box -> c -> box at box[0]"}},
		{"child names its ancestor", []string{"01-box", "id: box", "01-box/01-c", "id: c\ndepends_on: [box]"}, nil},
		{"through data flow", []string{"01-a", "id: a\noutputs: [x]\ndepends_on: [b]", "02-b", "id: b\ninputs: [x]"}, []string{"a -> b -> a at a[0]"}},
		{"through file order", []string{"01-s", "id: s\nkind: subtask", "01-s/01-a", "id: a\ndepends_on: [b]", "01-s/02-b", "id: b"}, []string{"a -> b -> a at a[0]"}},
		{"two apart", []string{"01-a", "id: a\ndepends_on: [b]", "02-b", "id: b\ndepends_on: [a]", "03-c", "id: c\ndepends_on: [d]", "04-d", "id: d\ndepends_on: [c]"},
			[]string{"c -> d -> c at d[0]", "a -> b -> a at b[0]"}},
		{"two that share a task", []string{"01-a", "id: a\ndepends_on: [b, c]", "02-b", "id: b\ndepends_on: [a]", "03-c", "id: c\ndepends_on: [a]"},
			[]string{"a -> c -> a at c[0]", "a -> b -> a at b[0]"}},
		{"an edge that only hangs on one", []string{"01-y", "id: y\ndepends_on: [c]", "02-c", "id: c\ndepends_on: [y]", "02-c/01-k", "id: k", "02-c/02-z", "id: z\ndepends_on: [k]"},
			[]string{"y -> c -> y at c[0]"}},
		{"between children of containers", []string{"01-x", "id: x", "01-x/01-a", "id: a\ndepends_on: [y]", "02-y", "id: y", "02-y/01-b", "id: b\ndepends_on: [x]"},
			[]string{"x -> a -> y -> b -> x at b[0]"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, x := range build(t, c.pairs...).Graph().Cycles() {
				got = append(got, fmt.Sprintf("%s at %s[%d]", x, x.At.From.ID, x.At.Item))
				if x.At.Kind != DependsOn {
					t.Errorf("at an edge of kind %d", x.At.Kind)
				}
			}
			equal(t, "cycles", strings.Join(got, ", "), strings.Join(c.want, ", "))
		})
	}
}

// chain gives the files of n tasks, each waiting for the one before, three
// levels deep so that no level has more than 99; the first waits for first.
func chain(n int, first string) []string {
	var pairs []string
	last := first
	add := func(name, id string) {
		front := "id: " + id
		if last != "" {
			front += "\ndepends_on: [" + last + "]"
		}
		pairs = append(pairs, name, front)
		last = id
	}
	for i := range n {
		dir := fmt.Sprintf("%02d-d", i/90)
		if i%90 == 0 {
			pairs = append(pairs, dir, fmt.Sprintf("id: box-%d", i/90))
		}
		add(fmt.Sprintf("%s/%02d-t", dir, i%90), fmt.Sprintf("t-%d", i))
	}
	return pairs
}

func TestCyclesOfLongChains(t *testing.T) {
	const n = 3000
	gittest.Linear(t, "a chain", n, func(n int) func() {
		p := build(t, chain(n, "")...)
		return func() {
			if found := p.Graph().Cycles(); len(found) > 0 {
				t.Errorf("a chain: %d cycles", len(found))
			}
		}
	})
	p := build(t, chain(n, fmt.Sprintf("t-%d", n-1))...)
	found := p.Graph().Cycles()
	if len(found) != 1 || len(found[0].Tasks) != n+1 {
		t.Fatalf("a ring: %d cycles", len(found))
	}
	equal(t, "ring at", found[0].At.From.ID, fmt.Sprintf("t-%d", n-1))
}

func TestCyclesAreBounded(t *testing.T) {
	var pairs []string
	for i := range 40 {
		pairs = append(pairs, fmt.Sprintf("%02d-t", i), fmt.Sprintf("id: t-%d\ndepends_on: [t-%d]", i, i))
	}
	if n := len(build(t, pairs...).Graph().Cycles()); n != maxCycles {
		t.Errorf("%d cycles", n)
	}
}
