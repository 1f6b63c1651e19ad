package draft

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/planrepo"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// maxEntries bounds what a draft folder may hold before it is taken for
// something else.
const maxEntries = 20_000

// ReadFolder reads a folder as a plan's files. Nothing outside of it is
// looked at: links are reported, not followed, and what is no regular file is
// not opened. With fileMode false the executable bit means nothing.
func ReadFolder(dir string, fileMode bool) ([]plan.File, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	r := folderReader{root: root, fileMode: fileMode}
	err = fs.WalkDir(root.FS(), ".", r.visit)
	return r.files, err
}

type folderReader struct {
	root     *os.Root
	fileMode bool
	files    []plan.File
	bytes    int64
}

func (r *folderReader) visit(name string, e fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	if e.IsDir() {
		if e.Name() == ".git" {
			return fs.SkipDir
		}
		return nil
	}
	if len(r.files) >= maxEntries {
		return &planrepo.LimitError{Message: "the folder holds too many files to be a plan"}
	}
	info, err := e.Info()
	if err != nil {
		return err
	}
	f := plan.File{Path: name, Mode: r.mode(info.Mode()), Size: info.Size()}
	if f.Mode == plan.Regular && strings.HasSuffix(name, ".md") && f.Size <= plan.MaxFile && r.bytes <= plan.MaxPlan {
		if f.Data, err = r.read(name); err != nil {
			return err
		}
		f.Size = int64(len(f.Data))
		r.bytes += f.Size
	} else if !strings.HasSuffix(name, ".md") {
		f.Size = 0 // a stray file's size is not the plan's
	}
	r.files = append(r.files, f)
	return nil
}

// read reads at most one byte more than a file may have: it may grow while
// it is read.
func (r *folderReader) read(name string) ([]byte, error) {
	f, err := r.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, plan.MaxFile+1))
}

func (r *folderReader) mode(m fs.FileMode) plan.Mode {
	switch {
	case m&fs.ModeSymlink != 0:
		return plan.Symlink
	case !m.IsRegular():
		return plan.Irregular
	case r.fileMode && m.Perm()&0o111 != 0:
		return plan.Executable
	}
	return plan.Regular
}

// read reads a thread's folder as a plan. Findings name files from where the
// user stands.
func (d *Drafts) read(t Thread, id string) (*plan.Plan, []diag.Diagnostic, error) {
	files, err := ReadFolder(t.Dir, d.fileMode)
	if err != nil {
		return nil, nil, err
	}
	p, found := d.repo.ReadPlan(id, d.prefix(t.Dir), files)
	return p, found, nil
}

func (d *Drafts) prefix(dir string) string { return RelativeTo(d.cwd, dir) }

// RelativeTo gives the path of dir as a person standing in cwd would write
// it, with slashes.
func RelativeTo(cwd, dir string) string {
	rel, err := filepath.Rel(cwd, dir)
	if err != nil {
		rel = dir
	}
	return filepath.ToSlash(rel)
}

// planBytes gives the plan files of a thread's folder, as they would be
// stored.
func (d *Drafts) planBytes(t Thread) (map[string][]byte, error) {
	p, _, err := d.read(t, t.planOrID())
	if err != nil {
		return nil, err
	}
	return p.Files(), nil
}

// baseFiles gives the files of the stored plan that a thread began from.
func (d *Drafts) baseFiles(ctx context.Context, t Thread) (map[string][]byte, error) {
	p, err := d.basePlan(ctx, t)
	if p == nil || err != nil {
		return nil, err
	}
	return p.Files(), nil
}

// basePlan gives the stored plan that a thread began from, nil for a new one.
func (d *Drafts) basePlan(ctx context.Context, t Thread) (*plan.Plan, error) {
	if t.Plan == "" || t.Base == "" {
		return nil, nil
	}
	s, err := d.repo.At(ctx, t.Base)
	if err != nil {
		return nil, err
	}
	stored, err := s.Load(ctx, t.Plan)
	var gone *planrepo.NotFoundError
	if errors.As(err, &gone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return stored.Plan, nil
}

// writeFolder brings a folder from one set of files to another. What is the
// same already is not touched, other files stay, and folders that end up
// empty go.
func writeFolder(dir string, from, to map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range names(to) {
		if have, err := root.ReadFile(name); err == nil && string(have) == string(to[name]) {
			continue
		}
		if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
			return err
		}
		if err := root.WriteFile(name, to[name], 0o666); err != nil {
			return err
		}
	}
	for _, name := range names(from) {
		if _, keep := to[name]; keep {
			continue
		}
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for up := path.Dir(name); up != "."; up = path.Dir(up) {
			if root.Remove(up) != nil {
				break // not empty
			}
		}
	}
	return nil
}

func names(files map[string][]byte) []string {
	out := make([]string, 0, len(files))
	for name := range files {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
