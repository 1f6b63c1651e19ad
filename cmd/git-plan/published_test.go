package main

import (
	"testing"
	"time"
)

func TestRemoteLine(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	for want, d := range map[string]remoteDocument{
		"published: nothing; `git plan sync` publishes the plans to origin": {Name: "origin", Unpublished: 3},
		"published: all; origin was seen just now":                          {Name: "origin", SeenAt: "2026-01-02T11:59:30Z"},
		"published: all but 1 commit; origin was seen 5m ago":               {Name: "origin", Unpublished: 1, SeenAt: "2026-01-02T11:55:00Z"},
		"published: all but 2 commits; hub was seen 3d ago":                 {Name: "hub", Unpublished: 2, SeenAt: "2025-12-30T11:00:00Z"},
	} {
		if got := d.line(now); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
