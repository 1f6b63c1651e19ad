package planspec

import (
	"strings"
	"testing"
)

// Whatever a plan says, its text says the same, in a form that does not
// change when it is written again.
func TestRoundTrip(t *testing.T) {
	g := newGenerator(1)
	for range 5_000 {
		p := g.plan()
		text := written(t, p)
		q, found := Parse(text)
		if len(found) > 0 || !Equal(p, q) {
			t.Fatalf("%s\nreads back with %v as\n%s", text, found, written(t, q))
		}
		equal(t, "again", written(t, q), text)
	}
}

// The same for one line alone, of which more fit into the time.
func TestRoundTripLine(t *testing.T) {
	g := newGenerator(2)
	for range 50_000 {
		s := g.step("1", 1)
		line := "1. " + s.summary()
		var q Step
		var faults []string
		readSummary(&q, line[2:], func(_ int, message, _ string) { faults = append(faults, message) })
		if len(faults) > 0 {
			t.Fatalf("%q: %v", line, faults)
		}
		s.Detail, s.Inputs, q.ID = nil, nil, "1"
		if !equalStep(s, &q) {
			t.Fatalf("%q reads as\n%+v, not\n%+v", line, q, *s)
		}
	}
}

func TestRoundTripJSON(t *testing.T) {
	g := newGenerator(3)
	for range 1_000 {
		p := g.plan()
		data := EncodeJSON(p)
		if strings.Contains(string(data), "null") && !strings.Contains(string(data), `"total_count": null`) {
			t.Fatalf("null in %s", data)
		}
		q, found := ParseJSON(string(data))
		if len(found) > 0 || !Equal(p, q) {
			t.Fatalf("%s\nreads back with %v as\n%s", data, found, written(t, q))
		}
	}
}

// A clone is equal, and shares nothing.
func TestClone(t *testing.T) {
	g := newGenerator(4)
	for range 500 {
		p := g.plan()
		text, q := written(t, p), p.Clone()
		if !Equal(p, q) {
			t.Fatal("a clone differs")
		}
		for _, list := range [][]string{q.GoalDetail, q.Constraints} {
			spoil(list)
		}
		q.Walk(func(s *Step) {
			s.Status = (s.Status + 1) % 5
			for _, list := range [][]string{s.Inputs, s.Outputs, s.Detail} {
				spoil(list)
			}
			if s.TotalCount != nil {
				*s.TotalCount++
			}
			s.Children = append(s.Children, nil)[:len(s.Children)]
		})
		equal(t, "the plan, after its clone was changed", written(t, p), text)
	}
}

func spoil(list []string) {
	for i := range list {
		list[i] = "spoilt"
	}
}
