package store

import (
	"context"
	"testing"
)

func TestSetDrivers(t *testing.T) {
	g, _ := begin(t)
	g.Git("config", "diff.plan.textconv", "mine")
	repo := open(t, g)
	if set, err := repo.SetDrivers(context.Background()); err != nil || !set {
		t.Fatalf("set %v, %v", set, err)
	}
	if got := g.Git("config", "merge.plan.driver"); got != "git plan merge-driver %O %A %B %P" {
		t.Errorf("the driver is %q", got)
	}
	if got := g.Git("config", "diff.plan.textconv"); got != "mine" {
		t.Errorf("a setting of the user's became %q", got)
	}
	repo = open(t, g)
	if set, err := repo.SetDrivers(context.Background()); err != nil || set {
		t.Errorf("again: set %v, %v", set, err)
	}
}
