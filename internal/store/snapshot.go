package store

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// The modes of tree entries that matter here.
const (
	modeKind = 0o170000 // what it is
	modeRun  = 0o000100 // whether its owner may run it
	modeFile = 0o100000
	modeLink = 0o120000
)

// Archive is the folder of archived plans at the store's root.
const Archive = "archive"

// GatesFile is the store's configuration at its root.
const GatesFile = "gates.yaml"

// Snapshot is the store at one commit. It never changes.
type Snapshot struct {
	repo *Repo
	// Commit is empty where there is no store.
	Commit string
	// Ref is where the commit was read from, possibly a remote-tracking ref.
	Ref string

	glanced string // what [gitstore.Repo.Glance] gave, if it is by that
	aside   string // what others have published and the commit does not have, see [view]

	root  []gitstore.Entry
	plans map[string]gitstore.Entry
}

// Snapshot reads the store as it is now: with what the remote has published on top of
// it, as it was last seen. Without a store it is empty.
func (r *Repo) Snapshot(ctx context.Context) (*Snapshot, error) {
	if seen := r.Glance(); seen != "" {
		v := r.viewOf(ctx, seen, r.Seen[r.Publisher().trackingRef()])
		if s, err := r.look(ctx, v); err == nil {
			s.glanced = seen
			return s, nil
		} // asking again tells in full what is wrong with it
	}
	v, err := r.lookNow(ctx)
	if err != nil {
		return nil, err
	}
	return r.look(ctx, v)
}

// Recall lets the next write begin from a snapshot that was taken just now,
// without looking again where the ref is; if it moved, the write does look.
func (r *Repo) Recall(s *Snapshot) {
	if s.glanced != "" {
		r.Repo.Recall(s.glanced)
	}
}

// At reads the store at a commit of its history.
func (r *Repo) At(ctx context.Context, commit string) (*Snapshot, error) {
	return r.look(ctx, view{commit: commit})
}

func (r *Repo) look(ctx context.Context, v view) (*Snapshot, error) {
	if v.commit == "" {
		return &Snapshot{repo: r, Ref: v.ref}, nil
	}
	c, err := r.Store.Commit(ctx, v.commit)
	if err != nil {
		return nil, err
	}
	s, err := r.atTree(ctx, c.Tree)
	if err != nil {
		return nil, err
	}
	s.Commit, s.Ref, s.aside = v.commit, v.ref, v.aside
	return s, nil
}

// atTree reads a state that is no commit, such as that of an index.
func (r *Repo) atTree(ctx context.Context, tree string) (*Snapshot, error) {
	root, err := r.Store.Tree(ctx, tree)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{repo: r, root: root, plans: map[string]gitstore.Entry{}}
	for _, e := range folders(s.root, plan.IsKebab) {
		if e.Name != Archive {
			s.plans[e.Name] = e
		}
	}
	return s, nil
}

// Exists reports whether there is a store at all.
func (s *Snapshot) Exists() bool { return s.Commit != "" }

// IDs gives the ids of the plans that are not archived, sorted.
func (s *Snapshot) IDs() []string {
	ids := make([]string, 0, len(s.plans))
	for id := range s.plans {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Location is where a plan is in the store.
type Location struct {
	ID string
	// Path is the plan's folder: the id, or archive/<year>/<id>.
	Path string
	// Tree names the folder's content; equal trees are equal plans.
	Tree string
}

// Archived reports whether the plan is in the archive.
func (l Location) Archived() bool { return l.Path != l.ID }

// Locate finds a plan by id, the archive included.
func (s *Snapshot) Locate(ctx context.Context, id string) (Location, bool, error) {
	if e, ok := s.plans[id]; ok {
		return Location{id, id, e.Object}, true, nil
	}
	archived, err := s.Archive(ctx)
	if err != nil {
		return Location{}, false, err
	}
	for _, l := range slices.Backward(archived) {
		if l.ID == id {
			return l, true, nil
		}
	}
	return Location{}, false, nil
}

// Locations gives the plans that are not archived, by id.
func (s *Snapshot) Locations() []Location {
	var out []Location
	for _, id := range s.IDs() {
		out = append(out, Location{id, id, s.plans[id].Object})
	}
	return out
}

// Archive gives the archived plans, by year and id.
func (s *Snapshot) Archive(ctx context.Context) ([]Location, error) {
	var out []Location
	archive := folders(s.root, func(name string) bool { return name == Archive })
	if len(archive) == 0 {
		return nil, nil
	}
	years, err := s.repo.Store.Tree(ctx, archive[0].Object)
	if err != nil {
		return nil, err
	}
	for _, y := range folders(years, isYear) {
		entries, err := s.repo.Store.Tree(ctx, y.Object)
		if err != nil {
			return nil, err
		}
		for _, e := range folders(entries, plan.IsKebab) {
			out = append(out, Location{e.Name, path.Join(Archive, y.Name, e.Name), e.Object})
		}
	}
	return out, nil
}

func folders(entries []gitstore.Entry, wanted func(string) bool) []gitstore.Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e gitstore.Entry) bool {
		return !e.IsFolder() || !wanted(e.Name)
	})
}

func isYear(name string) bool {
	return len(name) == 4 && strings.Trim(name, "0123456789") == ""
}

// Stored is a plan of the store with what was found while reading it.
type Stored struct {
	Location
	Plan  *plan.Plan
	Found []diag.Diagnostic
	// Damaged says that [Snapshot.Survey] could not read the plan, which then
	// is empty.
	Damaged bool
}

// Load reads a plan. It is a *NotFoundError if the store has none of that id.
func (s *Snapshot) Load(ctx context.Context, id string) (*Stored, error) {
	stored, err := s.Find(ctx, id)
	if err == nil && stored == nil {
		err = s.unknownPlan(ctx, id)
	}
	return stored, err
}

// Find reads a plan as [Snapshot.Load] does; it is nil if the store has none of
// that id.
func (s *Snapshot) Find(ctx context.Context, id string) (*Stored, error) {
	l, ok, err := s.Locate(ctx, id)
	if err != nil || !ok {
		return nil, err
	}
	return s.LoadAt(ctx, l)
}

// storedAt is [Snapshot.Find] at a commit.
func (r *Repo) storedAt(ctx context.Context, commit, id string) (*Stored, error) {
	s, err := r.At(ctx, commit)
	if err != nil {
		return nil, err
	}
	return s.Find(ctx, id)
}

// LoadAt reads the plan at a location.
func (s *Snapshot) LoadAt(ctx context.Context, l Location) (*Stored, error) {
	w := &treeWalk{snapshot: s}
	if err := w.folder(ctx, l.Tree, ""); err != nil {
		return nil, fmt.Errorf("plan %s: %w", l.ID, err)
	}
	p, found := s.repo.ReadPlan(l.ID, l.Path, w.files)
	for i := range w.hostile {
		w.hostile[i].Path = path.Join(l.Path, w.hostile[i].Path)
	}
	return &Stored{Location: l, Plan: p, Found: append(w.hostile, found...)}, nil
}

// Survey is LoadAt for who looks at many plans: damage to the objects of this
// one is a finding of it, and hides none of the others.
func (s *Snapshot) Survey(ctx context.Context, l Location) (*Stored, error) {
	stored, err := s.LoadAt(ctx, l)
	if !IsDamage(err) {
		return stored, err
	}
	p, _ := s.repo.ReadPlan(l.ID, l.Path, nil)
	return &Stored{Location: l, Plan: p, Damaged: true, Found: []diag.Diagnostic{{
		Path: path.Join(l.Path, "plan.md"), Pos: diag.Pos{Line: 1, Column: 1}, Severity: diag.Error, Rule: plan.RulePlanMissing,
		Message: "the plan cannot be read: " + err.Error(), Hint: "run `git plan doctor`",
	}}}, nil
}

// IsDamage reports whether an error says that an object is not there, or not
// what it should be. One that a remote has promised and does not give now is
// only out of reach: to go on without it would show as lost what is not.
func IsDamage(err error) bool {
	var corrupt *gitstore.CorruptObjectError
	var missing *gitstore.MissingObjectError
	return errors.As(err, &corrupt) || errors.As(err, &missing) && missing.Detail == ""
}

// Files reads the files of the plan at a location without parsing them. What
// cannot be a plan's file is left out.
func (s *Snapshot) Files(ctx context.Context, l Location) ([]plan.File, error) {
	w := &treeWalk{snapshot: s}
	if err := w.folder(ctx, l.Tree, ""); err != nil {
		return nil, fmt.Errorf("plan %s: %w", l.ID, err)
	}
	return w.files, nil
}

func (s *Snapshot) unknownPlan(ctx context.Context, id string) error {
	if !s.Exists() {
		return s.repo.ErrNoStore()
	}
	if a, ok := ParseAddress(id); ok && a.Plan != id {
		return s.pastPlan(ctx, a, id)
	}
	hint := "see `git plan list`"
	if near := plan.Meant(id, s.IDs()); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return &NotFoundError{What: "plan", Name: id, Hint: hint}
}

// pastPlan is the answer to an address of how a plan was, where a plan is to be named.
func (s *Snapshot) pastPlan(ctx context.Context, a Address, typed string) error {
	_, there, err := s.Locate(ctx, a.Plan)
	if err != nil {
		return err
	}
	hint := "that is how the plan was: name it as it is, " + a.Plan
	if !there {
		if _, err := s.Resolve(ctx, a); err != nil {
			return err
		}
		hint = fmt.Sprintf("that is how the plan was, and it is not there now: bring it back with `git plan export -t dir -o DIR %s`, then `git plan import -f dir --id %s DIR`", typed, a.Plan)
	}
	return &NotFoundError{What: "plan", Name: typed, Hint: hint}
}

// treeWalk collects the files of a folder, entry by entry: a hostile one is
// reported and skipped, and hides nothing beside it.
type treeWalk struct {
	snapshot *Snapshot
	files    []plan.File
	hostile  []diag.Diagnostic
	loose    bool // what can be a file on disk is admitted, too
	unread   bool // something was not read that is more than a loose walk reads
	entries  int
	bytes    int64
}

// maxEntries bounds the files and folders that are looked at in one plan.
const maxEntries = 4 * plan.MaxFiles

// folder collects what is in a tree. It stops a little beyond what a plan may
// hold, which reading the plan then reports; of folders with nothing in them
// that could not tell, so it is reported here.
func (w *treeWalk) folder(ctx context.Context, tree, dir string) error {
	entries, err := w.snapshot.repo.Store.Tree(ctx, tree)
	if err != nil {
		return err
	}
	if name, reason := gitstore.Malformed(entries); reason != "" {
		w.report(path.Join(dir, strings.ReplaceAll(name, "/", "_")), reason, "make the commit with git, and look with `git fsck`")
	}
	for _, e := range entries {
		if w.entries++; len(w.files) > w.mostFiles() || w.entries > maxEntries {
			w.unread = true
			if w.entries == maxEntries+1 {
				w.hostile = append(w.hostile, diag.Diagnostic{
					Path: "plan.md", Pos: diag.Pos{Line: 1, Column: 1}, Rule: plan.RuleLimits, Hint: "remove what is no part of the plan",
					Message: fmt.Sprintf("the plan's folder holds more than %d files and folders; the rest is not read", maxEntries),
				})
			}
			return nil
		}
		if err := w.entry(ctx, e, dir); err != nil {
			return err
		}
	}
	return nil
}

func (w *treeWalk) report(p, message, hint string) {
	w.hostile = append(w.hostile, diag.Diagnostic{Path: p, Pos: diag.Pos{Line: 1, Column: 1}, Rule: plan.RuleStrayFile, Message: message, Hint: hint})
}

func (w *treeWalk) entry(ctx context.Context, e gitstore.Entry, dir string) error {
	if !w.admits(e.Name) {
		w.report(path.Join(dir, strings.ReplaceAll(e.Name, "/", "_")), "this name cannot stand in a plan", "remove the entry from the branch")
		return nil
	}
	file := plan.File{Path: path.Join(dir, e.Name), Mode: fileMode(e.Mode)}
	switch {
	case e.IsFolder() && strings.Count(file.Path, "/") > plan.MaxDepth:
		file.Mode = plan.Regular // a folder too deep stands for what is in it
		file.Path += "/plan.md"
	case e.IsFolder():
		return w.folder(ctx, e.Object, file.Path)
	case w.bytes > w.mostBytes(): // too large whatever follows: nothing more is read
		w.unread = true
	case (file.Mode == plan.Regular || file.Mode == plan.Executable) && strings.HasSuffix(e.Name, ".md"):
		if err := w.data(ctx, e, &file); err != nil {
			return err
		}
	}
	w.files = append(w.files, file)
	return nil
}

// safeName reports whether a name is one that a plan's folder may hold:
// nothing that a file system, a terminal or git reads as something else.
func safeName(name string) bool {
	return name != "" && name != "." && name != ".." && name != ".git" &&
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789._-") == ""
}

// fileMode is what git takes a mode for, which is all that it shows of one:
// permissions that it does not write are those that it would.
func fileMode(mode uint32) plan.Mode {
	switch {
	case mode&modeKind == modeFile && mode&modeRun != 0:
		return plan.Executable
	case mode&modeKind == modeFile:
		return plan.Regular
	case mode&modeKind == modeLink:
		return plan.Symlink
	}
	return plan.Irregular
}

// isOwnFile reports whether a name at the root is that of one of the store's own
// files.
func isOwnFile(name string) bool {
	switch name {
	case "README.md", ".gitattributes", GatesFile, ".gitlab-ci.yml", ".pre-commit-config.yaml":
		return true
	}
	return false
}
