package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/report"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

func looksLikePath(s string) bool {
	return strings.HasPrefix(s, "/") || strings.HasPrefix(s, ".") || strings.HasSuffix(s, ".md") || filepath.IsAbs(s)
}

// target is a path if it looks like one, else a plan, else a range or a
// revision of the store, else a path after all.
func (c *checker) target(ctx context.Context, name string) error {
	if looksLikePath(name) {
		return c.path(ctx, name)
	}
	var unknown error
	if address, ok := store.ParseAddress(name); ok {
		at, err := c.store.Resolve(ctx, address)
		if err == nil {
			return c.plan(ctx, at, address.Plan)
		}
		if !isNotFound(err) && !store.IsDamage(err) || address.Rev != "" || address.Version > 0 {
			return err
		}
		unknown = err // a damaged archive may hold it, and hides no revision
	}
	_, missing := os.Stat(c.app.abs(name))
	if from, to, ok := strings.Cut(name, ".."); ok && missing != nil {
		return c.between(ctx, name, from, to)
	}
	commit, err := c.app.repo.Store.Resolve(ctx, name)
	switch {
	case err == nil:
		return c.revision(ctx, name, commit)
	case missing == nil:
		return c.path(ctx, name)
	case store.IsDamage(unknown):
		return unknown
	}
	return &store.NotFoundError{What: "plan, revision or path", Name: name, Hint: "see `git plan list`; a path begins with \"/\" or \".\", or stands after --"}
}

// plan checks a stored plan by the store's gate of today.
func (c *checker) plan(ctx context.Context, at *store.Snapshot, id string) error {
	policy, err := c.storePolicy(ctx)
	if err != nil {
		return err
	}
	others, err := at.Others(ctx, policy.Gates)
	if err != nil {
		return err
	}
	p, err := at.Load(ctx, id)
	if err != nil {
		return err
	}
	return c.judgeStored(ctx, p, policy, others)
}

func (c *checker) judgeStored(ctx context.Context, p *store.Stored, policy store.Policy, others func(string) []string) error {
	return c.judge(ctx, &c.stored, store.Subject{Plan: p.Plan, Found: p.Found, Stored: true, Others: others}, policy)
}

// revision checks a state of the store by its own gate.
func (c *checker) revision(ctx context.Context, name, commit string) error {
	at, err := c.app.repo.At(ctx, commit)
	if err != nil {
		return err
	}
	gates, found, err := at.Gates(ctx)
	if err != nil {
		return err
	}
	c.warnOfNewer(gates, name)
	strays, err := at.Strays(ctx)
	if err != nil {
		return err
	}
	c.stored.Findings = append(append(c.stored.Findings, found...), strays...)
	policy := c.policyBy(gates)
	others, err := at.Others(ctx, gates)
	if err != nil {
		return err
	}
	for _, l := range at.Locations() {
		p, err := at.Survey(ctx, l)
		if err != nil {
			return err
		}
		if err := c.judgeStored(ctx, p, policy, others); err != nil {
			return err
		}
	}
	return nil
}

// between checks the commits of a range, each as the change that it is.
func (c *checker) between(ctx context.Context, name, from, to string) error {
	if strings.HasPrefix(to, ".") {
		return &usageError{"a range is A..B, the commits that B has and A has not; there is no A...B here"}
	}
	tip, err := c.end(ctx, name, to)
	if err != nil {
		return err
	}
	if from != "" && strings.Trim(from, "0") == "" { // how hooks and CI name what was not there before
		return c.revision(ctx, to, tip)
	}
	origin, err := c.end(ctx, name, from)
	if err != nil {
		return err
	}
	repo := c.app.repo
	gates, found, err := repo.GatesAt(ctx, origin)
	if err != nil {
		return err
	}
	c.warnOfNewer(gates, from)
	if len(found) > 0 {
		c.app.warn("gates.yaml in %s has %s, and what is wrong there counts as not said", from, count(len(found), "error"))
	}
	candidates, err := repo.Candidates(ctx, tip, origin)
	if err != nil {
		return err
	}
	policy := c.policyBy(gates)
	return repo.JudgeRange(ctx, origin, tip, candidates, policy, c.world, func(v store.Verdict) error { return c.judged(ctx, gates, v) })
}

// judged keeps what was found in a commit of a range.
func (c *checker) judged(ctx context.Context, gates validate.Gates, v store.Verdict) error {
	if err := c.tellLowered(ctx, gates, &v); err != nil {
		return err
	}
	g := c.groupOf(ctx, v)
	if len(v.Findings) > 0 {
		commit, err := c.app.repo.Store.Commit(ctx, v.Commit)
		if err != nil {
			return err
		}
		g.Subject, _, _ = strings.Cut(strings.TrimLeft(commit.Message, "\n"), "\n")
	}
	if v.Range {
		g.Subject = fmt.Sprintf("all since %.12s, as one change", v.Parents[0])
	}
	c.commits = append(c.commits, g)
	return nil
}

// tellLowered warns of a commit that makes the gate ask for less. Whether it may
// is for those to say who take the range in: a server's hook refuses it.
func (c *checker) tellLowered(ctx context.Context, gates validate.Gates, v *store.Verdict) error {
	lowered, err := c.app.repo.Lowers(ctx, gates, *v)
	if err != nil || lowered == "" {
		return err
	}
	v.Findings = append(v.Findings, diag.Diagnostic{
		Path: store.GatesFile, Pos: diag.Pos{Line: 1, Column: 1}, Severity: diag.Warning, Rule: validate.RuleGateConfig,
		Message: "it lowers " + lowered, Hint: "from here on plans pass that were refused until now; take it in only if that is meant",
	})
	return nil
}

// end finds one end of a range; the one left out is the store's tip.
func (c *checker) end(ctx context.Context, name, rev string) (string, error) {
	if rev == "" {
		if !c.store.Exists() {
			return "", c.app.repo.ErrNoStore()
		}
		return c.store.Commit, nil
	}
	commit, err := c.app.repo.Store.Resolve(ctx, rev)
	var unknown *gitstore.NotFoundError
	if errors.As(err, &unknown) {
		return "", &store.NotFoundError{What: "revision", Name: rev, Hint: "it is an end of the range " + name}
	}
	return commit, err
}

// relativeTo gives a finding's path within its plan.
func relativeTo(prefix, p string) string {
	if prefix == "." || prefix == "" {
		return p
	}
	return strings.TrimPrefix(p, path.Clean(prefix)+"/")
}

// keep drops the findings from index on that are not about the file.
func keep(g *report.Group, from int, file string) {
	kept := g.Findings[:from:from]
	for _, d := range g.Findings[from:] {
		if d.Path == file {
			kept = append(kept, d)
		}
	}
	g.Findings = kept
}

// rememberFiles keeps the files in the file system that findings are about:
// nothing that is a link, or too large to be a plan's.
func (c *checker) rememberFiles(found []diag.Diagnostic) {
	if !c.carets {
		return
	}
	for _, d := range found {
		full := c.app.abs(filepath.FromSlash(d.Path))
		if info, err := os.Lstat(full); err != nil || !info.Mode().IsRegular() || info.Size() > plan.MaxFile {
			continue
		}
		if data, err := os.ReadFile(full); err == nil {
			c.texts[d.Path] = string(data)
		}
	}
}

// path checks a plan's folder, one file of it within its plan, a gates.yaml, or
// a checkout of the store.
func (c *checker) path(ctx context.Context, name string) error {
	full := c.app.abs(name)
	info, err := os.Stat(full)
	switch {
	case err != nil:
		return &store.NotFoundError{What: "path", Name: name}
	case info.IsDir() && c.isCheckout(ctx, full):
		return c.checkout(ctx, full)
	case info.IsDir():
		return c.folder(ctx, full)
	case filepath.Base(full) == store.GatesFile:
		_, err := c.gatesFile(full)
		return err
	}
	before := len(c.disk.Findings)
	if err := c.folder(ctx, planFolder(full)); err != nil {
		return err
	}
	keep(&c.disk, before, draft.RelativeTo(c.app.Dir, full))
	return nil
}

// folder checks a plan's folder by the store's gate.
func (c *checker) folder(ctx context.Context, dir string) error {
	policy, err := c.storePolicy(ctx)
	if err != nil {
		return err
	}
	id := filepath.Base(dir)
	if policy.Gates.Asks(validate.RuleOverlap) && c.app.repo.WorkTree != "" {
		d, err := c.app.drafts(ctx)
		if err != nil {
			return err
		}
		own, err := d.PlanIn(dir)
		if err != nil {
			return err
		}
		if own != "" {
			id = own // its stored version is no other plan
		}
	}
	in, err := c.read(ctx, dir, id)
	if err != nil {
		return err
	}
	if in.Others, err = c.store.Others(ctx, policy.Gates, in.Plan); err != nil {
		return err
	}
	return c.judge(ctx, &c.disk, in, policy)
}

func (c *checker) read(ctx context.Context, dir, id string) (in store.Subject, err error) {
	files, err := c.app.readPlanFiles(dir)
	if err != nil {
		return in, err
	}
	in.Plan, in.Found = plan.Read(id, draft.RelativeTo(c.app.Dir, dir), files)
	tracked := sync.OnceValue(func() []string { return c.tracked(ctx, dir) })
	in.OnRef = func(name string) bool { return slices.Contains(tracked(), relativeTo(in.Plan.Prefix, name)) }
	return in, nil
}

// tracked gives the files of a plan's folder that git tracks in a checkout of the
// store; none of a folder that is elsewhere.
func (c *checker) tracked(ctx context.Context, dir string) []string {
	g := c.app.repo.Git.Elsewhere(dir)
	top, err := g.ReadLine(ctx, "rev-parse", "--show-toplevel")
	if err != nil || !c.isCheckout(ctx, top) {
		return nil
	}
	out, err := g.Read(ctx, "ls-files", "-z")
	if err != nil {
		return nil
	}
	return strings.Split(string(out), "\x00")
}

// isCheckout reports whether a folder holds the store's files: it is no plan,
// and there is a gates.yaml, or git has a branch of plans checked out there.
func (c *checker) isCheckout(ctx context.Context, dir string) bool {
	if exists(filepath.Join(dir, "plan.md")) {
		return false
	}
	if exists(filepath.Join(dir, store.GatesFile)) {
		return true
	}
	if !exists(filepath.Join(dir, ".git")) {
		return false
	}
	branch, err := c.app.repo.Git.Elsewhere(dir).ReadLine(ctx, "symbolic-ref", "--quiet", "HEAD")
	return err == nil && c.app.repo.Governs(branch)
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// checkout checks the plans in a checkout of the store by the gate that lies
// beside them. What is no plan and not tracked by git is no business of ours.
func (c *checker) checkout(ctx context.Context, dir string) error {
	gates := validate.DefaultGates()
	if file := filepath.Join(dir, store.GatesFile); exists(file) {
		var err error
		if gates, err = c.gatesFile(file); err != nil {
			return err
		}
	}
	folders, err := planFolders(dir)
	if err != nil {
		return err
	}
	var all []store.Subject
	var plans []*plan.Plan
	for _, sub := range folders {
		in, err := c.read(ctx, sub, filepath.Base(sub))
		if err != nil {
			return err
		}
		all, plans = append(all, in), append(plans, in.Plan)
	}
	nothing, err := c.app.repo.At(ctx, "")
	if err != nil {
		return err
	}
	others, err := nothing.Others(ctx, gates, plans...)
	if err != nil {
		return err
	}
	for _, in := range all {
		in.Others = others
		if err := c.judge(ctx, &c.disk, in, c.policyBy(gates)); err != nil {
			return err
		}
	}
	return nil
}

// planFolders gives the folders of plans in a checkout of the store.
func planFolders(checkout string) ([]string, error) {
	entries, err := os.ReadDir(checkout)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		sub := filepath.Join(checkout, e.Name())
		if e.IsDir() && plan.IsKebab(e.Name()) && e.Name() != store.Archive && (exists(filepath.Join(sub, "plan.md")) || exists(filepath.Join(sub, "tasks"))) {
			out = append(out, sub)
		}
	}
	return out, nil
}

// gatesFile checks a gates.yaml in the file system.
func (c *checker) gatesFile(file string) (validate.Gates, error) {
	name := draft.RelativeTo(c.app.Dir, file)
	info, err := os.Lstat(file)
	if err != nil {
		return validate.Gates{}, err
	}
	if !info.Mode().IsRegular() {
		c.disk.Findings = append(c.disk.Findings, diag.Diagnostic{
			Path: name, Pos: diag.Pos{Line: 1, Column: 1}, Severity: diag.Error, Rule: validate.RuleGateConfig, Message: "it is no regular file",
		})
		return validate.DefaultGates(), nil
	}
	data := make([]byte, plan.MaxFile+1) // over the limit, which is all there is to say
	if info.Size() <= plan.MaxFile {
		if data, err = os.ReadFile(file); err != nil {
			return validate.Gates{}, err
		}
	}
	gates, found := validate.ParseGates(name, data)
	c.warnOfNewer(gates, filepath.Dir(name))
	c.disk.Findings = append(c.disk.Findings, found...)
	c.rememberFiles(found)
	return gates, nil
}

// planFolder gives the plan's folder that a plan file is in: its own for
// plan.md, else the nearest above that has a plan.md.
func planFolder(file string) string {
	dir := filepath.Dir(file)
	if filepath.Base(file) == "plan.md" {
		return dir
	}
	for up := dir; up != filepath.Dir(up); up = filepath.Dir(up) {
		if exists(filepath.Join(up, "plan.md")) {
			return up
		}
	}
	return dir
}
