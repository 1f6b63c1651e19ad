package validate

import (
	"testing"

	"github.com/git-plan/git-plan/plan"
)

const plansDir = "../testdata/plans"

// examplePlan reads one of the plans that tests of several packages use.
func examplePlan(t testing.TB, id string) Input {
	t.Helper()
	in := Input{Stored: true, Version: 0}
	in.Plan, in.Found = plan.Read(id, "", folder(t, plansDir+"/"+id))
	return in
}

func TestExampleOfAuthentication(t *testing.T) {
	in := examplePlan(t, "auth")
	in.Version = 1
	equal(t, "findings", lines(Run(in, DefaultGates(), Base)), "")
	if got := in.Plan.Title(); got != "Add user authentication" || len(in.Plan.All()) != 3 {
		t.Errorf("%d tasks under the title %q", len(in.Plan.All()), got)
	}
	ready := in.Plan.Ready()
	if len(ready) != 1 || ready[0].ID != "create-schema" {
		t.Errorf("ready: %v", ready)
	}
}

// The shop is a plan in the middle of its work, without a finding even where
// the project has none of the files: each is made on the way.
func TestExampleOfShop(t *testing.T) {
	in := examplePlan(t, "shop")
	in.Version = 2
	for _, gate := range []Gate{Base, Strict} {
		for name, exists := range map[string]func(string) Existence{"unknown": nil, "empty": project()} {
			in.Exists = exists
			equal(t, gate.String()+", project "+name, lines(Run(in, DefaultGates(), gate)), "")
		}
	}
	if got := in.Plan.Status(); got != plan.PlanInProgress || len(in.Plan.All()) != 40 || len(in.Plan.Signals) != 2 {
		t.Errorf("%s, %d tasks, %d signals", got, len(in.Plan.All()), len(in.Plan.Signals))
	}
	deepest := 0
	for _, u := range in.Plan.All() {
		depth := 1
		for a := u.Parent; a != nil; a = a.Parent {
			depth++
		}
		deepest = max(deepest, depth)
		checkStatus(t, in.Plan, u)
	}
	if deepest != 3 {
		t.Errorf("%d levels", deepest)
	}
	if ready := in.Plan.Ready(); len(ready) == 0 {
		t.Error("nothing is ready")
	}
}

// checkStatus holds a task's status against those of what it contains and
// waits for.
func checkStatus(t *testing.T, p *plan.Plan, u *plan.Task) {
	t.Helper()
	if len(u.Children) > 0 {
		settled, begun := true, false
		for _, c := range u.Children {
			settled = settled && c.Settled()
			begun = begun || c.Status != plan.Pending
		}
		want := plan.Pending
		if begun {
			want = plan.InProgress
		}
		if settled {
			want = plan.Done
		}
		if u.Status != want {
			t.Errorf("%s is %s and its children say %s", u.ID, u.Status, want)
		}
		return
	}
	if waits := p.WaitsFor(u); len(waits) > 0 && u.Status != plan.Pending && u.Status != plan.Skipped {
		t.Errorf("%s is %s and waits for %s", u.ID, u.Status, waits[0].ID)
	}
}
