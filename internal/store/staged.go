package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// Index is the index that git would commit.
type Index struct{ repo *Repo }

// Index gives the index: GIT_INDEX_FILE counts.
func (r *Repo) Index() Index { return Index{r} }

// Staging is what a commit of the index would do to plans.
type Staging struct {
	// Branch is the full name of the branch that the commit is for, or "" where
	// HEAD is detached.
	Branch string
	// Candidate is the state of the store that the commit would make. It is nil
	// on a branch that holds code.
	Candidate *Candidate
	// Drafts are the plans in folders of a branch that holds code, as the
	// index has them. Those are left out of which nothing is staged.
	Drafts []StagedDraft
}

// StagedDraft is a folder of the code that is a plan.
type StagedDraft struct {
	// Folder is the path from the top of the working tree, "" for the top.
	Folder string
	Plan   *plan.Plan
	Found  []diag.Diagnostic
}

// Empty reports whether the commit is none of the gate's business.
func (s Staging) Empty() bool { return s.Candidate == nil && len(s.Drafts) == 0 }

// Staged looks at the index. It writes nothing but, on a branch that holds
// plans, the index's tree; where no plan is staged it costs two children of
// git. Unmerged files are an *[UnmergedError].
func (x Index) Staged(ctx context.Context) (Staging, error) {
	if x.repo.WorkTree == "" {
		return Staging{}, &UnsupportedError{"there is no index here: only a working tree has one"}
	}
	branch, err := x.repo.HeadBranch(ctx)
	if err != nil {
		return Staging{}, err
	}
	s := Staging{Branch: branch}
	if branch != "" && x.repo.Governs(branch) {
		s.Candidate, err = x.stagedStore(ctx)
	} else {
		s.Drafts, err = x.stagedDrafts(ctx)
	}
	return s, err
}

// HeadBranch gives the full name of the branch that HEAD stands for, also in
// the middle of its rebase; it is "" where HEAD is detached otherwise. One that
// the store's ref leads to, where that is a symbolic ref, is the store.
func (r *Repo) HeadBranch(ctx context.Context) (string, error) {
	name, err := r.Head(ctx)
	if err != nil {
		return "", err
	}
	if name == "" {
		name, _ = gitstore.Rebasing(r.GitDir)
	}
	if name == "" || r.Governs(name) {
		return name, nil
	}
	if home, err := r.RefEnd(ctx, r.Ref); err != nil || home == name {
		return r.Ref, err
	}
	return name, nil
}

// stagedStore makes a candidate of the whole index.
func (x Index) stagedStore(ctx context.Context) (*Candidate, error) {
	tree, err := x.repo.Git.Write(ctx, nil, "write-tree")
	if err != nil {
		if unmerged := x.unmerged(ctx); unmerged != nil {
			return nil, unmerged
		}
		return nil, err
	}
	c := &Candidate{Tree: strings.TrimSpace(string(tree))}
	head, err := x.repo.Store.Resolve(ctx, "HEAD")
	var unborn *gitstore.NotFoundError
	if errors.As(err, &unborn) {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	c.Parents = append([]string{head}, x.merging(ctx)...)
	return c, nil
}

// merging gives the other sides of the merge that is in progress. Git writes
// them down, one a line, where the merge waits for a commit; while it runs the
// hook before a merge's own commit it has only told its children of them, in
// variables that every strategy gets.
func (x Index) merging(ctx context.Context) []string {
	if data, err := os.ReadFile(filepath.Join(x.repo.GitDir, "MERGE_HEAD")); err == nil {
		return strings.Fields(string(data))
	}
	const variable = "GITHEAD_"
	var sides []string
	for _, name := range x.repo.Git.Variables(variable) {
		// One that was inherited from a merge elsewhere means nothing here.
		if commit, err := x.repo.Store.Resolve(ctx, strings.TrimPrefix(name, variable)); err == nil && strings.HasSuffix(name, commit) {
			sides = append(sides, commit)
		}
	}
	return sides
}

// unmerged is the error of an index with unmerged files, or nil.
func (x Index) unmerged(ctx context.Context) error {
	out, err := x.repo.Git.Read(ctx, "ls-files", "--unmerged", "-z", "--full-name", "--", ":(top)")
	if err != nil || len(out) == 0 {
		return err
	}
	e := &UnmergedError{}
	for _, f := range parseIndex(out) {
		if len(e.Paths) == 0 || e.Paths[len(e.Paths)-1] != f.path {
			e.Paths = append(e.Paths, f.path)
		}
	}
	return e
}

// Policy gives what to judge a staging by: the gate of the state that it
// follows, for a proposal the store's, and at least floor. A draft's paths are
// looked up in the working tree; in that of a branch that holds plans the
// project is not there to look in.
func (x Index) Policy(ctx context.Context, s Staging, floor validate.Gate) (Policy, World, error) {
	p, w := Policy{Floor: floor, Gates: validate.DefaultGates()}, x.repo.Project().blind(ctx)
	if s.Empty() {
		return p, w, nil
	}
	if s.Candidate == nil {
		snapshot, err := x.repo.Snapshot(ctx)
		if err != nil {
			return p, w, err
		}
		if p.Gates, _, err = snapshot.Gates(ctx); err != nil {
			return p, w, err
		}
		w, err = x.repo.Project().World(ctx, "")
		return p, w, err
	}
	from, err := x.governing(ctx, s)
	if err != nil {
		return p, w, err
	}
	if p.Gates, _, err = from.Gates(ctx); err == nil && p.Gates.Newer() {
		err = errNewerGates()
	}
	return p, w, err
}

// governing gives the state whose gates.yaml holds: the first has none but its own.
func (x Index) governing(ctx context.Context, s Staging) (*Snapshot, error) {
	if IsProposal(s.Branch) {
		store, err := x.repo.Snapshot(ctx)
		if err != nil || store.Exists() {
			return store, err
		}
	}
	if len(s.Candidate.Parents) == 0 {
		return x.repo.atTree(ctx, s.Candidate.Tree)
	}
	return x.repo.At(ctx, s.Candidate.Parents[0])
}

// Judge judges what is staged: a state of the store as the change that it
// is, drafts as wholes.
func (x Index) Judge(ctx context.Context, s Staging, p Policy, w World) (Verdict, error) {
	if s.Candidate != nil {
		return x.repo.Judge(ctx, *s.Candidate, p, w)
	}
	var v Verdict
	store, err := x.repo.Snapshot(ctx)
	if err != nil || len(s.Drafts) == 0 {
		return v, err
	}
	var plans []*plan.Plan
	for _, d := range s.Drafts {
		plans = append(plans, d.Plan)
	}
	others, err := store.Others(ctx, p.Gates, plans...)
	if err != nil {
		return v, err
	}
	for _, d := range s.Drafts {
		found, err := Inspect(ctx, Subject{Plan: d.Plan, Found: d.Found, Others: others}, p, w)
		if err != nil {
			return v, err
		}
		v.Findings = append(v.Findings, found...)
		v.Plans = append(v.Plans, Outcome{ID: d.Plan.ID, After: d.Plan})
	}
	diag.Sort(v.Findings)
	return v, nil
}

// stagedDrafts finds the folders of plans of which something is staged.
func (x Index) stagedDrafts(ctx context.Context) ([]StagedDraft, error) {
	out, err := x.repo.Git.Read(ctx, "diff", "--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-relative", "--ignore-submodules", "--",
		":(top,glob)**/plan.md", ":(top,glob)**/tasks/**", ":(top,glob)**/signals/**")
	if err != nil || len(out) == 0 {
		return nil, err
	}
	touched := map[string]bool{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		for _, folder := range foldersOf(name) {
			touched[folder] = true
		}
	}
	plans, err := x.indexed(ctx, ":(top,glob)**/plan.md")
	if err != nil {
		return nil, err
	}
	var drafts []StagedDraft
	for _, f := range plans {
		if folder := strings.TrimSuffix(strings.TrimSuffix(f.path, "plan.md"), "/"); touched[folder] {
			d, ok, err := x.stagedDraft(ctx, folder)
			if err != nil {
				return nil, err
			}
			if ok {
				drafts = append(drafts, d)
			}
		}
	}
	return drafts, nil
}

// foldersOf gives the folders whose plan a file of that path could belong to.
func foldersOf(name string) []string {
	parts := strings.Split(name, "/")
	var out []string
	for i, part := range parts {
		last := i == len(parts)-1
		if last && part == "plan.md" || !last && (part == "tasks" || part == "signals") {
			out = append(out, strings.Join(parts[:i], "/"))
		}
	}
	return out
}

// stagedDraft reads one folder from the index; ok is false if it is no plan.
func (x Index) stagedDraft(ctx context.Context, folder string) (d StagedDraft, ok bool, err error) {
	specs := []string{":(top,literal)" + folder}
	if folder == "" { // the rest of the project is no part of the plan
		specs = []string{":(top,literal)plan.md", ":(top,literal)tasks", ":(top,literal)signals"}
	}
	entries, err := x.indexed(ctx, specs...)
	if err != nil {
		return d, false, err
	}
	files, err := x.stagedFiles(ctx, folder, entries)
	if err != nil || !looksLikePlan(files) {
		return d, false, err
	}
	prefix, err := filepath.Rel(filepath.FromSlash("/"+x.repo.Prefix), filepath.FromSlash("/"+folder))
	if err != nil {
		return d, false, err
	}
	d = StagedDraft{Folder: folder}
	d.Plan, d.Found = x.repo.ReadPlan(path.Base(path.Join(filepath.ToSlash(x.repo.WorkTree), folder)), filepath.ToSlash(prefix), files)
	return d, true, nil
}

// looksLikePlan reports whether a folder is meant to be a plan: it has tasks,
// and its plan.md has a title in what is, or should be, its frontmatter.
func looksLikePlan(files []plan.File) bool {
	tasks, title := false, false
	for _, f := range files {
		tasks = tasks || strings.HasPrefix(f.Path, "tasks/")
		if rest, ok := strings.CutPrefix(string(plan.Normalize(f.Data)), "---\n"); ok && f.Path == "plan.md" {
			front, _, _ := strings.Cut(rest, "\n---\n")
			title = strings.Contains("\n"+front, "\ntitle:")
		}
	}
	return tasks && title
}

// stagedFiles reads the files of a folder, as far as a plan may be large.
func (x Index) stagedFiles(ctx context.Context, folder string, entries []indexEntry) ([]plan.File, error) {
	var files []plan.File
	var size int64
	for _, e := range entries {
		if len(files) > plan.MaxFiles {
			break // reading the plan says that this is too many
		}
		f := plan.File{Path: strings.TrimPrefix(e.path, folder+"/"), Mode: fileMode(e.mode)}
		if (f.Mode == plan.Regular || f.Mode == plan.Executable) && strings.HasSuffix(f.Path, ".md") && size <= plan.MaxPlan {
			var large *gitstore.TooLargeError
			data, err := x.repo.Store.Blob(ctx, e.object, plan.MaxFile)
			switch {
			case errors.As(err, &large):
				f.Size = large.Size
			case err != nil:
				return nil, err
			case len(data) == 0 && x.onlyIntended(ctx, e.path):
				continue
			}
			f.Data = data
			size += max(f.Size, int64(len(data)))
		}
		files = append(files, f)
	}
	return files, nil
}

// onlyIntended reports whether an empty entry is one of `git add -N`, which a
// commit leaves out.
func (x Index) onlyIntended(ctx context.Context, name string) bool {
	out, err := x.repo.Git.Read(ctx, "diff-files", "--name-only", "-z", "--diff-filter=A", "--", ":(top,literal)"+name)
	return err == nil && len(out) > 0
}

// indexEntry is one entry of the index.
type indexEntry struct {
	path, object string
	mode         uint32
	stage        string
}

// indexed lists entries of the index. Of unmerged ones nothing can be said.
func (x Index) indexed(ctx context.Context, specs ...string) ([]indexEntry, error) {
	out, err := x.repo.Git.Read(ctx, append([]string{"ls-files", "--stage", "-z", "--full-name", "--"}, specs...)...)
	if err != nil {
		return nil, err
	}
	all := parseIndex(out)
	for _, e := range all {
		if e.stage != "0" {
			return nil, &UnmergedError{Paths: []string{e.path}}
		}
	}
	return all, nil
}

// parseIndex reads "<mode> <object> <stage>\t<path>", each ended by NUL.
func parseIndex(out []byte) []indexEntry {
	var all []indexEntry
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		var e indexEntry
		head, name, ok := strings.Cut(line, "\t")
		if _, err := fmt.Sscanf(head, "%o %s %s", &e.mode, &e.object, &e.stage); ok && err == nil {
			e.path = name
			all = append(all, e)
		}
	}
	return all
}
