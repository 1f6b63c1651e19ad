package main

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/gittest"
)

// mergeNatively merges with plain git and its hooks.
func (e *encounter) mergeNatively(want outcome) {
	e.b.Git("fetch", "-q")
	status := e.try(e.bTree, gittest.Program(), "merge", "-m", "Merge the plans", "origin/plans")
	text := e.said + e.complain
	if want.refused != "" || len(want.conflicts) > 0 {
		if status == 0 || !strings.Contains(text, want.refused) {
			e.t.Errorf("git merge ended with status %d, and said\n%s\nwithout %q", status, text, want.refused)
		}
		e.unmoved()
		if !e.t.Failed() {
			e.bTree.Git("merge", "--abort")
		}
		return
	}
	if status != 0 {
		e.t.Fatalf("git merge: status %d\n%s", status, text)
	}
	e.holds(want)
	e.bTree.Git("push", "-q", "origin", "plans")
}

// sync meets by the program, and settles what conflicts.
func (e *encounter) sync(want outcome) {
	status := e.try(e.b, "git-plan", "sync", "--json")
	var doc syncDocument
	if err := json.Unmarshal([]byte(e.said), &doc); err != nil {
		e.t.Fatalf("%v\n%s%s", err, e.said, e.complain)
	}
	var got []string
	for _, c := range doc.Conflicts {
		got = append(got, strings.TrimPrefix(strings.TrimSuffix(c.Plan+"/"+c.Task, "/"), "/")+" "+c.Field)
	}
	if !slices.Equal(got, want.conflicts) {
		e.t.Fatalf("conflicts %q, not %q\n%s%s", got, want.conflicts, e.said, e.complain)
	}
	if len(want.conflicts) == 0 {
		if status != 0 || doc.Status != "merged" {
			e.t.Fatalf("sync: %d\n%s%s", status, e.said, e.complain)
		}
		e.holds(want)
		if first := e.b.Git("rev-parse", "plans^1"); first != e.aTip {
			e.t.Errorf("the first parent is not what was published, but %s", first)
		}
		return
	}
	if status != 1 || doc.Status != "conflict" {
		e.t.Errorf("sync: %d\n%s%s", status, e.said, e.complain)
	}
	e.unmoved()
	if id, _, _ := strings.Cut(doc.Conflicts[0].Plan, "/"); id != "" {
		e.plan(e.b, "sync", "--ours", id)
	}
}

// finish runs the mutation that meets what has landed.
func (e *encounter) finish(want outcome, args []string) {
	e.t.Helper()
	status := e.try(e.b, "git-plan", append(args, "--json")...)
	text := e.said + e.complain
	var doc struct {
		Type    string   `json:"error_type"`
		Details []string `json:"details"`
	}
	if err := json.Unmarshal([]byte(e.said), &doc); err != nil {
		e.t.Fatalf("%v\n%s", err, text)
	}
	says := want.says
	if len(want.conflicts) > 0 && says == "" {
		says = "conflict"
	}
	if doc.Type != says || (status == 0) != (says == "") {
		e.t.Fatalf("git plan %v: status %d, %q instead of %q\n%s", args, status, doc.Type, says, text)
	}
	if says == "" {
		e.holds(want)
		return
	}
	var got []string
	for _, line := range doc.Details {
		where, _, _ := strings.Cut(line, ": ")
		field, _, _ := strings.Cut(strings.TrimPrefix(line, where+": "), ":")
		got = append(got, where+" "+field)
	}
	if want.conflicts != nil && !slices.Equal(got, want.conflicts) {
		e.t.Errorf("conflicts %q, not %q", got, want.conflicts)
	}
	e.unmoved()
}
