package gitstore

import (
	"reflect"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// What a step changed is told by entry of the root; a history of paths compares
// with the commit before it there.
func TestDifferences(t *testing.T) {
	t.Parallel()
	s := open(t, gittest.New(t))
	put(t, s, file("a/x", "1"), file("b/x", "1"))
	put(t, s, file("a/x", "2"))
	put(t, s, file("b/x", "2"))
	put(t, s, FileChange{Path: "a", Delete: true})
	for _, tt := range []struct {
		paths []string
		want  []string // newest first
	}{
		{nil, []string{"-a", "~b", "~a", "+a +b"}},
		{[]string{"a"}, []string{"-a ~b", "~a", "+a +b"}},
		{[]string{":(top,glob)*/x"}, []string{"-a", "~b", "~a", "+a +b"}},
		{[]string{"none"}, nil},
	} {
		steps, err := s.History(t.Context(), testRef, 0, tt.paths...)
		if err != nil {
			t.Fatal(err)
		}
		all, err := s.Differences(t.Context(), steps)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, differences := range all {
			got = append(got, signs(differences))
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.paths, got, tt.want)
		}
	}
}

// signs writes differences as short words; both sides must name what they are.
func signs(differences []Difference) string {
	var words []string
	for _, d := range differences {
		sign := "~"
		switch {
		case d.Old.Mode == 0 && d.Old.Object == "":
			sign = "+"
		case d.New.Mode == 0 && d.New.Object == "":
			sign = "-"
		case d.Old.Object == "" || d.New.Object == "" || d.Old.Mode != d.New.Mode:
			sign = "?"
		}
		words = append(words, sign+d.Path)
	}
	return strings.Join(words, " ")
}

// A commit that the repository does not have is an error, not an end of history.
func TestDifferencesOfMissing(t *testing.T) {
	t.Parallel()
	s := open(t, gittest.New(t))
	put(t, s, file("a/x", "1"))
	gone := strings.Repeat("1", 40)
	if got, err := s.Differences(t.Context(), []Step{{Commit: gone}}); err == nil {
		t.Errorf("no error, but %v", got)
	}
}
