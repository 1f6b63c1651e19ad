package draft

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// maxEntries bounds what is read of a folder; it is more than a plan may hold.
const maxEntries = 20_000

// ReadRoot reads a folder that was opened, which it closes, or that could not be
// opened for the given reason, as a plan's files. Nothing outside of it is looked
// at: links are reported, not followed, and what is no regular file is not
// opened. With fileMode false the executable bit means nothing.
func ReadRoot(root *os.Root, err error, fileMode bool) ([]plan.File, error) {
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
		switch {
		case e.Name() == ".git":
			return fs.SkipDir
		case !utf8.ValidString(name): // which cannot be walked, and is no plan's
			r.files = append(r.files, plan.File{Path: name, Mode: plan.Irregular})
			return fs.SkipDir
		}
		return nil
	}
	if len(r.files) > maxEntries {
		return fs.SkipAll // reading the plan says that this is too many
	}
	info, err := e.Info()
	if err != nil {
		return err
	}
	f := plan.File{Path: name, Mode: r.mode(info.Mode()), Size: info.Size()}
	if (f.Mode == plan.Regular || f.Mode == plan.Executable) && strings.HasSuffix(name, ".md") && f.Size <= plan.MaxFile && r.bytes <= plan.MaxPlan {
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
	root, err := d.enter(t.Dir, false)
	files, err := ReadRoot(root, err, d.repo.FileMode)
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
	m, err := d.began(ctx, t)
	return planOrNone(m), err
}

// began is basePlan with what the folder was given beside the plan.
func (d *Drafts) began(ctx context.Context, t Thread) (*store.Mended, error) {
	if t.Plan == "" || t.Base == "" {
		return nil, nil
	}
	s, err := d.repo.At(ctx, t.Base)
	var missing *gitstore.MissingObjectError
	if errors.As(err, &missing) {
		return nil, fmt.Errorf("the commit that thread %s began from is gone: keep a copy of your edits and run `git plan checkout --force %s`: %w", t.ID, t.Plan, err)
	}
	if err != nil {
		return nil, err
	}
	stored, err := s.Mended(ctx, cmp.Or(t.Was, t.Plan))
	var gone *store.NotFoundError
	if errors.As(err, &gone) {
		return nil, nil
	}
	return stored, err
}
