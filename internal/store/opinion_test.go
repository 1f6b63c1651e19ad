package store

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

// judging makes a repository whose store has plans judged, and that has the plan
// auth from before.
func judging(t *testing.T, level string) (*gittest.Repo, *Repo) {
	t.Helper()
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one", "two"))
	setGates(g, "judge: "+level+"\n")
	return g, repo
}

// setGoal edits the definition of auth.
func setGoal(repo *Repo, goal string) (Result, error) {
	return repo.Commit(context.Background(), Edit("auth", func(p *plan.Plan) (m Message, err error) {
		p.Doc, err = p.Doc.Set("goal", plan.Value(goal))
		return m, err
	}))
}

func tip(t *testing.T, repo *Repo) string {
	t.Helper()
	at, err := repo.Store.Tip(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return at.Commit
}

// lastVerdict gives the trailer of the newest commit, "" where it has none.
func lastVerdict(t *testing.T, repo *Repo, id string) string {
	t.Helper()
	c, err := repo.Store.Commit(t.Context(), tip(t, repo))
	if err != nil {
		t.Fatal(err)
	}
	return verdictIn(c.Message, id)
}

// asked makes a judge who says what he is told to say, and counts.
func asked(repo *Repo, say func(n int, p *plan.Plan) (validate.Opinion, error)) *int {
	n := 0
	repo.Approve = func(_ context.Context, p *plan.Plan) (validate.Opinion, error) {
		n++
		return say(n, p)
	}
	return &n
}

func approve(int, *plan.Plan) (validate.Opinion, error) {
	return validate.Opinion{Approved: true, Feedback: "fine"}, nil
}

func reject(int, *plan.Plan) (validate.Opinion, error) {
	return validate.Opinion{Feedback: "task one is vague"}, nil
}

func TestJudgedCommit(t *testing.T) {
	_, repo := judging(t, "required")
	n := asked(repo, approve)
	if _, err := setGoal(repo, "Log in"); err != nil || *n != 1 || lastVerdict(t, repo, "auth") != "approved" {
		t.Fatalf("asked %d times, %q, %v", *n, lastVerdict(t, repo, "auth"), err)
	}
	if _, err := move(repo, "auth", "one", plan.InProgress); err != nil || *n != 1 || lastVerdict(t, repo, "auth") != "" {
		t.Errorf("progress: asked %d times, %q, %v", *n, lastVerdict(t, repo, "auth"), err)
	}
	before := tip(t, repo)
	asked(repo, reject)
	_, err := setGoal(repo, "Log out")
	var refused *RejectedError
	if !errors.As(err, &refused) || !strings.Contains(refused.Findings[0].Message, "task one is vague") || tip(t, repo) != before {
		t.Errorf("%v", err)
	}
}

func TestJudgeAdvises(t *testing.T) {
	_, repo := judging(t, "advisory")
	asked(repo, reject)
	result, err := setGoal(repo, "Log in")
	if err != nil || len(result.Warnings) != 1 || lastVerdict(t, repo, "auth") != "rejected" {
		t.Errorf("%v, %v, %q", result.Warnings, err, lastVerdict(t, repo, "auth"))
	}
	asked(repo, func(int, *plan.Plan) (validate.Opinion, error) { return validate.Opinion{}, errors.New("no key") })
	result, err = setGoal(repo, "Log out")
	if err != nil || len(result.Warnings) != 1 || !strings.Contains(result.Warnings[0].Message, "gave no verdict: no key") || lastVerdict(t, repo, "auth") != "" {
		t.Errorf("%v, %v, %q", result.Warnings, err, lastVerdict(t, repo, "auth"))
	}
	repo.Approve = nil
	if result, err = setGoal(repo, "Log on"); err != nil || len(result.Warnings) > 0 || lastVerdict(t, repo, "auth") != "" {
		t.Errorf("nobody to ask: %v, %v", result.Warnings, err)
	}
}

func TestJudgeRequired(t *testing.T) {
	_, repo := judging(t, "required")
	before := tip(t, repo)
	var refused *RejectedError
	if _, err := setGoal(repo, "Log in"); !errors.As(err, &refused) || !strings.Contains(refused.Findings[0].Hint, "plan.llm.command") {
		t.Errorf("nobody to ask: %v", err)
	}
	failed := errors.New("no key")
	asked(repo, func(int, *plan.Plan) (validate.Opinion, error) { return validate.Opinion{}, failed })
	if _, err := setGoal(repo, "Log in"); !errors.Is(err, failed) {
		t.Errorf("a model that fails: %v", err)
	}
	if tip(t, repo) != before {
		t.Error("something was written")
	}
	result, err := repo.Try(t.Context(), Edit("auth", func(p *plan.Plan) (m Message, err error) {
		p.Doc, err = p.Doc.Set("goal", plan.Value("Log in"))
		return m, err
	}))
	if err != nil || len(result.Plans) != 1 || len(result.Notes) != 1 || !strings.Contains(result.Notes[0], "not asked about auth") {
		t.Errorf("a trial: %+v, %v", result, err)
	}
}

// What a program can tell is told first: nobody waits for a model to hear it.
func TestJudgeComesLast(t *testing.T) {
	_, repo := judging(t, "required")
	n := asked(repo, approve)
	_, err := repo.Commit(t.Context(), Edit("auth", func(p *plan.Plan) (m Message, err error) {
		p.Task("two").Doc, err = p.Task("two").Doc.Set("depends_on", plan.Value([]string{"none"}))
		return m, err
	}))
	var refused *RejectedError
	if !errors.As(err, &refused) || *n != 0 {
		t.Errorf("asked %d times, %v", *n, err)
	}
}

// While a judge is asked nothing is locked, and a verdict holds for what was
// judged: not for what somebody else made of it meanwhile, but in spite of the
// progress that there was.
func TestJudgeHoldsNobodyUp(t *testing.T) {
	g, repo := judging(t, "required")
	other := open(t, g)
	asked(other, approve)
	n := asked(repo, func(n int, p *plan.Plan) (validate.Opinion, error) {
		var err error
		switch n {
		case 1:
			_, err = other.Commit(t.Context(), Edit("auth", func(p *plan.Plan) (m Message, err error) {
				p.Doc, err = p.Doc.Set("complexity", plan.Value(3))
				return m, err
			}))
		case 2:
			_, err = move(other, "auth", "one", plan.InProgress)
		}
		return validate.Opinion{Approved: true}, err
	})
	if _, err := setGoal(repo, "Log in"); err != nil || *n != 2 || lastVerdict(t, repo, "auth") != "approved" {
		t.Errorf("asked %d times, %v", *n, err)
	}
	if p := load(t, repo, "auth").Plan; p.Goal() != "Log in" || p.Task("one").Status != plan.InProgress || !p.Doc.Has("complexity") {
		t.Errorf("%v", p)
	}
}

// Whoever is always overtaken gives up in the end.
func TestJudgeIsOvertaken(t *testing.T) {
	g, repo := judging(t, "required")
	other := open(t, g)
	asked(other, approve)
	n := asked(repo, func(n int, p *plan.Plan) (validate.Opinion, error) {
		_, err := other.Commit(t.Context(), Edit("auth", func(p *plan.Plan) (m Message, err error) {
			p.Doc, err = p.Doc.Set("complexity", plan.Value(n))
			return m, err
		}))
		return validate.Opinion{Approved: true}, err
	})
	_, err := setGoal(repo, "Log in")
	var conflict *ConflictError
	if !errors.As(err, &conflict) || *n != maxVerdicts {
		t.Errorf("asked %d times, %v", *n, err)
	}
}

// The last verdict that is asked for counts like the others.
func TestJudgeIsOvertakenUntilTheLast(t *testing.T) {
	g, repo := judging(t, "required")
	other := open(t, g)
	asked(other, approve)
	n := asked(repo, func(n int, p *plan.Plan) (o validate.Opinion, err error) {
		if n < maxVerdicts {
			_, err = other.Commit(t.Context(), Edit("auth", func(p *plan.Plan) (m Message, err error) {
				p.Doc, err = p.Doc.Set("complexity", plan.Value(n))
				return m, err
			}))
		}
		return validate.Opinion{Approved: true}, err
	})
	if _, err := setGoal(repo, "Log in"); err != nil || *n != maxVerdicts || lastVerdict(t, repo, "auth") != "approved" {
		t.Errorf("asked %d times, %v", *n, err)
	}
}

// A verdict that is known is kept where nobody asks for it, with the commit of
// what was judged and with no other.
func TestOpine(t *testing.T) {
	_, repo := begin(t)
	p, _ := plan.Read("auth", "", files("Auth", "one"))
	repo.Opine(p, validate.Opinion{Feedback: "no"})
	if put(t, repo, "auth", files("Auth", "one")); lastVerdict(t, repo, "auth") != "rejected" {
		t.Errorf("%q", lastVerdict(t, repo, "auth"))
	}
	if _, err := move(repo, "auth", "one", plan.Done); err != nil || lastVerdict(t, repo, "auth") != "" {
		t.Errorf("%q, %v", lastVerdict(t, repo, "auth"), err)
	}
	if _, err := setGoal(repo, "Log in"); err != nil || lastVerdict(t, repo, "auth") != "" {
		t.Errorf("%q, %v", lastVerdict(t, repo, "auth"), err)
	}
}

// A server asks nobody: it looks for the verdict in the message of each commit
// that edits a definition.
func TestReceiveLooksForVerdicts(t *testing.T) {
	g, repo := judging(t, "required")
	begun := tip(t, repo)
	receive := func() Reception {
		t.Helper()
		got, err := repo.Receive(t.Context(), RefUpdate{Ref: repo.Ref, Old: begun, New: tip(t, repo)}, Server{})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	asked(repo, approve)
	if _, err := setGoal(repo, "Log in"); err != nil {
		t.Fatal(err)
	}
	if _, err := move(repo, "auth", "one", plan.Done); err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Commit(t.Context(), func(ctx context.Context, s *Snapshot) (Candidate, error) {
		return Candidate{Writes: []Write{{ID: "auth", Plan: nil}}}, nil
	}); err != nil {
		t.Fatal(err)
	}
	if got := receive(); !got.OK() || len(got.Advised) > 0 {
		t.Errorf("%+v", got.Refused)
	}
	pastGate(t, repo, "new/plan.md", "---\ntitle: New\n---\nText.\n", "new/tasks/01-one.md", "---\nid: one\n---\nDo it.\n")
	got := receive()
	if got.OK() || !strings.Contains(got.Refused[0].Findings[0].Message, "no trailer `Plan-Judge: approved`") {
		t.Errorf("%+v", got)
	}
	begun = begunWith(t, g, repo, "judge: advisory\n")
	pastGate(t, repo, "new/plan.md", "---\ntitle: Other\n---\nText.\n")
	if got := receive(); !got.OK() || len(got.Advised) != 1 {
		t.Errorf("%+v", got)
	}
}

// A history of its own is no way around what is asked of a plan that is known: a
// merge would take over what no model was asked about.
func TestReceiveRefusesUnrelatedHistories(t *testing.T) {
	const want = "a merge of unrelated histories"
	for _, gate := range []string{"judge: required", "evidence: required", "gate: base"} {
		g, repo := begin(t)
		put(t, repo, "auth", files("Auth", "one", "two"))
		ours := begunWith(t, g, repo, gate+"\n")
		pastGate(t, repo, "auth/plan.md", "---\ntitle: Auth\ngoal: Another.\n---\nText.\n", "auth/tasks/01-one.md", "---\nid: one\nstatus: done\n---\nDo it.\n")
		tree := tip(t, repo) + "^{tree}"
		theirs := g.Git("commit-tree", "-m", "theirs", tree)
		merge := g.Git("commit-tree", "-p", ours, "-p", theirs, "-m", "merge", tree)
		got, err := repo.Receive(t.Context(), RefUpdate{Ref: repo.Ref, Old: ours, New: merge}, Server{})
		if err != nil {
			t.Fatal(err)
		}
		var said string
		for _, v := range got.Refused {
			for _, d := range v.Findings {
				said += d.Message + "\n"
			}
		}
		if got.OK() || !strings.Contains(said, want) {
			t.Errorf("%s: %v, %q; want %q", gate, got.OK(), said, want)
		}
	}
}

// begunWith sets the store's gates, and gives the tip.
func begunWith(t *testing.T, g *gittest.Repo, repo *Repo, gates string) string {
	t.Helper()
	setGates(g, gates)
	return tip(t, repo)
}

// pastGate commits files without the gate.
func pastGate(t *testing.T, repo *Repo, files ...string) {
	t.Helper()
	_, err := repo.Store.Update(t.Context(), "hand", func(tip gitstore.Tip) ([]gitstore.Change, error) {
		c := gitstore.Change{Parents: []string{tip.Commit}, Base: tip.Commit, Message: "by hand\n\nPlan: other\nPlan-Judge: approved\n"}
		for i := 0; i+1 < len(files); i += 2 {
			c.Files = append(c.Files, gitstore.FileChange{Path: files[i], Data: []byte(files[i+1])})
		}
		return []gitstore.Change{c}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestVerdictIn(t *testing.T) {
	for message, want := range map[string]string{
		"auth: x\n\nPlan: auth\nPlan-Judge: approved\n":                                          "approved",
		"auth, b: x\n\nPlan: b\nPlan-Judge: approved\nPlan: auth\nPlan-Judge: rejected\n":        "rejected",
		"auth: x\n\nPlan: b\nPlan-Judge: approved\nPlan: auth\nPlan-Version: 1\n":                "",
		"auth: x\n\nPlan: auth\nPlan-Judge: approved\n\nbut this is the last paragraph: so be\n": "",
		"auth: x\n\nPlan: auth\nPlan-Judge: Approved\n":                                          "", // no verdict
	} {
		if got := verdictIn(message, "auth"); got != want {
			t.Errorf("%q: %q", message, got)
		}
	}
	if verdict(&validate.Opinion{Missing: "x"}) != "" {
		t.Error("what is missing is no verdict")
	}
}
