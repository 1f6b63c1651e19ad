package store

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

// The values of trailerJudge.
const (
	judgeApproved = "approved"
	judgeRejected = "rejected"
)

// maxVerdicts bounds how often one commit asks for verdicts: each time somebody
// else changed what had just been judged.
const maxVerdicts = 4

// opinions are the verdicts that this process was given, each on exactly what
// was judged.
type opinions struct {
	mu  sync.Mutex
	all []verdictOn
}

type verdictOn struct {
	plan    *plan.Plan
	opinion validate.Opinion
}

// maxOpinions bounds how many a process that lives long remembers.
const maxOpinions = 100

// of gives the verdict on what a plan says, whoever has worked on it since.
func (o *opinions) of(p *plan.Plan) *validate.Opinion {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, v := range slices.Backward(o.all) {
		if !plan.DefinitionChanged(v.plan, p) {
			return &v.opinion
		}
	}
	return nil
}

func (o *opinions) add(p *plan.Plan, opinion validate.Opinion) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all = append(o.all, verdictOn{p, opinion})
	o.all = o.all[max(0, len(o.all)-maxOpinions):]
}

func (o *opinions) none() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.all) == 0
}

// forget drops what is no verdict: the next commit asks again.
func (o *opinions) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all = slices.DeleteFunc(o.all, func(v verdictOn) bool { return v.opinion.Missing != "" })
}

// Opine keeps a verdict on a plan: a commit of exactly what was judged carries
// it, and asks for no other.
func (r *Repo) Opine(p *plan.Plan, o validate.Opinion) { r.opinions.add(p, o) }

// UnjudgedError is returned when a change has to wait for a judge's verdict on
// plans. Nothing is written.
type UnjudgedError struct {
	plans    []*plan.Plan
	required bool
}

func (e *UnjudgedError) Error() string {
	return "the judge has to look first at " + e.names() + ": try again with one who can ask"
}

func (e *UnjudgedError) names() string {
	var ids []string
	for _, p := range e.plans {
		ids = append(ids, p.ID)
	}
	return words.Few(ids, 10)
}

// Judging runs do, and while that waits for a judge, asks and runs it again.
// What do locks is free while the judge, who may take minutes, is asked.
func (r *Repo) Judging(ctx context.Context, do func() error) error {
	defer r.opinions.forget()
	for asked := 0; ; asked++ {
		err := do()
		var open *UnjudgedError
		if !errors.As(err, &open) {
			return err
		}
		if asked == maxVerdicts {
			return &ConflictError{Plan: open.plans[0].ID, Since: "it was judged", Details: []string{"others changed it each time that a verdict had come"},
				Hint: "try again when they have come to an end"}
		}
		if err := r.askAbout(ctx, open); err != nil {
			return err
		}
	}
}

// askAbout asks the judge about plans, and keeps what he says.
func (r *Repo) askAbout(ctx context.Context, open *UnjudgedError) error {
	for _, p := range open.plans {
		o, err := r.Approve(ctx, p)
		switch {
		case err != nil && (open.required || ctx.Err() != nil):
			return err
		case err != nil:
			o = validate.Opinion{Missing: "the judge gave no verdict: " + err.Error(), Remedy: "see `git plan judge`"}
		}
		r.Opine(p, o)
	}
	return nil
}

// opinion looks up what the model said of a plan, if the policy has to know.
func (g *gate) opinion(ctx context.Context, ch *change) error {
	asks := g.policy.Gates.Judge != validate.LevelOff
	switch {
	case !asks && (g.state == nil || g.repo.opinions.none()) || !validate.ForJudge(ch.input(g.world)):
		return nil
	case g.state != nil:
		g.ask(ch, asks)
		return nil
	case len(g.verdict.Parents) != 1 || g.verdict.Range:
		return nil
	}
	return g.readOpinion(ctx, ch)
}

// ask gives the opinion on a plan that is about to be stored. What no model was
// asked about yet is to be judged first.
func (g *gate) ask(ch *change, wanted bool) {
	ch.opinion = g.repo.opinions.of(ch.Plan)
	switch {
	case ch.opinion != nil || !wanted:
	case g.repo.Approve != nil:
		g.verdict.unjudged = append(g.verdict.unjudged, ch.Plan)
	case g.policy.Gates.Judge == validate.Required: // advice is not missed
		ch.opinion = &validate.Opinion{
			Missing: "the store wants plans to be judged, and no model is set up here to do so",
			Remedy:  "name a command that reads a prompt and prints an answer, with `git config plan.llm.command`",
		}
	}
}

// verdict is the value of the trailer that tells of an opinion, or "".
func verdict(o *validate.Opinion) string {
	switch {
	case o == nil || o.Missing != "":
		return ""
	case o.Approved:
		return judgeApproved
	}
	return judgeRejected
}

// readOpinion reads out of the message of a commit what the model said of a plan.
// No model is asked about what others committed: the trailer says that one was.
func (g *gate) readOpinion(ctx context.Context, ch *change) error {
	c := g.verdict.Candidate
	ch.opinion = &validate.Opinion{
		Missing: "no judge has looked at what is planned here: the commit has no trailer `" + trailerJudge + ": " + judgeApproved + "` below `" + trailerPlan + ": " + ch.id + "`",
		Remedy:  "make the change in a thread, and commit it with `git plan commit`, which asks the judge",
	}
	if c.Commit == "" {
		ch.opinion.Missing = "what is planned here has to be judged, which git alone does not do"
		return nil
	}
	commit, err := g.repo.Store.Commit(ctx, c.Commit)
	if err != nil {
		return err
	}
	switch verdictIn(commit.Message, ch.id) {
	case judgeApproved:
		ch.opinion = nil
	case judgeRejected:
		ch.opinion.Missing = "the judge did not approve of what is planned here, says the trailer `" + trailerJudge + "`"
		ch.opinion.Remedy = "mend what the judge says, see `git plan judge " + ch.id + "`"
	}
	return nil
}

// verdictIn gives the verdict on a plan that a message tells, or "". Another word
// is none.
func verdictIn(message, id string) string {
	if value := planTrailer(message, id, trailerJudge); value == judgeApproved || value == judgeRejected {
		return value
	}
	return ""
}
