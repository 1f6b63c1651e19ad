package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// ProposalPrefix is where branches with proposed changes of plans are.
const ProposalPrefix = "refs/heads/proposals/"

// RefUpdate is a ref that somebody wants to move. A side that is not there is
// "".
type RefUpdate struct {
	Ref, Old, New string
}

// Server is what a server asks next to the gate. It comes from the server's own
// configuration and from nowhere else.
type Server struct {
	Floor               validate.Gate
	AllowGateLowering   bool
	DenyNonFastForwards bool
	DenyDeletes         bool
	RequireSigned       bool
	// CodeRef names the commit in which rules look paths up; "" looks nowhere.
	CodeRef string
	// Store is the ref that proposals begin from, "" for the store's own: in a
	// clone that may hold what nobody published.
	Store string
}

// Server reads plan.receive.* of git's configuration.
func (r *Repo) Server() (Server, error) {
	p := Server{}
	if text, ok := r.Config.Get("plan.receive.gate"); ok {
		if p.Floor = validate.ParseGate(text); p.Floor.String() != text {
			return p, fmt.Errorf("bad value %q of plan.receive.gate; set it to base or strict", text)
		}
	}
	p.CodeRef, _ = r.Config.Get("plan.receive.codeRef")
	for _, b := range []struct {
		key  string
		def  bool
		into *bool
	}{
		{"plan.receive.allowGateLowering", false, &p.AllowGateLowering},
		{"plan.receive.denyNonFastForwards", true, &p.DenyNonFastForwards},
		{"plan.receive.denyDeletes", true, &p.DenyDeletes},
		{"plan.receive.requireSigned", false, &p.RequireSigned},
	} {
		var err error
		if *b.into, err = r.Config.Bool(b.key, b.def); err != nil {
			return p, err
		}
	}
	return p, nil
}

// IsProposal reports whether a ref holds proposed changes of plans.
func IsProposal(ref string) bool { return strings.HasPrefix(ref, ProposalPrefix) }

// Governs reports whether a ref is the store's or a proposal's.
func (r *Repo) Governs(ref string) bool { return ref == r.Ref || IsProposal(ref) }

// Reception is what the gate says of one ref's update.
type Reception struct {
	RefUpdate
	// Reasons refuse the update as a whole, a line each.
	Reasons []string
	// Refused are the commits that do not pass, at most [maxRefused] of them;
	// More counts the others.
	Refused []Verdict
	More    int
	// Warned are commits that do not pass and land nevertheless, as they came
	// before the store.
	Warned []Verdict
	// Advised are commits that pass and that a judge did not approve, where the
	// store only asks for advice; at most [maxRefused] of them.
	Advised []Verdict
	// Lowering is the first commit whose gates.yaml asks for less than the one that
	// all of them are held against, "" for none.
	Lowering string
	// Judged counts the commits looked at, Plans what they changed.
	Judged, Plans int
}

// maxRefused bounds what a pusher is told at once.
const maxRefused = 10

// OK reports whether the update may go on.
func (r Reception) OK() bool { return len(r.Reasons) == 0 && len(r.Refused) == 0 }

// lines say what is wrong with an update.
func (r Reception) lines() []string {
	out := slices.Clone(r.Reasons)
	for _, v := range r.Refused {
		for _, line := range diag.Lines(v.Findings) {
			out = append(out, fmt.Sprintf("commit %.12s: %s", v.Commit, line))
		}
	}
	return out
}

// Receive judges the update of a governed ref: each commit that is new to it,
// by the gate of the tip it moves from. Nothing that comes with the update has
// a say in how it is judged.
func (r *Repo) Receive(ctx context.Context, u RefUpdate, server Server) (Reception, error) {
	in := &reception{repo: r, server: server, out: Reception{RefUpdate: u}}
	err := in.run(ctx)
	return in.out, err
}

// reception is the work on one update.
type reception struct {
	repo   *Repo
	server Server
	out    Reception

	policy Policy
	world  World
	from   string   // the commit whose gate that is, "" for none
	known  []string // commits that are not new
}

func (in *reception) run(ctx context.Context) error {
	u := in.out
	store := !IsProposal(u.Ref)
	if u.New == "" {
		if store && in.server.DenyDeletes {
			in.refuse("the plans cannot be deleted here (plan.receive.denyDeletes)")
		}
		return nil
	}
	if err := in.origin(ctx); err != nil {
		return err
	}
	if store {
		if err := in.rewritten(ctx); err != nil || len(in.out.Reasons) > 0 {
			return err
		}
	}
	candidates, err := in.repo.Candidates(ctx, u.New, in.known...)
	if err != nil {
		return err
	}
	if len(in.known) == 0 {
		err = in.first(ctx, candidates)
	} else {
		err = in.each(ctx, candidates)
	}
	if err != nil {
		return err
	}
	if err := in.lowered(ctx); err != nil {
		return err
	}
	if store && in.server.RequireSigned {
		return in.signed(ctx)
	}
	return nil
}

func (in *reception) refuse(format string, args ...any) {
	in.out.Reasons = append(in.out.Reasons, fmt.Sprintf(format, args...))
}

// origin finds what the update begins from: the ref's old tip, and for a
// proposal the store's; and the gate there.
func (in *reception) origin(ctx context.Context) error {
	in.from = in.out.Old
	if in.from != "" {
		in.known = append(in.known, in.from)
	}
	if IsProposal(in.out.Ref) {
		tip, err := in.repo.Store.TipOf(ctx, cmp.Or(in.server.Store, in.repo.Ref))
		if err != nil && !errors.Is(err, gitstore.ErrNoRef) {
			return err
		}
		if tip != "" {
			in.from, in.known = tip, append(in.known, tip)
		}
	}
	return in.adopt(ctx, in.from)
}

// each judges the commits that are new to the ref. What a proposal does as a whole
// is judged when it comes into the store, which may have moved by then.
func (in *reception) each(ctx context.Context, candidates []Candidate) error {
	hold := func(v Verdict) error { return in.hold(ctx, v) }
	if IsProposal(in.out.Ref) {
		return in.repo.JudgeAll(ctx, candidates, in.policy, in.world, hold)
	}
	return in.repo.JudgeRange(ctx, in.from, in.out.New, candidates, in.policy, in.world, hold)
}

// adoptStore takes the gates of a commit for the policy.
func (in *reception) adopt(ctx context.Context, commit string) error {
	in.policy = Policy{Gates: validate.DefaultGates(), Floor: in.server.Floor, Inherit: true}
	in.world = in.repo.Project().blind(ctx)
	if in.server.CodeRef != "" {
		var err error
		if in.world, err = in.repo.Project().World(ctx, in.server.CodeRef); err != nil {
			return fmt.Errorf("plan.receive.codeRef: %w", err)
		}
	}
	if commit == "" {
		return nil
	}
	gates, found, err := in.repo.GatesAt(ctx, commit)
	if err != nil {
		return err
	}
	in.policy.Gates = gates
	switch errs, _ := diag.Count(found); {
	case gates.Newer():
		in.refuse("%s is of a newer format than this program knows: update git plan here", GatesFile)
	case errs > 0 && commit != in.out.New:
		return in.mended(ctx)
	}
	return nil
}

// mended asks of what comes onto a gate in error that it mends the gate, and passes
// what that asks for then: what the one before asked for is not known in full.
func (in *reception) mended(ctx context.Context) error {
	gates, found, err := in.repo.GatesAt(ctx, in.out.New)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }); i >= 0 {
		in.refuse("%s of the store is in error, so nobody knows what it asks for, and nothing lands before that is mended: %s", GatesFile, found[i].Message)
	}
	in.policy.Gates = in.policy.Gates.And(gates)
	return nil
}

// rewritten refuses to drop commits that are in the store.
func (in *reception) rewritten(ctx context.Context) error {
	if in.out.Old == "" || !in.server.DenyNonFastForwards {
		return nil
	}
	kept, err := in.repo.Store.IsAncestor(ctx, in.out.Old, in.out.New)
	if err == nil && !kept {
		in.refuse("the history of the plans cannot be rewritten here (plan.receive.denyNonFastForwards): `git plan sync` publishes on top of it")
	}
	return err
}

// first judges a store that is new here: its tip as a whole, by its own gate.
// What came before is only told of.
func (in *reception) first(ctx context.Context, candidates []Candidate) error {
	if err := in.adopt(ctx, in.out.New); err != nil {
		return err
	}
	tip, err := in.repo.Store.Commit(ctx, in.out.New)
	if err != nil {
		return err
	}
	v, err := in.repo.Judge(ctx, Candidate{Tree: tip.Tree}, in.policy, in.world)
	if err != nil {
		return err
	}
	if err := in.hold(ctx, v); err != nil {
		return err
	}
	older := candidates[:max(0, len(candidates)-1)]
	policy := in.policy
	policy.Gates.Judge, policy.Inherit = validate.LevelOff, false // nobody asked for verdicts then
	return in.repo.JudgeAll(ctx, older, policy, in.world, func(v Verdict) error {
		if v.Refused() {
			in.out.Warned = append(in.out.Warned, v)
		}
		return nil
	})
}

// hold keeps what there is to say of a commit.
func (in *reception) hold(ctx context.Context, v Verdict) error {
	if v.Commit == "" {
		v.Commit = in.out.New
	}
	if !v.Range {
		in.out.Judged, in.out.Plans = in.out.Judged+1, in.out.Plans+len(v.Plans)
	}
	if in.out.Lowering == "" && v.Gates != nil && len(v.Gates.Lowered(in.policy.Gates)) > 0 {
		in.out.Lowering = v.Commit
	}
	lowered, err := in.lowers(ctx, v)
	if err != nil {
		return err
	}
	if lowered != "" {
		v.Findings = append(v.Findings, diag.Diagnostic{
			Path: GatesFile, Pos: diag.Pos{Line: 1, Column: 1}, Severity: diag.Error, Rule: validate.RuleGateConfig,
			Message: "it lowers " + lowered, Hint: "leave it as strict as it is; only the server's plan.receive.allowGateLowering lets it sink",
		})
	}
	switch {
	case !v.Refused():
		unapproved := slices.ContainsFunc(v.Findings, func(d diag.Diagnostic) bool { return d.Rule == validate.RuleJudge })
		if unapproved && len(in.out.Advised) < maxRefused {
			in.out.Advised = append(in.out.Advised, v)
		}
	case len(in.out.Refused) == maxRefused:
		in.out.More++
	default:
		in.out.Refused = append(in.out.Refused, v)
	}
	return nil
}

// lowers says in what a commit lowers the gate, or "".
func (in *reception) lowers(ctx context.Context, v Verdict) (string, error) {
	if in.asksLess(v.Gates) == "" {
		return "", nil
	}
	return in.repo.Lowers(ctx, in.policy.Gates, v)
}

// asksLess says in what a changed gates.yaml asks for less than it did, or "".
func (in *reception) asksLess(gates *validate.Gates) string {
	if gates == nil || in.out.Old == "" && len(in.known) == 0 || in.server.AllowGateLowering {
		return ""
	}
	return strings.Join(gates.Lowered(in.policy.Gates), ", ")
}

// lowered looks at where the ref would end: a merge may take an older gate
// without changing it. A proposal that does not hold the store as it is now is to
// be merged with that, and only brings the gate that it began from.
func (in *reception) lowered(ctx context.Context) error {
	if len(in.known) == 0 {
		return nil
	}
	if IsProposal(in.out.Ref) {
		if holds, err := in.repo.Store.IsAncestor(ctx, in.from, in.out.New); err != nil || !holds {
			return err
		}
	}
	gates, _, err := in.repo.GatesAt(ctx, in.out.New)
	if err != nil {
		return err
	}
	told := slices.ContainsFunc(in.out.Refused, func(v Verdict) bool { return v.Gates != nil })
	if lowered := in.asksLess(&gates); lowered != "" && !told {
		in.refuse("%s would lower %s: only plan.receive.allowGateLowering on the server lets it sink", GatesFile, lowered)
	}
	return nil
}

// signed refuses commits without a signature that git trusts.
func (in *reception) signed(ctx context.Context) error {
	asked := []string{in.out.New}
	for _, name := range in.known {
		asked = append(asked, "^"+name)
	}
	signatures, err := in.repo.Signatures(ctx, asked, true)
	if err != nil {
		return err
	}
	for _, s := range signatures {
		if s.Trust == Good || s.Trust == Exempt {
			continue
		}
		in.refuse("commit %.12s is not signed by anyone this server trusts (plan.receive.requireSigned): %s", s.Commit, distrusted(s))
		if len(in.out.Reasons) >= maxRefused {
			break
		}
	}
	return nil
}

// distrusted says why a signature does not count.
func distrusted(s Signature) string {
	switch s.Trust {
	case Unsigned:
		return "it has no signature: set `git config commit.gpgSign true`, and sign it again with `git rebase --force-rebase --gpg-sign` in a worktree of the plans"
	case Untrusted:
		return fmt.Sprintf("the key %s is not trusted as far as the server asks for", s.Key)
	case Expired:
		return fmt.Sprintf("the signature by %s, or its key, has expired", s.Key)
	case Revoked:
		return fmt.Sprintf("the key %s was revoked", s.Key)
	case Unverifiable:
		return "the server knows no key to check its signature with"
	}
	return "its signature is not one of this commit"
}
