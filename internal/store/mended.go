package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
)

// Mended is a stored plan as a folder on disk can hold it, where it is mended if it
// came past the gate.
type Mended struct {
	// Stored is the plan, in which an executable file is one like any other.
	*Stored
	// Beside are the other files, by path within the plan's folder: those of tasks and
	// signals that have a bad name, and those too large to be read as part of the plan.
	Beside map[string][]byte
	// Left names what no folder of a draft can hold: links, submodules, names that
	// are not safe, those that differ from another one in nothing but capitals. Files
	// that are no plan's are among it.
	Left []string
}

// Mended reads a plan for a draft; see [Snapshot.Load].
func (s *Snapshot) Mended(ctx context.Context, id string) (*Mended, error) {
	stored, err := s.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.Mend(ctx, stored)
}

// Mend is [Snapshot.Mended] of a plan that was read already.
func (s *Snapshot) Mend(ctx context.Context, stored *Stored) (*Mended, error) {
	m := &Mended{Stored: stored}
	if len(Strays(stored.Plan, stored.Found)) == 0 {
		return m, nil
	}
	w := &treeWalk{snapshot: s, loose: true}
	if err := w.folder(ctx, stored.Tree, ""); err != nil {
		return nil, err
	}
	if w.unread {
		return nil, &UnsupportedError{fmt.Sprintf("plan %s is too large for a folder, with more than %d MiB or %d files: make it smaller with git, in a working tree of branch %s",
			stored.ID, looseBytes>>20, looseFiles, s.repo.Branch())}
	}
	asRegular(w.files)
	mended := *stored
	mended.Plan, _ = s.repo.ReadPlan(stored.ID, stored.Path, w.files)
	m.Stored, m.Beside = &mended, map[string][]byte{}
	own := mended.Plan.Files()
	taken := map[string]string{} // names that some file systems take for one are, by that
	for name := range own {
		taken[strings.ToLower(name)] = name
	}
	for _, f := range w.files {
		_, isOwn := own[f.Path]
		low := strings.ToLower(f.Path)
		if taken[low] == "" {
			taken[low] = f.Path
		}
		switch {
		case taken[low] != f.Path:
			m.Left = append(m.Left, f.Path)
		case isOwn && len(f.Data) <= plan.MaxFile && f.Size <= plan.MaxFile:
		case f.Mode == plan.Regular && f.Data != nil && (isOwn || isPlanned(f.Path)):
			m.Beside[f.Path] = f.Data
		default:
			m.Left = append(m.Left, f.Path)
		}
	}
	for _, d := range w.hostile {
		m.Left = append(m.Left, d.Path)
	}
	slices.Sort(m.Left)
	return m, nil
}

// asRegular takes files that are executable for such that are not, which is all that is
// wrong with them.
func asRegular(files []plan.File) {
	for i := range files {
		if f := &files[i]; f.Mode == plan.Executable && f.Data != nil {
			f.Mode = plan.Regular
		}
	}
}

// isPlanned reports whether a file lies where files of a plan do.
func isPlanned(name string) bool {
	return name == "plan.md" || strings.HasPrefix(name, "tasks/") || strings.HasPrefix(name, "signals/")
}

// Lost names the files and other entries of the stored folder that are not in a plan
// which is to stand there instead, and were none of the plan's.
func (m *Mended) Lost(now *plan.Plan) []string {
	lost, files := slices.Clone(m.Left), now.Files()
	for name := range m.Beside {
		if _, kept := files[name]; !kept {
			lost = append(lost, name)
		}
	}
	slices.Sort(lost)
	return lost
}

// What a loose walk reads of a plan that is too large, so that somebody can make it
// smaller in a folder. It is no more files than are read of that.
const (
	looseBytes = 16 * plan.MaxPlan
	looseFiles = 2 * plan.MaxFiles
)

func (w *treeWalk) mostBytes() int64 {
	if w.loose {
		return looseBytes
	}
	return plan.MaxPlan
}

func (w *treeWalk) mostFiles() int {
	if w.loose {
		return looseFiles
	}
	return plan.MaxFiles
}

// data reads a file of a plan. Of one that is too large there is only its size, but in
// a loose walk.
func (w *treeWalk) data(ctx context.Context, e gitstore.Entry, f *plan.File) error {
	most := int64(plan.MaxFile)
	if w.loose {
		most = looseBytes
	}
	data, err := w.snapshot.repo.Store.Blob(ctx, e.Object, most)
	var large *gitstore.TooLargeError
	if errors.As(err, &large) {
		f.Size, w.unread = large.Size, true
	} else if err != nil {
		return err
	}
	f.Data = data
	w.bytes += max(f.Size, int64(len(data)))
	return nil
}

// admits reports whether a name is one that is looked behind. In a loose walk it may
// have capitals, which a file on disk has without harm.
func (w *treeWalk) admits(name string) bool {
	if low := strings.ToLower(name); w.loose && !plan.IsDevice(low) {
		return safeName(low)
	}
	return safeName(name)
}
