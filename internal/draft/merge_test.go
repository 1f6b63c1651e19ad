package draft

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomFiles makes a small set of files, so that two of them often agree.
func randomFiles(r *rand.Rand) map[string][]byte {
	out := map[string][]byte{}
	for _, name := range []string{"a", "b", "c", "d"} {
		if n := r.IntN(4); n > 0 {
			out[name] = []byte{byte('0' + n)}
		}
	}
	return out
}

func equal(a, b map[string][]byte) bool {
	return maps.EqualFunc(a, b, func(x, y []byte) bool { return slices.Equal(x, y) })
}

func TestMergeFilesProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		base, theirs, ours := randomFiles(r), randomFiles(r), randomFiles(r)
		merged, conflicts := mergeFiles(base, theirs, ours)
		swapped, conflictsSwapped := mergeFiles(base, ours, theirs)
		if !slices.Equal(conflicts, conflictsSwapped) {
			t.Fatalf("conflicts %v and %v", conflicts, conflictsSwapped)
		}
		if len(conflicts) == 0 && !equal(merged, swapped) {
			t.Fatalf("merge does not commute: %q %q %q", base, theirs, ours)
		}
		if m, c := mergeFiles(base, theirs, base); len(c) > 0 || !equal(m, theirs) {
			t.Fatalf("one side changed, and the result is not that side: %q", m)
		}
		if m, c := mergeFiles(base, ours, ours); len(c) > 0 || !equal(m, ours) {
			t.Fatalf("both sides agree, and the result is not theirs: %q", m)
		}
		if sameFiles(theirs, ours) != equal(theirs, ours) {
			t.Fatalf("sameFiles(%q, %q)", theirs, ours)
		}
	}
}
