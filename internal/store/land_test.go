package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

func TestInitIsTheSameEverywhere(t *testing.T) {
	a, _ := begin(t)
	b, _ := begin(t)
	root := a.Git("rev-list", "--max-parents=0", "plans")
	if other := b.Git("rev-list", "--max-parents=0", "plans"); root != other {
		t.Errorf("roots %s and %s: two clones that both begin must meet", root, other)
	}
	// Its name is written into every store there is.
	if want := "beac3d0"; !strings.HasPrefix(root, want) {
		t.Errorf("root %s, want %s…: it must never change", root, want)
	}
	if got := a.Git("ls-tree", "--name-only", "plans"); got != ".gitattributes\nREADME.md\ngates.yaml" {
		t.Errorf("the store's own files are %q", got)
	}
}

func TestInitKeepsWhatIsThere(t *testing.T) {
	g, repo := begin(t)
	tip := g.Git("rev-parse", "plans")
	result, err := repo.Init(context.Background(), validate.Strict)
	if err != nil || result.Created || result.Gate != validate.Base || g.Git("rev-parse", "plans") != tip {
		t.Errorf("init again: %+v, %v", result, err)
	}
}

func TestGateStandsInCommit(t *testing.T) {
	g, repo := begin(t)
	tip := g.Git("rev-parse", "plans")
	_, err := repo.Commit(context.Background(), func(context.Context, *Snapshot) (Candidate, error) {
		good, _ := plan.Read("good", "", files("Good", "one"))
		bad, _ := plan.Read("bad", "", append(files("Bad", "one"), plan.File{Path: "tasks/02-two.md", Data: []byte("---\nid: one\n---\n")}))
		return Candidate{Writes: []Write{{ID: "good", Plan: good}, {ID: "bad", Plan: bad}}}, nil
	})
	var rejected *RejectedError
	if !errors.As(err, &rejected) {
		t.Fatalf("got %v, want a refusal", err)
	}
	var got []string
	for _, d := range rejected.Findings {
		if d.Severity == diag.Error {
			got = append(got, d.Path+" "+d.Rule)
		}
	}
	want := "bad/tasks/02-two.md id-duplicate|bad/tasks/02-two.md body-empty"
	if strings.Join(got, "|") != want {
		t.Errorf("findings %q, want %q", strings.Join(got, "|"), want)
	}
	if g.Git("rev-parse", "plans") != tip {
		t.Error("the ref moved though one of two plans was refused")
	}
}

// The gate judges the bytes that are stored, not the objects it was handed:
// a plan whose model says less than its files is found out.
func TestGateReadsWhatIsStored(t *testing.T) {
	_, repo := begin(t)
	_, err := repo.Commit(context.Background(), func(context.Context, *Snapshot) (Candidate, error) {
		p, _ := plan.Read("auth", "", files("Auth", "one"))
		p.Tasks[0].ID = "renamed" // a lie of the model
		p.Doc.Source = "---\nowner: nobody\n---\n"
		return Candidate{Writes: []Write{{ID: "auth", Plan: p}}}, nil
	})
	var rejected *RejectedError
	if !errors.As(err, &rejected) {
		t.Fatalf("got %v, want a refusal", err)
	}
}

func TestMutationRunsAgainOnTheNewState(t *testing.T) {
	_, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one", "two", "three", "four", "five", "six"))
	var wait sync.WaitGroup
	failures := make(chan error, 6)
	for _, id := range []string{"one", "two", "three", "four", "five", "six"} {
		wait.Add(1)
		go func() {
			defer wait.Done()
			other := &Repo{Repo: repo.Repo, Store: gitstore.Open(repo.Repo, repo.Ref), Config: repo.Config, Ref: repo.Ref, Publish: repo.Publish, opts: repo.opts}
			defer other.Close()
			_, err := move(other, "auth", id, plan.Done)
			failures <- err
		}()
	}
	wait.Wait()
	close(failures)
	for err := range failures {
		if err != nil {
			t.Error(err)
		}
	}
	if p := load(t, repo, "auth").Plan; p.Status() != plan.Complete || p.Progress().Done != 6 {
		t.Errorf("after six reports at once: %+v", p.Progress())
	}
}

// A write that begins from what was read before finds out that the store has
// moved since.
func TestRecall(t *testing.T) {
	g, first := begin(t)
	put(t, first, "auth", files("Auth", "one", "two"))
	repo, err := Open(t.Context(), Options{Git: g.G(), Getenv: func(string) string { return "" }, Now: first.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { repo.Close() })
	s, err := repo.Snapshot(t.Context())
	if err != nil || s.glanced == "" {
		t.Fatalf("the store was read otherwise than at a glance: %v", err)
	}
	if _, err := move(first, "auth", "one", plan.Done); err != nil {
		t.Fatal(err)
	}
	repo.Recall(s)
	begun := 0
	if _, err := repo.Commit(t.Context(), func(ctx context.Context, now *Snapshot) (Candidate, error) {
		if begun++; begun > 1 && now.Commit == s.Commit {
			t.Errorf("attempt %d is on what is out of date", begun)
		}
		return Edit("auth", func(p *plan.Plan) (Message, error) {
			_, err := p.Transition(p.Task("two"), plan.Move{To: plan.Done, At: repo.Now(), Agent: "tester"})
			return Message{Agent: "tester"}, err
		})(ctx, now)
	}); err != nil || begun > 2 { // a slow machine reads the tip again first
		t.Fatalf("%d attempts, %v", begun, err)
	}
	if s, err = repo.Snapshot(t.Context()); err != nil {
		t.Fatal(err)
	}
	if stored, err := s.Load(t.Context(), "auth"); err != nil || stored.Plan.Progress().Done != 2 || s.glanced != "" {
		t.Errorf("%+v, %v", stored, err)
	}
}

func TestUnchangedWritesNothing(t *testing.T) {
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one"))
	if _, err := move(repo, "auth", "one", plan.Done); err != nil {
		t.Fatal(err)
	}
	tip := g.Git("rev-parse", "plans")
	result, err := move(repo, "auth", "one", plan.Done)
	if err != nil || result.Changed() || result.Commit != tip || g.Git("rev-parse", "plans") != tip {
		t.Errorf("done again: %+v, %v", result, err)
	}
}

func TestNewerGatesRefuseWrites(t *testing.T) {
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one"))
	setGates(g, "format: 3\nfuture: true\n")
	_, err := move(repo, "auth", "one", plan.Done)
	var unsupported *UnsupportedError
	if !errors.As(err, &unsupported) {
		t.Errorf("got %v, want *UnsupportedError", err)
	}
	setGates(g, "gate: lax\n")
	_, err = move(repo, "auth", "one", plan.Done)
	var rejected *RejectedError
	if !errors.As(err, &rejected) || rejected.Findings[0].Rule != "gate-config" {
		t.Errorf("got %v, want a refusal by gate-config", err)
	}
}

// setGates commits another gates.yaml by hand.
func setGates(g *gittest.Repo, text string) {
	blob := g.GitInput(text, "hash-object", "-w", "--stdin")
	var entries []string
	for _, line := range strings.Split(g.Git("ls-tree", "plans"), "\n") {
		if !strings.HasSuffix(line, "\tgates.yaml") {
			entries = append(entries, line)
		}
	}
	entries = append(entries, "100644 blob "+blob+"\tgates.yaml")
	tree := g.GitInput(strings.Join(entries, "\n")+"\n", "mktree")
	g.Git("update-ref", "refs/heads/plans", g.Git("commit-tree", tree, "-p", "plans", "-m", "gates"))
}

// A stricter gate that came later blocks edits of definitions, and nothing
// else of the plan.
func TestStricterGateBlocksOnlyDefinitions(t *testing.T) {
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one", "two"))
	setGates(g, "gate: strict\n")
	if _, err := move(repo, "auth", "one", plan.Done); err != nil {
		t.Errorf("a report was refused: %v", err)
	}
	_, err := repo.Commit(context.Background(), Edit("auth", func(p *plan.Plan) (Message, error) {
		return Message{}, p.Set("goal", "Another goal")
	}))
	if err != nil {
		t.Errorf("an edit of plan.md was refused for tasks it does not touch: %v", err)
	}
	next := files("Auth", "one", "two")
	next[2].Data = []byte("---\nid: two\ndepends_on: [one]\n---\n\nDo it otherwise.\n")
	_, err = repo.Commit(context.Background(), func(context.Context, *Snapshot) (Candidate, error) {
		p, _ := plan.Read("auth", "", next)
		return Candidate{Writes: []Write{{ID: "auth", Plan: p}}}, nil
	})
	var rejected *RejectedError
	if !errors.As(err, &rejected) {
		t.Fatalf("got %v, want a refusal", err)
	}
	for _, d := range rejected.Findings {
		if d.Severity == diag.Error && d.Path != "auth/tasks/02-two.md" {
			t.Errorf("a finding beside the edited task: %s", d)
		}
	}
}

func TestMessageIsReadByGit(t *testing.T) {
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one", "two"))
	_, err := repo.Commit(context.Background(), Edit("auth", func(p *plan.Plan) (Message, error) {
		_, err := p.Transition(p.Task("one"), plan.Move{To: plan.Done, At: repo.Now()})
		return Message{
			Subject: "a subject\nwith more\n\nPlan: forged", Agent: "evil\nPlan-Event: removed",
			Body: []string{"# no comment", "Plan-Agent: somebody else\nand more"},
		}, err
	}))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"Plan": "auth", "Plan-Event": "completed", "Plan-Task": "auth/one", "Plan-Version": "1", "Plan-Agent": "evil Plan-Event: removed",
	} {
		if got := g.Git("log", "-1", "--format=%(trailers:key="+key+",valueonly)", "plans"); got != want {
			t.Errorf("trailer %s is %q, want %q", key, got, want)
		}
	}
	if got := g.Git("log", "-1", "--format=%s", "plans"); got != "auth: a subject" {
		t.Errorf("subject %q", got)
	}
}

func TestReadsFallBackToTheRemote(t *testing.T) {
	origin, first := begin(t)
	put(t, first, "auth", files("Auth", "one"))
	clone := origin.Clone(t)
	repo := open(t, clone)
	s, err := repo.Snapshot(context.Background())
	if err != nil || s.Ref != "refs/remotes/origin/plans" || len(s.IDs()) != 1 {
		t.Fatalf("snapshot %+v, %v", s, err)
	}
	if _, err := clone.TryGit("rev-parse", "--verify", "refs/heads/plans"); err == nil {
		t.Error("reading made a local ref")
	}
	if _, err := move(repo, "auth", "one", plan.Done); err != nil {
		t.Fatal(err)
	}
	if got := clone.Git("rev-parse", "plans~1"); got != clone.Git("rev-parse", "origin/plans") {
		t.Error("the first write did not branch from the remote's tip")
	}
	other := origin.Clone(t)
	result, err := open(t, other).Init(context.Background(), validate.Base)
	if err != nil || !result.Adopted || other.Git("rev-parse", "plans") != other.Git("rev-parse", "origin/plans") {
		t.Errorf("init in a clone: %+v, %v", result, err)
	}
	if got := other.Git("config", "branch.plans.remote"); got != "origin" {
		t.Errorf("branch.plans.remote is %q", got)
	}
}

func TestNoStore(t *testing.T) {
	repo := open(t, gittest.New(t))
	s, err := repo.Snapshot(context.Background())
	if err != nil || s.Exists() || len(s.IDs()) != 0 {
		t.Errorf("snapshot %+v, %v", s, err)
	}
	_, err = move(repo, "auth", "one", plan.Done)
	var gone *NotFoundError
	if !errors.As(err, &gone) || !strings.Contains(err.Error(), "git plan init") {
		t.Errorf("got %v, want one that names git plan init", err)
	}
}

// Hostile entries are told and hide nothing beside them.
func TestHostileTree(t *testing.T) {
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one"))
	blob := g.GitInput("boo\n", "hash-object", "-w", "--stdin")
	plain := g.Git("rev-parse", "plans:auth/plan.md")
	evil := g.GitInput(fmt.Sprintf("100644 blob %s\tplan.md\n120000 blob %s\tlink.md\n100755 blob %s\trun.md\n100644 blob %s\tA\\033[31m\n160000 commit %s\tsub\n",
		plain, blob, blob, blob, g.Git("rev-parse", "main")), "mktree")
	root := g.Git("ls-tree", "plans") + fmt.Sprintf("\n040000 tree %s\tevil\n040000 tree %s\tBad_Name\n120000 blob %s\tlink\n", evil, evil, blob)
	tree := g.GitInput(root, "mktree")
	g.Git("update-ref", "refs/heads/plans", g.Git("commit-tree", tree, "-p", "plans", "-m", "by hand"))
	s, err := repo.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.IDs(), " "); got != "auth evil" {
		t.Errorf("plans %q", got)
	}
	if got := len(s.rootStrays()); got != 2 {
		t.Errorf("%d strays at the root, want 2: %v", got, s.rootStrays())
	}
	stored, err := s.Load(context.Background(), "evil")
	if err != nil {
		t.Fatal(err)
	}
	if len(stored.Found) < 4 || stored.Plan.Doc == nil {
		t.Errorf("findings %v", stored.Found)
	}
	if _, err := s.Load(context.Background(), "auth"); err != nil {
		t.Errorf("a hostile neighbour hides a plan: %v", err)
	}
	if _, err := move(repo, "auth", "one", plan.Done); err != nil {
		t.Errorf("a hostile neighbour blocks a plan: %v", err)
	}
}

// A plan that nests without end is a finding of that plan alone.
func TestDeepTree(t *testing.T) {
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one"))
	tree := g.GitInput(fmt.Sprintf("100644 blob %s\ta.md\n", g.Git("rev-parse", "plans:auth/plan.md")), "mktree")
	for range 60 {
		tree = g.GitInput(fmt.Sprintf("040000 tree %s\t01-x\n", tree), "mktree")
	}
	deep := g.GitInput(fmt.Sprintf("100644 blob %s\tplan.md\n040000 tree %s\ttasks\n", g.Git("rev-parse", "plans:auth/plan.md"), tree), "mktree")
	root := g.GitInput(g.Git("ls-tree", "plans")+fmt.Sprintf("\n040000 tree %s\tdeep\n", deep), "mktree")
	g.Git("update-ref", "refs/heads/plans", g.Git("commit-tree", root, "-p", "plans", "-m", "by hand"))
	stored := load(t, repo, "deep")
	if len(stored.Found) != 1 || stored.Found[0].Rule != plan.RuleLimits {
		t.Errorf("findings %v, want one of rule limits", stored.Found)
	}
	summariesOf(t, repo) // one deep plan hides no other
	if _, err := move(repo, "auth", "one", plan.Done); err != nil {
		t.Error(err)
	}
}
