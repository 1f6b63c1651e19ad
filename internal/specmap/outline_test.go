package specmap

import (
	"os"
	"slices"
	"testing"

	"github.com/git-plan/git-plan/internal/planspec"
)

// A plan that went to a HopSpec and back is stored as it was.
func TestOutline(t *testing.T) {
	data, err := os.ReadFile("../planspec/testdata/complete.md")
	if err != nil {
		t.Fatal(err)
	}
	spec, _ := planspec.Parse(string(data))
	p := stored(t, spec, nil)
	hop, _, err := planspec.ToHop(spec)
	if err != nil {
		t.Fatal(err)
	}
	bare, _ := planspec.FromHop(hop, "", "", nil)
	if again := stored(t, Outline(bare, p), p); !slices.Equal(sources(again), sources(p)) {
		t.Errorf("stored as\n%q\nwant\n%q", sources(again), sources(p))
	}
	bare.Goal, bare.Steps[0].Description = "Another", "A new step"
	if got := Outline(bare, p); got.Goal != "Another" || got.Title != spec.Title || len(got.Steps[0].Detail) != 0 || len(got.Steps[1].Detail) == 0 {
		t.Errorf("completed to %s", text(got))
	}
	if Outline(bare, nil) != bare {
		t.Error("a plan is completed by nothing")
	}
}
