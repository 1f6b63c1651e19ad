package store

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
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
			gates, found, err := gatesOf(ctx, s.repo, e)
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
