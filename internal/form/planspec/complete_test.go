package planspec_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/form/planspec"
)

// A plan that went to a HopSpec and back is stored as it was.
func TestOutline(t *testing.T) {
	data, err := os.ReadFile("testdata/complete.md")
	if err != nil {
		t.Fatal(err)
	}
	spec, _ := planspec.Parse(string(data))
	p := stored(t, spec, nil)
	hop, _, err := planspec.WriteHop(spec)
	if err != nil {
		t.Fatal(err)
	}
	bare, _, _ := planspec.ReadHop(string(hop))
	if again := stored(t, planspec.Complete(bare, p), p); !slices.Equal(sources(again), sources(p)) {
		t.Errorf("stored as\n%q\nwant\n%q", sources(again), sources(p))
	}
	bare.Plan.Say("goal", "Another")
	bare.Items[0].Say("title", "A new step")
	if got := planspec.Complete(bare, p); got.Plan.Get("goal") != "Another" || got.Plan.Title() != spec.Plan.Title() || got.Items[0].Text != nil || got.Items[1].Text == nil {
		t.Errorf("completed to %s", text(got))
	}
	if planspec.Complete(bare, nil) != bare {
		t.Error("a plan is completed by nothing")
	}
}

// The steps of a list without numbers keep those that they have in the store, as
// long as they stand in that order.
func TestOutlineNumbers(t *testing.T) {
	parse := func(steps string) *form.Outline {
		spec, found := planspec.Parse("Goal: g\n## Steps\n" + steps)
		if len(found) > 0 {
			t.Fatal(found)
		}
		return spec
	}
	p := stored(t, parse("2. [act] a\n3. [subtask] b\n  3.1. [act] c\n  3.7. [act] d\n9. [act] e\n"), nil)
	for steps, want := range map[string]string{
		"1. [act] a\n2. [subtask] b\n  2.1. [act] c\n  2.2. [act] d\n3. [act] e\n":                 "2 3 3.1 3.7 9",
		"1. [act] a\n2. [act] new\n3. [subtask] b\n  3.1. [act] c\n  3.2. [act] d\n4. [act] e\n":   "1 2 3 3.1 3.7 4",
		"1. [act] a\n2. [subtask] b\n  2.1. [act] d\n  2.2. [act] new\n3. [act] new\n4. [act] e\n": "2 3 3.7 3.8 4 9",
		"1. [act] e\n2. [subtask] b\n  2.1. [act] a\n  2.2. [act] d\n":                             "1 2 2.1 2.7",
	} {
		var got []string
		for _, it := range planspec.Complete(parse(steps), p).All() {
			got = append(got, it.Number)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s\nis numbered %s, want %s", steps, got, want)
		}
	}
}
