package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// ownFiles gives the store's own files by path. A folder that lies too deep
// stands for what is in it.
func (s *Snapshot) ownFiles(ctx context.Context) (map[string]gitstore.Entry, error) {
	out := map[string]gitstore.Entry{}
	for _, e := range s.root {
		switch {
		case isOwnFile(e.Name) && !e.IsFolder():
			out[e.Name] = e
		case e.Name == ".github" && e.IsFolder():
			if err := s.filesBelow(ctx, e, e.Name, out); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// OwnFile is one of the store's own files.
type OwnFile struct {
	Path string
	// Object is the same for the same content, and for no other.
	Object string
	Mode   uint32
	// Gates are what gates.yaml sets, nil of any other file and where Error says
	// why that is not known.
	Gates *validate.Gates
	Error string
}

// OwnFiles gives the store's own files, by path.
func (s *Snapshot) OwnFiles(ctx context.Context) ([]OwnFile, error) {
	entries, err := s.ownFiles(ctx)
	if err != nil {
		return nil, err
	}
	var out []OwnFile
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		e := entries[name]
		f := OwnFile{Path: name, Object: e.Object, Mode: e.Mode}
		if name == GatesFile {
			gates, found, err := s.repo.gatesOf(ctx, e)
			if err != nil {
				return nil, err
			}
			switch {
			case len(found) > 0:
				f.Error = found[0].Message
			case gates.Newer():
				f.Error = "it is of a newer format, which only a newer git plan understands"
			default:
				f.Gates = &gates
			}
		}
		out = append(out, f)
	}
	return out, nil
}

func (s *Snapshot) filesBelow(ctx context.Context, folder gitstore.Entry, at string, out map[string]gitstore.Entry) error {
	entries, err := s.repo.Store.Tree(ctx, folder.Object)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(at, e.Name)
		switch {
		case strings.Contains(e.Name, "/"):
		case e.IsFolder() && strings.Count(name, "/") <= plan.MaxDepth:
			if err := s.filesBelow(ctx, e, name, out); err != nil {
				return err
			}
		default:
			out[name] = e
		}
	}
	return nil
}

// loadOwn reads the store's own files that are not the same in all states. What
// is no plain file of moderate size is not read, and merged as a whole.
func (m *commitMerge) loadOwn(ctx context.Context, commit string) error {
	for name, e := range unlike(m.own, commit) {
		if fileMode(e.Mode) != plan.Regular {
			m.whole[name] = true
			continue
		}
		data, err := m.repo.Store.Blob(ctx, e.Object, plan.MaxFile)
		var large *gitstore.TooLargeError
		if errors.As(err, &large) {
			m.whole[name] = true
			continue
		}
		if err != nil {
			return err
		}
		m.stores[commit].Files[name] = data
	}
	return nil
}

// mergeWhole merges files of which only one side or the other can be taken.
func (m *commitMerge) mergeWhole(base *ancestor, ours, theirs string, result *mergedStore) {
	for _, name := range slices.Sorted(maps.Keys(m.whole)) {
		b, o, t := m.own[base.first()][name], m.own[ours][name], m.own[theirs][name]
		switch {
		case o == t || o == b:
		case t != b:
			result.Conflicts = append(result.Conflicts, merge.Conflict{
				Field: name, Ours: nameOf(o), Theirs: nameOf(t), Message: "both sides changed it, and it is not one to merge by line",
			})
		default:
			result.whole = append(result.whole, gitstore.FileChange{Path: name, Delete: true})
			if o.Mode != 0 {
				result.whole = append(result.whole, gitstore.FileChange{Path: name, Object: o.Object, Mode: writable(o)})
			}
		}
	}
}

// nameOf names what an entry is, or "" where there is none.
func nameOf(e gitstore.Entry) string { return fmt.Sprintf("%.12s", e.Object) }

// writable is the mode that git writes for an entry.
func writable(e gitstore.Entry) uint32 {
	switch {
	case e.IsFolder():
		return gitstore.ModeFolder
	case fileMode(e.Mode) == plan.Regular:
		return gitstore.ModeFile
	case fileMode(e.Mode) == plan.Executable:
		return gitstore.ModeExecutable
	}
	return e.Mode
}

// leftOut gives what ours has that merging by plans and own files passes over,
// and that is neither as theirs has it nor as it was before: files that belong
// to no plan, and a plan beside another one of its id.
func (m *commitMerge) leftOut(ctx context.Context, base *ancestor, ours, theirs string) ([]diag.Diagnostic, error) {
	state := m.states[ours]
	found, err := state.Strays(ctx)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(append(found, m.strays[ours]...), func(d diag.Diagnostic) bool { return d.Rule == plan.RuleStrayFile && d.Severity == diag.Warning })
	archived, err := state.Archive(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range archived {
		if other := m.places[ours][l.ID].Path; other != l.Path {
			found = append(found, strayAt(l.Path, fmt.Sprintf("there is another plan of this id, %s, and plans are merged by their ids", other), "rename one of the two folders"))
		}
	}
	var left []diag.Diagnostic
	for _, d := range found {
		known, err := m.isElsewhere(ctx, d.Path, ours, append(base.commits(), theirs))
		if err != nil {
			return nil, err
		}
		if !known {
			d.Severity = diag.Error
			left = append(left, d)
		}
	}
	diag.Sort(left)
	return left, nil
}

// isElsewhere reports whether one of other commits has at a path what a commit
// has there.
func (m *commitMerge) isElsewhere(ctx context.Context, at, commit string, others []string) (bool, error) {
	here, ok, err := m.repo.Store.Lookup(ctx, commit, at)
	if err != nil || !ok {
		return false, err
	}
	for _, other := range others {
		if other == "" {
			continue
		}
		there, ok, err := m.repo.Store.Lookup(ctx, other, at)
		if err != nil || ok && there == here {
			return ok, err
		}
	}
	return false, nil
}
