package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// What is refused is not merged first, and a merge that is here already does not
// hide whose commits it brought.
func TestMergedIsMadeAnew(t *testing.T) {
	t.Parallel()
	e := newEncounter(t, newMeetingSeed(t))
	tree := e.tree(e.b, "b-tree")
	three := "auth/tasks/03-three.md"
	for _, s := range []struct{ who, old, new string }{{"Dora", "Do three.", "Do it thrice."}, {"Emil", "id: three", "id: three\npriority: high"}} {
		tree.Write(three, strings.Replace(tree.Read(three), s.old, s.new, 1))
		tree.Git("commit", "-q", "-a", "--author", s.who+" <"+s.who+"@example.com>", "-m", s.who+" was here")
	}
	e.landNatively(meeting{a: []edit{sub(taskTwo, "Do two.", "Do both.")}})
	tree.Git("fetch", "-q")
	tree.Git("merge", "-q", "-m", "Merge the plans", "origin/plans")
	tree.Write(taskTwo, strings.Replace(tree.Read(taskTwo), "id: two", "id: two\ndepends_on: [nobody]", 1))
	tree.Git("commit", "-q", "--no-verify", "-a", "-m", "wrong")
	e.commitNatively(e.aTree, []edit{sub(taskOne, "First.", "At first.")})
	e.a.Git("push", "-q", "origin", "plans")
	e.aTip = e.a.Git("rev-parse", "plans")

	before := e.b.Git("rev-parse", "plans")
	if status := e.try(e.b, "git-plan", "sync"); status != 1 || !strings.Contains(e.said, "sync --rewrite") || e.b.Git("rev-parse", "plans") != before {
		t.Fatalf("sync: status %d\n%s%s", status, e.said, e.complain)
	}
	tree.Write(taskTwo, strings.Replace(tree.Read(taskTwo), "depends_on: [nobody]", "depends_on: [one]", 1))
	tree.Git("commit", "-q", "-a", "-m", "right")
	e.plan(e.b, "sync", "--rewrite")
	said := e.b.Git("log", "--reverse", "--format=%an|%s", e.aTip+"..plans")
	if want := "Dora|Dora was here\nEmil|Emil was here\nAda Author|right"; said != want {
		t.Errorf("made anew:\n%s\nnot\n%s", said, want)
	}
	e.compare(e.files(e.b), e.apply(e.base, []edit{
		sub(taskOne, "First.", "At first."), sub(taskTwo, "Do two.", "Do both."), sub(taskTwo, "id: two", "id: two\ndepends_on: [one]"),
		sub(three, "Do three.", "Do it thrice."), sub(three, "id: three", "id: three\npriority: high"),
	}))
	e.meetAgain()
}

// A native rebase passes no gate. What it leaves invalid is not pushed, by
// nobody, and made anew it keeps who said what.
func TestRebaseIsMadeAnew(t *testing.T) {
	t.Parallel()
	e := newEncounter(t, newMeetingSeed(t))
	e.landNatively(meeting{a: []edit{sub(taskTwo, "id: two", "id: two\ndepends_on: [three]")}})
	tree := e.tree(e.b, "b-tree")
	three := "auth/tasks/03-three.md"
	steps := []struct{ who, message, old, new string }{
		{"Dora <dora@example.com>", "three waits for two\n\nFor a reason.", "id: three", "id: three\ndepends_on: [two]"},
		{"Emil <emil@example.com>", "three is for others", "depends_on: [two]", "tags: [others]"},
		{"Fay <fay@example.com>", "three is said better", "Do three.", "Do it thrice."},
	}
	for _, s := range steps {
		tree.Write(three, strings.Replace(tree.Read(three), s.old, s.new, 1))
		tree.Git("commit", "-q", "-a", "--author", s.who, "-m", s.message)
	}
	tree.Git("fetch", "-q")
	tree.Git("rebase", "-q", "origin/plans")

	before := e.b.Git("rev-parse", "plans")
	for _, args := range [][]string{{"sync"}, {"task", "start", "auth/one", "--push"}} {
		status := e.try(e.b, "git-plan", append(args, "--json")...)
		var doc struct {
			Status  string   `json:"status"`
			Type    string   `json:"error_type"`
			Details []string `json:"details"`
		}
		if err := json.Unmarshal([]byte(e.said), &doc); err != nil || status != 1 || doc.Status != "rejected" && doc.Type != "rejected" {
			t.Errorf("%q: status %d, %v\n%s%s", args, status, err, e.said, e.complain)
		}
		for _, part := range []string{"depends-cycle", "git plan sync --rewrite"} {
			if !strings.Contains(strings.Join(doc.Details, "\n"), part) {
				t.Errorf("%q does not name %q:\n%s", args, part, e.said)
			}
		}
	}
	if status := e.try(tree, gittest.Program(), "push", "origin", "plans"); status == 0 || !strings.Contains(e.complain, "git plan sync --rewrite") {
		t.Errorf("git push: status %d\n%s", status, e.complain)
	}
	if e.b.Git("rev-parse", "plans") != before || e.srv.Git("rev-parse", "plans") != e.aTip {
		t.Fatal("something moved")
	}

	e.plan(e.b, "sync", "--rewrite")
	said := e.b.Git("log", "--reverse", "--format=%an <%ae>|%B", e.aTip+"..plans")
	for _, want := range []string{
		"Emil <emil@example.com>|three is for others", "* three waits for two (by Dora <dora@example.com>)\n  For a reason.\n",
		"Fay <fay@example.com>|three is said better",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is lost:\n%s", want, said)
		}
	}
	e.compare(e.files(e.b), e.apply(e.base, []edit{
		sub(taskTwo, "id: two", "id: two\ndepends_on: [three]"),
		sub(three, "id: three", "id: three\ntags: [others]"), sub(three, "Do three.", "Do it thrice."),
	}))
	e.meetAgain()
}

// A native rebase knows neither numbers nor ids. What is published keeps them,
// and what was not published is made anew with others.
func TestRebasedNamesAreMadeAnew(t *testing.T) {
	t.Parallel()
	e := newEncounter(t, newMeetingSeed(t))
	mine, yours := "auth/tasks/05-ant.md", "auth/tasks/06-new.md"
	e.landNatively(meeting{a: []edit{
		put(mine, madeTask("ant", "")), put("auth/tasks/05-ant/01-part.md", madeTask("part", "")), put(yours, madeTask("new", "title: Ant\n")),
		sub(taskTwo, "id: two", "id: two\ndepends_on: [new]"),
	}})
	tree := e.tree(e.b, "b-tree")
	for _, step := range [][]edit{
		{put("auth/tasks/05-bee.md", madeTask("bee", "")), sub(taskOne, "First.", "At first.")},
		{put("auth/tasks/07-new.md", madeTask("new", "title: Bee\n")), put("auth/tasks/08-last.md", madeTask("last", "depends_on: [bee, new]\n"))},
	} {
		e.commitNatively(tree, step)
	}
	tree.Git("fetch", "-q")
	tree.Git("rebase", "-q", "origin/plans")
	e.plan(e.b, "sync", "--rewrite", "--json")
	for _, want := range []string{"task bee: number 5 is taken, it has 7 now", "task new: the id is taken, it is new-2 now"} {
		if !strings.Contains(e.said, want) {
			t.Errorf("nothing says %q:\n%s", want, e.said)
		}
	}
	e.compare(e.files(e.b), e.apply(e.files(e.a), []edit{
		sub(taskOne, "First.", "At first."), put("auth/tasks/07-bee.md", madeTask("bee", "")),
		put("auth/tasks/08-new.md", madeTask("new-2", "title: Bee\n")), put("auth/tasks/09-last.md", madeTask("last", "depends_on: [bee, new-2]\n")),
	}))
	if n := e.b.Git("rev-list", "--count", e.aTip+"..plans"); n != "2" {
		t.Errorf("%s commits were made of 2", n)
	}
	e.meetAgain()
}

// A proposal that is merged as one commit leaves no trailers. Versions, events
// and addresses come from what the plans say.
func TestSquashedProposalKeepsHistory(t *testing.T) {
	t.Parallel()
	e := newEncounter(t, newMeetingSeed(t))
	e.plan(e.a, "replan", "auth", "--force", "--reason", "once more", "--from", "../for-ant")
	e.plan(e.a, "propose", "auth", "--push")
	e.plan(e.b, "task", "done", "board/"+statusPairs()[0].id())
	e.plan(e.b, "sync")
	tree := e.tree(e.b, "b-tree")
	tree.Git("fetch", "-q")
	old := tree.Git("rev-parse", "plans")
	tree.Git("merge", "-q", "--squash", "origin/proposals/auth")
	tree.Git("commit", "-q", "-m", "Replan auth (#7)")
	tree.Git("push", "-q", "origin", "plans")
	if trailers := tree.Git("log", "-1", "--format=%(trailers)"); trailers != "" {
		t.Fatalf("the squashed commit has trailers: %s", trailers)
	}

	e.plan(e.b, "log", "auth", "--json")
	var doc struct{ Revisions []revisionDocument }
	if err := json.Unmarshal([]byte(e.said), &doc); err != nil {
		t.Fatal(err)
	}
	tip := tree.Git("rev-parse", "HEAD")
	if len(doc.Revisions) != 2 || doc.Revisions[0].Event != "replanned" || doc.Revisions[0].Version != 2 || doc.Revisions[0].Commit != tip ||
		doc.Revisions[1].Event != "created" || doc.Revisions[1].Version != 1 {
		t.Errorf("log: %+v", doc.Revisions)
	}
	for address, want := range map[string]string{"auth": tip, "auth@v2": tip, "auth@v1": old, "auth@{1}": doc.Revisions[1].Commit} {
		e.plan(e.b, "show", address, "--json")
		var shown struct {
			Version int               `json:"version"`
			Tasks   []json.RawMessage `json:"tasks"`
			Commit  string            `json:"commit"`
		}
		if err := json.Unmarshal([]byte(e.said), &shown); err != nil {
			t.Fatal(err)
		}
		version, tasks := 1, 4
		if want == tip {
			version, tasks = 2, 1
		}
		if shown.Version != version && (shown.Version != 0 || version != 1) || len(shown.Tasks) != tasks {
			t.Errorf("%s is version %d with %d tasks", address, shown.Version, len(shown.Tasks))
		}
	}

	// The one who proposed meets it again: it is the same plan.
	e.plan(e.a, "sync")
	e.compare(e.files(e.a), e.files(e.b))
	e.aTip = e.srv.Git("rev-parse", "plans")
	e.plan(e.b, "sync")
	e.meetAgain()
}

// What somebody decided in a merge by hand outlives the rewriting of it.
func TestDecisionIsMadeAnew(t *testing.T) {
	t.Parallel()
	e := newEncounter(t, newMeetingSeed(t))
	e.bothCommit(meeting{
		a: []edit{sub(taskOne, "title: One", "title: Uno")},
		b: []edit{sub(taskOne, "title: One", "title: Eins"), sub(taskTwo, "Do two.", "Do both.")},
	})
	if status := e.try(e.b, "git-plan", "sync"); status != 1 {
		t.Fatalf("%s%s", e.said, e.complain)
	}
	thread := e.b.At(filepath.Join(e.b.Dir, ".plans", "thread-1"))
	thread.Write("tasks/01-one.md", strings.Replace(thread.Read("tasks/01-one.md"), "title: Uno", "title: Ein und Uno", 1))
	e.plan(e.b, "commit", "-m", "decide on a title")
	e.bTree.Write("auth/tasks/03-three.md", madeTask("three", "depends_on: [nobody]\n"))
	e.bTree.Git("commit", "-q", "-a", "--no-verify", "-m", "wrong")
	e.bTree.Write("auth/tasks/03-three.md", madeTask("three", "depends_on: [one]\n"))
	e.bTree.Git("commit", "-q", "-a", "-m", "right")
	if status := e.try(e.b, "git-plan", "sync"); status != 1 || !strings.Contains(e.said, "--rewrite") {
		t.Fatalf("%s%s", e.said, e.complain)
	}
	e.plan(e.b, "sync", "--rewrite")
	if said := e.b.Git("log", "--reverse", "--format=%s", e.aTip+"..plans"); said != "auth: decide on a title\nright" {
		t.Errorf("made anew:\n%s", said)
	}
	e.compare(e.files(e.b), e.apply(e.base, []edit{
		sub(taskOne, "title: One", "title: Ein und Uno"), sub(taskTwo, "Do two.", "Do both."),
		put("auth/tasks/03-three.md", madeTask("three", "depends_on: [one]\n")),
	}))
	e.meetAgain()
}
