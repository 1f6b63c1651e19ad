package store

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// byHand is a store whose plans branch is checked out in a worktree, where
// commits are made by native git.
func byHand(t *testing.T) (tree *gittest.Repo, repo *Repo) {
	t.Helper()
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one", "two"))
	dir := t.TempDir() + "/plans"
	g.Git("worktree", "add", "-q", dir, "plans")
	return g.At(dir), repo
}

// verdicts judges what is new since a commit and gives, for each commit, the
// plans and the errors as "path:line:column rule".
func verdicts(t *testing.T, repo *Repo, p Policy, since, tip string) []string {
	t.Helper()
	ctx := context.Background()
	candidates, err := repo.Candidates(ctx, tip, since)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	err = repo.JudgeAll(ctx, candidates, p, World{}, func(v Verdict) error {
		out = append(out, strings.Join(append(v.IDs(), errorsIn(v.Findings)...), " "))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func errorsIn(found []diag.Diagnostic) []string {
	var out []string
	for _, d := range found {
		if d.Severity == diag.Error {
			out = append(out, fmt.Sprintf("%s:%s:%s", d.Path, d.Pos, d.Rule))
		}
	}
	return out
}

const task = "---\nid: %s\nstatus: %s\ndepends_on: [%s]\n---\n\nDo it.\n"

// Each commit is judged by what it changed, against what was there before.
func TestJudge(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		steps func(tree *gittest.Repo)
		want  []string
	}{
		{"valid", func(tree *gittest.Repo) {
			tree.Write("auth/tasks/03-three.md", fmt.Sprintf(task, "three", "pending", "two"))
			tree.Commit("more")
		}, []string{"auth"}},
		{"an invalid one between", func(tree *gittest.Repo) {
			tree.Write("auth/tasks/03-three.md", fmt.Sprintf(task, "three", "pending", "nobody"))
			tree.Commit("wrong")
			tree.Write("auth/tasks/03-three.md", fmt.Sprintf(task, "three", "pending", "two"))
			tree.Commit("mended")
		}, []string{"auth auth/tasks/03-three.md:4:14:depends-unknown", "auth"}},
		{"what has no place", func(tree *gittest.Repo) {
			tree.Write("main.go", "package main\n")
			tree.Write("archive/old/x.md", "x\n")
			tree.Write(".github/workflows/plans.yml", "on: push\n")
			tree.Commit("strays")
		}, []string{"archive/old:1:1:stray-file main.go:1:1:stray-file"}},
		{"a stray file in a plan", func(tree *gittest.Repo) {
			tree.Write("auth/notes.txt", "x\n")
			tree.Commit("stray")
		}, []string{"auth auth/notes.txt:1:1:stray-file"}},
		{"gates", func(tree *gittest.Repo) {
			tree.Write("gates.yaml", "gate: strickt\n")
			tree.Commit("gates")
		}, []string{"gates.yaml:1:7:gate-config"}},
		{"moves", func(tree *gittest.Repo) {
			tree.Write("auth/tasks/01-one.md", fmt.Sprintf(task, "one", "done", ""))
			tree.Commit("done")
			tree.Write("auth/tasks/01-one.md", fmt.Sprintf(task, "one", "failed", ""))
			tree.Commit("no move of a settled task")
		}, []string{"auth", "auth auth/tasks/01-one.md:3:9:transition"}},
		{"archived and restored", func(tree *gittest.Repo) {
			tree.Git("mv", "-k", "gates.yaml", "gates.yaml")
			tree.Write("archive/2026/.keep", "")
			tree.Git("mv", "auth", "archive/2026/auth")
			tree.Git("rm", "-qf", "--ignore-unmatch", "archive/2026/.keep")
			tree.Git("commit", "-qm", "archive")
			tree.Git("mv", "archive/2026/auth", "auth")
			tree.Git("commit", "-qm", "restore")
		}, []string{"auth", "auth"}},
		{"two of one id at once", func(tree *gittest.Repo) {
			for _, dir := range []string{"archive/2025/x", "archive/2026/x", "archive/2026/auth"} {
				tree.Write(dir+"/plan.md", "---\ntitle: X\n---\n\nText.\n")
				tree.Write(dir+"/tasks/01-one.md", fmt.Sprintf(task, "one", "pending", "nobody"))
			}
			tree.Write("auth/tasks/03-three.md", fmt.Sprintf(task, "three", "pending", "two"))
			tree.Commit("hidden")
		}, []string{"auth x archive/2025/x/tasks/01-one.md:4:14:depends-unknown " +
			"archive/2026/auth/tasks/01-one.md:4:14:depends-unknown archive/2026/x/tasks/01-one.md:4:14:depends-unknown"}},
		{"removed", func(tree *gittest.Repo) {
			tree.Git("rm", "-rq", "auth")
			tree.Git("commit", "-qm", "gone")
		}, []string{"auth"}},
		{"a merge of two good ones makes a cycle", func(tree *gittest.Repo) {
			tree.Git("checkout", "-q", "-b", "side")
			tree.Write("auth/tasks/01-one.md", "---\nid: one\ndepends_on: [two]\n---\n\nDo it.\n")
			tree.Write("auth/tasks/02-two.md", "---\nid: two\n---\n\nDo it.\n")
			tree.Commit("turned around")
			tree.Git("checkout", "-q", "plans")
			tree.Write("auth/tasks/03-three.md", fmt.Sprintf(task, "three", "pending", "two"))
			tree.Commit("more")
			tree.Git("merge", "-q", "--no-commit", "side")
			tree.Write("auth/tasks/02-two.md", "---\nid: two\ndepends_on: [one]\n---\n\nDo it.\n")
			tree.Commit("merge")
		}, []string{"auth", "auth", "auth auth/tasks/02-two.md:3:14:depends-cycle"}},
		{"a merge takes each side as it is", func(tree *gittest.Repo) {
			tree.Git("checkout", "-q", "-b", "side")
			tree.Write("b/plan.md", "---\ntitle: B\n---\n\nText.\n")
			tree.Commit("b")
			tree.Git("checkout", "-q", "plans")
			tree.Write("c/plan.md", "---\ntitle: C\n---\n\nText.\n")
			tree.Commit("c")
			tree.Git("merge", "-q", "-m", "both", "side")
		}, []string{"c", "b", ""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tree, repo := byHand(t)
			since := tree.Git("rev-parse", "HEAD")
			tt.steps(tree)
			got := verdicts(t, repo, Policy{Gates: validate.DefaultGates()}, since, tree.Git("rev-parse", "HEAD"))
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// The index of a commit that is about to be made is judged like the commit.
func TestJudgeIndex(t *testing.T) {
	t.Parallel()
	tree, repo := byHand(t)
	tree.Write("auth/tasks/03-three.md", fmt.Sprintf(task, "three", "pending", "nobody"))
	tree.Git("add", "-A")
	c := Candidate{Tree: tree.Git("write-tree"), Parents: []string{tree.Git("rev-parse", "HEAD")}}
	v, err := repo.Judge(t.Context(), c, Policy{Gates: validate.DefaultGates()}, World{})
	got := errorsIn(v.Findings)
	if err != nil || strings.Join(got, " ") != "auth/tasks/03-three.md:4:14:depends-unknown" {
		t.Errorf("%q, %v", got, err)
	}
}

// The server's rules about refs, and what decides how a push is judged.
func TestReceive(t *testing.T) {
	t.Parallel()
	wrong := func(tree *gittest.Repo) {
		tree.Write("auth/tasks/03-three.md", fmt.Sprintf(task, "three", "pending", "nobody"))
		tree.Commit("wrong")
	}
	gates := func(text string) func(*gittest.Repo) {
		return func(tree *gittest.Repo) { tree.Write("gates.yaml", text); tree.Commit("gates") }
	}
	for _, tt := range []struct {
		name    string
		before  func(*gittest.Repo) // lands unseen
		push    func(*gittest.Repo)
		change  func(u *RefUpdate, p *Server)
		reasons string // words of the refusals
		refused string // rules of the refused commits
	}{
		{name: "invalid tip", push: wrong, refused: "depends-unknown"},
		{name: "invalid commit under a valid tip", push: func(tree *gittest.Repo) { wrong(tree); tree.Git("revert", "--no-edit", "HEAD") }, refused: "depends-unknown"},
		{name: "an old fault elsewhere", before: wrong, push: func(tree *gittest.Repo) {
			tree.Write("other/plan.md", "---\ntitle: O\n---\n\nText.\n")
			tree.Commit("other")
		}},
		{name: "rewritten", push: func(tree *gittest.Repo) { tree.Git("commit", "-q", "--amend", "-m", "other") }, reasons: "rewritten"},
		{name: "rewriting is allowed", push: func(tree *gittest.Repo) { tree.Git("commit", "-q", "--amend", "-m", "other") },
			change: func(_ *RefUpdate, p *Server) { p.DenyNonFastForwards = false }},
		{name: "deleted", change: func(u *RefUpdate, _ *Server) { u.New = "" }, reasons: "deleted"},
		{name: "deleting is allowed", change: func(u *RefUpdate, p *Server) { u.New, p.DenyDeletes = "", false }},
		{name: "a proposal is deleted", change: func(u *RefUpdate, _ *Server) { u.Ref, u.New = "refs/heads/proposals/x", "" }},
		{name: "a proposal is judged", push: wrong, change: func(u *RefUpdate, _ *Server) { u.Ref, u.Old = "refs/heads/proposals/x", "" }, refused: "depends-unknown"},
		{name: "lowered", before: gates("gate: strict\n"), push: gates("gate: base\n"), refused: "gate-config"},
		{name: "lowered and raised again", before: gates("gate: strict\n"),
			push: func(tree *gittest.Repo) { gates("gate: base\n")(tree); gates("gate: strict\n")(tree) }, refused: "gate-config"},
		{name: "taken away", before: gates("gate: strict\n"), push: func(tree *gittest.Repo) { tree.Git("rm", "-q", "gates.yaml"); tree.Git("commit", "-qm", "x") }, refused: "gate-config"},
		{name: "lowering is allowed", before: gates("gate: strict\n"), push: gates("gate: base\n"), change: func(_ *RefUpdate, p *Server) { p.AllowGateLowering = true }},
		{name: "the gate that comes along does not count", before: gates("rules:\n  no-tasks: error\n"),
			push: func(tree *gittest.Repo) {
				tree.Write("gates.yaml", "gate: base\n")
				tree.Write("empty/plan.md", "---\ntitle: E\n---\n\nText.\n")
				tree.Commit("both")
			}, refused: "no-tasks gate-config"},
		{name: "onto a gate in error", before: gates("gate: strcit\n"), push: func(tree *gittest.Repo) { tree.Write("README.md", "x\n"); tree.Commit("x") },
			reasons: "nothing lands before that is mended: `gate` must be"},
		{name: "a gate in error is mended", before: gates("gate: strcit\n"), push: gates("gate: strict\n")},
		{name: "what a gate in error let in is held against the one that mends it", before: gates("gate: strcit\n"),
			push: func(tree *gittest.Repo) {
				tree.Write("empty/plan.md", "---\ntitle: E\n---\n\nText.\n")
				tree.Commit("empty")
				gates("gate: strict\n")(tree)
			}, refused: "no-tasks"},
		{name: "a gate in error that goes is none", before: gates("gate: strict\nrules: 7\n"),
			push: func(tree *gittest.Repo) { tree.Git("rm", "-q", "gates.yaml"); tree.Git("commit", "-qm", "x") }, refused: "gate-config"},
		{name: "floor", push: func(tree *gittest.Repo) {
			tree.Write("empty/plan.md", "---\ntitle: E\n---\n\nText.\n")
			tree.Commit("x")
		},
			change: func(_ *RefUpdate, p *Server) { p.Floor = validate.Strict }, refused: "no-tasks"},
		{name: "first push", change: func(u *RefUpdate, _ *Server) { u.Old = "" }},
		{name: "first push of a fault", push: wrong, change: func(u *RefUpdate, _ *Server) { u.Old = "" }, refused: "depends-unknown"},
		{name: "first push after a fault", push: func(tree *gittest.Repo) { wrong(tree); tree.Git("revert", "--no-edit", "HEAD") },
			change: func(u *RefUpdate, _ *Server) { u.Old = "" }},
		{name: "unsigned", push: func(tree *gittest.Repo) { tree.Write("README.md", "x\n"); tree.Commit("x") },
			change: func(_ *RefUpdate, p *Server) { p.RequireSigned = true }, reasons: "not signed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tree, repo := byHand(t)
			if tt.before != nil {
				tt.before(tree)
			}
			old := tree.Git("rev-parse", "HEAD")
			u, p := RefUpdate{Ref: repo.Ref, Old: old}, Server{DenyNonFastForwards: true, DenyDeletes: true}
			if tt.push != nil {
				tt.push(tree)
			}
			u.New = tree.Git("rev-parse", "HEAD")
			if tt.change != nil {
				tt.change(&u, &p)
			}
			tree.Git("update-ref", repo.Ref, old) // nothing has landed yet
			got, err := repo.Receive(context.Background(), u, p)
			if err != nil {
				t.Fatal(err)
			}
			if words := strings.Join(got.Reasons, " "); !strings.Contains(words, tt.reasons) || (words == "") != (tt.reasons == "") {
				t.Errorf("reasons %q, want %q", words, tt.reasons)
			}
			var rules []string
			for _, v := range got.Refused {
				for _, d := range v.Findings {
					if d.Severity == diag.Error {
						rules = append(rules, d.Rule)
					}
				}
			}
			if strings.Join(rules, " ") != tt.refused {
				t.Errorf("refused for %q, want %q", rules, tt.refused)
			}
		})
	}
}

// A proposal that began before the gate was raised lowers nothing; one that merged
// the store and kept the older gate does.
func TestReceiveOlderProposal(t *testing.T) {
	t.Parallel()
	tree, repo := byHand(t)
	tree.Git("checkout", "-q", "-b", "proposals/x")
	tree.Write("README.md", "x\n")
	tree.Commit("proposed")
	tree.Git("checkout", "-q", "plans")
	tree.Write("gates.yaml", "gate: strict\n")
	tree.Commit("raised")
	tree.Git("checkout", "-q", "proposals/x")
	for _, tt := range []struct {
		step func()
		ok   bool
	}{
		{func() {}, true},
		{func() {
			tree.Git("merge", "-q", "--no-commit", "plans")
			tree.Git("checkout", "-q", "HEAD", "gates.yaml")
			tree.Git("commit", "-q", "-m", "merged")
		}, false},
		{func() {
			tree.Git("checkout", "-q", "plans", "gates.yaml")
			tree.Git("commit", "-q", "-m", "raised here")
		}, true},
	} {
		tt.step()
		got, err := repo.Receive(t.Context(), RefUpdate{Ref: ProposalPrefix + "x", New: tree.Git("rev-parse", "HEAD")}, Server{})
		if err != nil || got.OK() != tt.ok {
			t.Errorf("%q, %v: %t, want %t", got.Reasons, err, got.OK(), tt.ok)
		}
	}
}

// A proposal that takes the store's newer commits over is judged for its own, as
// several steps of the store may be what no single step may.
func TestReceiveProposalOntoNewerStore(t *testing.T) {
	t.Parallel()
	tree, repo := byHand(t)
	set := func(status string) {
		tree.Write("auth/tasks/01-one.md", fmt.Sprintf(task, "one", status, ""))
		tree.Commit(status)
	}
	set("done")
	tree.Git("checkout", "-q", "-b", "proposals/x")
	tree.Write("README.md", "x\n")
	old := tree.Commit("proposed")
	tree.Git("checkout", "-q", "plans")
	set("pending")
	set("in_progress")
	tree.Git("checkout", "-q", "proposals/x")
	tree.Git("merge", "-q", "-m", "merge", "plans")
	got, err := repo.Receive(t.Context(), RefUpdate{Ref: ProposalPrefix + "x", Old: old, New: tree.Git("rev-parse", "HEAD")}, Server{})
	if err != nil || !got.OK() {
		t.Errorf("%v, %v", got.Refused, err)
	}
	tree.Git("checkout", "-q", "plans")
	tree.Git("merge", "-q", "--no-ff", "-m", "accept", "proposals/x")
	if got := refusals(t, repo, tree.Git("rev-parse", "plans~1"), tree.Git("rev-parse", "plans")); got != "" {
		t.Errorf("accepted: refused for %q", got)
	}
}
