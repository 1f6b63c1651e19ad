package sample

import (
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// The sample is the same wherever it is made, and git finds no fault with it.
func TestSame(t *testing.T) {
	var tips []string
	for range 2 {
		g := gittest.New(t)
		if err := Append(t.Context(), g.G(), History()...); err != nil {
			t.Fatal(err)
		}
		g.Git("fsck", "--strict")
		tips = append(tips, g.Git("rev-parse", Ref))
	}
	if tips[0] != tips[1] {
		t.Errorf("the sample is %s and %s", tips[0], tips[1])
	}
}

// More commits go on top of what is there.
func TestAppend(t *testing.T) {
	g := gittest.New(t)
	all := History()
	for _, part := range [][]Commit{all[:3], all[3:]} {
		if err := Append(t.Context(), g.G(), part...); err != nil {
			t.Fatal(err)
		}
	}
	whole := gittest.New(t)
	if err := Append(t.Context(), whole.G(), History()...); err != nil {
		t.Fatal(err)
	}
	if parts, once := g.Git("rev-parse", Ref), whole.Git("rev-parse", Ref); parts != once {
		t.Errorf("in parts %s, at once %s", parts, once)
	}
}
