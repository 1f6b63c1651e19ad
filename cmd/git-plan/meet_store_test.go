package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// storeMeetings are about whole plans and the store's own files.
func storeMeetings() []meeting {
	made := func(id, who string) []edit {
		return []edit{
			put(id+"/plan.md", "---\ntitle: "+who+"\ncreated_at: 2026-01-02T03:04:05Z\ncreated_by: "+who+"\n---\n\nMade by "+who+".\n"),
			put(id+"/tasks/01-do.md", madeTask("do", "")),
		}
	}
	moved := func() []edit {
		return []edit{
			del("shop/plan.md"), del("shop/tasks/01-sell.md"),
			put("archive/2026/shop/plan.md", meetingFiles()["shop/plan.md"]),
			put("archive/2026/shop/tasks/01-sell.md", meetingFiles()["shop/tasks/01-sell.md"]),
		}
	}
	sold := []edit{sub("shop/plan.md", "Sell.", "Sell more.")}
	gone := []edit{del("shop/plan.md"), del("shop/tasks/01-sell.md")}
	return []meeting{
		{
			name: "plans of different ids",
			a:    made("ants", "ant"), b: made("bees", "bee"),
			want: outcome{files: append(made("ants", "ant"), made("bees", "bee")...)},
		},
		{
			name: "plans of one id",
			a:    made("new", "ant"), b: made("new", "bee"),
			want: outcome{
				files: append(made("new", "ant"), made("new-2", "bee")...),
				notes: []string{"plan new: the id is taken, it is new-2 now"},
			},
			in: map[way]outcome{
				native:   {refused: "conflict: new: title: ours `bee`, theirs `ant`"},
				threaded: {says: "conflict"},
				pushed:   {says: "conflict"},
			},
		},
		{
			name: "a plan of one id in the same words",
			a:    append(made("new", "ant"), put("new/tasks/02-ant.md", madeTask("ant", ""))),
			b:    append(made("new", "ant"), put("new/tasks/03-bee.md", madeTask("bee", ""))),
			want: outcome{
				files: slices.Concat(made("new", "ant"), made("new-2", "ant"), []edit{
					put("new/tasks/02-ant.md", madeTask("ant", "")), put("new-2/tasks/03-bee.md", madeTask("bee", "")),
				}),
			},
			in: map[way]outcome{native: {refused: "conflict: new: plan: both sides made a plan of that id"}, threaded: {says: "conflict"}, pushed: {says: "conflict"}},
		},
		{
			name:    "gates changed both ways",
			a:       []edit{sub("gates.yaml", "gate: base", "gate: base\nlease: 1h # by ant\nevidence: required")},
			b:       []edit{sub("gates.yaml", "gate: base", "gate: base\nlease: 30m # by bee\nevidence: advisory")},
			want:    outcome{files: []edit{sub("gates.yaml", "gate: base", "gate: base\nlease: 30m # by bee\nevidence: required")}},
			in:      map[way]outcome{native: {refused: "CONFLICT (content): Merge conflict in gates.yaml"}},
			without: []way{threaded, pushed},
		},
		{
			name: "archived and changed",
			aRun: []string{"archive", "shop"}, b: sold,
			want: outcome{conflicts: []string{"shop plan"}},
			in: map[way]outcome{
				native: {refused: "moved by one side and changed by the other"}, threaded: {says: "conflict"}, pushed: {says: "conflict"},
			},
		},
		{
			name: "changed and archived",
			a:    sold, bRun: []string{"archive", "shop"},
			want:    outcome{conflicts: []string{"shop plan"}},
			in:      map[way]outcome{native: {refused: "moved by one side and changed by the other"}},
			without: []way{threaded, pushed},
		},
		{
			name: "archived by both",
			aRun: []string{"archive", "shop"}, bRun: []string{"archive", "shop"},
			want:    outcome{files: moved()},
			without: []way{threaded, pushed},
		},
		{
			name: "removed and changed plan",
			a:    gone, b: sold,
			want: outcome{conflicts: []string{"shop plan"}},
			in: map[way]outcome{
				native: {refused: "CONFLICT (modify/delete): shop/plan.md"}, threaded: {says: "conflict"}, pushed: {says: "conflict"},
			},
		},
		{
			name: "changed and removed plan",
			a:    sold, b: gone,
			want:    outcome{conflicts: []string{"shop plan"}},
			in:      map[way]outcome{native: {refused: "CONFLICT (modify/delete): shop/plan.md"}},
			without: []way{threaded, pushed},
		},
	}
}

// What is in no plan is for git to merge, which sync says.
func TestOwnFilesConflict(t *testing.T) {
	t.Parallel()
	e := newEncounter(t, newMeetingSeed(t))
	e.bothCommit(meeting{a: []edit{sub("README.md", "# Plans", "# Plans of ants")}, b: []edit{sub("README.md", "# Plans", "# Plans of bees")}})
	if status := e.try(e.b, "git-plan", "task", "start", "auth/two", "--push"); status != 1 || !strings.Contains(e.complain, "settle that first, with `git plan sync`") {
		t.Errorf("task start: status %d\n%s%s", status, e.said, e.complain)
	}
	e.unmoved()
	status := e.try(e.b, "git-plan", "sync")
	for _, want := range []string{"  README.md: ours `# Plans of bees`, theirs `# Plans of ants`\n", "settle README.md with git, in a worktree of plans: `git merge " + e.aTip[:10] + "`"} {
		if status != 1 || !strings.Contains(e.said, want) {
			t.Errorf("sync: status %d, without %q\n%s%s", status, want, e.said, e.complain)
		}
	}
	e.unmoved()
	if status := e.try(e.bTree, gittest.Program(), "merge", e.aTip); status == 0 {
		t.Fatal("git merged it")
	}
	e.write(e.bTree, "", []edit{sub("README.md", "# Plans", "# Plans of all")})
	e.bTree.Git("commit", "-q", "-a", "-m", "Merge the plans")
	e.meetAgain()
}

// Two clones that both begin have only the root commit in common. Their stores
// become one, with the plans of both and the stricter gate.
func TestStoresBegunTwice(t *testing.T) {
	t.Parallel()
	top := gittest.New(t)
	e := &encounter{t: t}
	e.open(top)
	top.Git("init", "-q", "--bare", "-b", "main", "srv.git")
	e.plan(e.srv, "hooks", "install")
	e.b = e.b.With("GIT_AUTHOR_DATE=2026-02-03T04:05:06Z", "GIT_COMMITTER_DATE=2026-02-03T04:05:06Z")
	for g, gate := range map[*gittest.Repo]string{e.a: "base", e.b: "strict"} {
		top.Git("init", "-q", "-b", "main", filepath.Base(g.Dir))
		g.Git("commit", "-q", "--allow-empty", "-m", "begin")
		g.Git("remote", "add", "origin", "../srv.git")
		e.plan(g, "init", "--gate", gate)
		tree := e.tree(g, filepath.Base(g.Dir)+"-tree")
		for _, id := range []string{"same", "of-" + filepath.Base(g.Dir)} {
			tree.Write(id+"/plan.md", "---\ntitle: "+id+" in "+filepath.Base(g.Dir)+"\n---\n\nText.\n")
			tree.Write(id+"/tasks/01-do.md", "---\nid: do\ntitle: Do it\ntype: chore\nacceptance_criteria: [it is done]\nrelevant_file_paths: [do.go]\ncreates: [do.go]\ncontext_hints: [do.go]\n---\n\nDo it.\n")
		}
		tree.Commit("plans")
	}
	if e.a.Git("rev-list", "--max-parents=0", "plans") != e.b.Git("rev-list", "--max-parents=0", "plans") || e.a.Git("rev-parse", "plans~1") == e.b.Git("rev-parse", "plans~1") {
		t.Fatal("they should have just the root in common")
	}
	e.plan(e.a, "sync")
	e.aTip, e.bTip = e.a.Git("rev-parse", "plans"), e.b.Git("rev-parse", "plans")
	e.plan(e.b, "sync", "--json")
	if !strings.Contains(e.said, `"status":"merged"`) {
		t.Errorf("%s%s", e.said, e.complain)
	}
	files := e.files(e.b)
	for name, part := range map[string]string{
		"gates.yaml": "gate: strict", "same/plan.md": "same in a", "same-2/plan.md": "same in b", "of-a/plan.md": "in a", "of-b/plan.md": "in b",
	} {
		if !strings.Contains(files[name], part) {
			t.Errorf("%s does not say %q:\n%s", name, part, files[name])
		}
	}
	e.meetAgain()
}
