package store

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Strays reports what stands outside of plans and has no place there: at the
// store's root and in the archive. A plan that is archived and at work at once,
// or archived in two years, is a warning: by its id one of them is found.
func (s *Snapshot) Strays(ctx context.Context) ([]diag.Diagnostic, error) {
	out := s.rootStrays()
	first := map[string]string{}
	for _, l := range s.Locations() {
		first[l.ID] = l.Path
	}
	folders, err := s.archiveFolders(ctx)
	if IsDamage(err) {
		return append(out, strayAt(Archive, "the archive cannot be read: "+err.Error(), "run `git plan doctor`")), nil
	}
	if err != nil {
		return nil, err
	}
	for _, f := range folders {
		out = append(out, straysIn(f.path, f.entries)...)
		for _, e := range f.entries {
			at := path.Join(f.path, e.Name)
			if f.path == Archive || !hasPlace(at, e) {
				continue
			}
			if other := first[e.Name]; other != "" {
				d := strayAt(at, fmt.Sprintf("there is another plan of this id, %s", other), "rename one of the two folders")
				d.Severity = diag.Warning
				out = append(out, d)
			}
			first[e.Name] = at
		}
	}
	return out, nil
}

// rootStrays reports what has no place at the root.
func (s *Snapshot) rootStrays() []diag.Diagnostic { return straysIn("", s.root) }

// straysIn reports the entries of a folder outside of plans that have no place
// in it, and how the folder is malformed.
func straysIn(dir string, entries []gitstore.Entry) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, e := range entries {
		if at := join(dir, e.Name); !hasPlace(at, e) {
			out = append(out, strayAt(at, "neither a plan nor one of the store's own files", "remove it from the branch"))
		}
	}
	if name, reason := gitstore.Malformed(entries); reason != "" {
		out = append(out, strayAt(join(dir, name), reason, "make the commit with git, and look with `git fsck`"))
	}
	slices.SortStableFunc(out, func(a, b diag.Diagnostic) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

// join puts a name below a folder as it is: what is in it is what is reported.
func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

func strayAt(p, message, hint string) diag.Diagnostic {
	return diag.Diagnostic{Path: p, Pos: diag.Pos{Line: 1, Column: 1}, Severity: diag.Error, Rule: plan.RuleStrayFile, Message: message, Hint: hint}
}

// archiveFolder is the archive or one year of it.
type archiveFolder struct {
	path    string
	entries []gitstore.Entry
}

// archiveFolders reads the archive down to the folders of plans.
func (s *Snapshot) archiveFolders(ctx context.Context) ([]archiveFolder, error) {
	var out []archiveFolder
	for _, archive := range folders(s.root, func(name string) bool { return name == Archive }) {
		years, err := s.repo.Store.Tree(ctx, archive.Object)
		if err != nil {
			return nil, err
		}
		out = append(out, archiveFolder{Archive, years})
		for _, y := range folders(years, isYear) {
			entries, err := s.repo.Store.Tree(ctx, y.Object)
			if err != nil {
				return nil, err
			}
			out = append(out, archiveFolder{Archive + "/" + y.Name, entries})
		}
	}
	return out, nil
}

// Foreign gives an entry that shows the branch to be somebody's for something
// else, or "": one that is no plan, or folders of which none is, where there is
// no gates.yaml.
func (s *Snapshot) Foreign(ctx context.Context) (string, error) {
	if slices.ContainsFunc(s.root, func(e gitstore.Entry) bool { return e.Name == GatesFile }) {
		return "", nil
	}
	if strays := s.rootStrays(); len(strays) > 0 {
		return strays[0].Path, nil
	}
	ids := s.IDs()
	for _, id := range ids {
		entries, err := s.repo.Store.Tree(ctx, s.plans[id].Object)
		if err != nil {
			return "", err
		}
		if slices.ContainsFunc(entries, func(e gitstore.Entry) bool { return e.Name == "plan.md" }) {
			return "", nil
		}
	}
	if len(ids) > 0 {
		return ids[0] + "/", nil
	}
	return "", nil
}

// MustBeStore refuses a branch that is in use for something else, here or, if one is
// named, at a remote.
func (s *Snapshot) MustBeStore(ctx context.Context, remote string) error {
	entry, err := s.Foreign(ctx)
	if err != nil || entry == "" {
		return err
	}
	of, there := "", ""
	if remote != "" {
		of, there = " of "+remote, " there"
	}
	return &ExistsError{Message: fmt.Sprintf(
		"branch %s%s is in use for something else (it holds %s): rename it%s, or set plan.ref to another ref", s.repo.Branch(), of, entry, there)}
}
