package foreign

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
)

// stored is a plan of one task, with a signal on it and one on the plan.
func stored() *plan.Plan {
	p, _ := plan.Read("auth", "", []plan.File{
		{Path: "plan.md", Data: []byte("---\ntitle: Auth\n---\n\nWhy.\n")},
		{Path: "tasks/01-schema.md", Data: []byte("---\nid: schema\n---\n\nMake it.\n")},
		{Path: "signals/all.md", Data: []byte("---\nlevel: info\n---\n\nHm.\n")},
		{Path: "signals/one.md", Data: []byte("---\nlevel: info\ntask: schema\n---\n\nHm.\n")},
	})
	return p
}

// A signal goes with its task, and that is told.
func TestSignals(t *testing.T) {
	for has, want := range map[bool]string{true: "signals/all.md signals/one.md", false: "signals/all.md; the signal one, whose task is no more"} {
		kept, lost := Signals(stored(), func(string) bool { return has })
		var names []string
		for _, f := range kept {
			names = append(names, f.Path)
		}
		if got := strings.Join(append([]string{strings.Join(names, " ")}, lost...), "; "); got != want {
			t.Errorf("where the task is there, %v: %s, want %s", has, got, want)
		}
	}
	if kept, lost := Signals(nil, nil); kept != nil || lost != nil {
		t.Errorf("of no plan: %v, %v", kept, lost)
	}
}

func TestNewIDs(t *testing.T) {
	titles := []string{"Schema", "Kept", "Schema", "Schema"}
	ids := []string{"", "schema-3", "", ""}
	NewIDs(ids, func(i int) string { return titles[i] }, stored())
	if want := []string{"schema-2", "schema-3", "schema-4", "schema-5"}; !slices.Equal(ids, want) {
		t.Errorf("%v, want %v", ids, want)
	}
}
