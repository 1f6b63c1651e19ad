package planspec

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/form"
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
		step := g.step("1", 1)
		step.Detail, step.Inputs, step.Children = nil, nil, nil
		p := OutlineOf(Document{Steps: []Step{step}})
		line, it := "1. "+summary(p.Items[0]), &form.Item{Number: "1"}
		var faults []string
		readSummary(it, line[2:], func(_ int, message, _ string) { faults = append(faults, message) })
		if len(faults) > 0 {
			t.Fatalf("%q: %v", line, faults)
		}
		if q := (&form.Outline{Items: []*form.Item{it}}); !Equal(p, q) {
			t.Fatalf("%q reads as\n%s, not\n%s", line, EncodeJSON(q), EncodeJSON(p))
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
