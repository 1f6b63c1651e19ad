package draft

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"

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

// folders are the folders that drafts have on disk, those below one folder that were
// made for drafts and those that the user chose elsewhere. It reads and writes them, and
// follows no link out of the working tree. What was stored, and what the worktree
// remembers of a draft, it does not know.
type folders struct {
	// workTree is the top of the working tree.
	workTree string
	// root is the folder that drafts are made in.
	root string
	// cwd is where the user stands; findings name files from there.
	cwd string
	// fileMode says whether the executable bit of files means anything.
	fileMode bool
	// parse reads files as the plan of an id; findings name them below a prefix.
	parse func(id, prefix string, files []plan.File) (*plan.Plan, []diag.Diagnostic)
}

// read reads a draft's folder as a plan.
func (f folders) read(t Draft) (*plan.Plan, []diag.Diagnostic, error) {
	root, err := f.enter(t.Dir, false)
	files, err := ReadRoot(root, err, f.fileMode)
	if err != nil {
		return nil, nil, err
	}
	p, found := f.parse(t.name(), f.prefix(t.Dir), files)
	return p, found, nil
}

// prefix is the path of a folder as findings name it.
func (f folders) prefix(dir string) string { return RelativeTo(f.cwd, dir) }

// RelativeTo gives the path of dir as a person standing in cwd would write
// it, with slashes.
func RelativeTo(cwd, dir string) string {
	rel, err := filepath.Rel(cwd, dir)
	if err != nil {
		rel = dir
	}
	return filepath.ToSlash(rel)
}

// markedIn names the files of a draft that hold conflict markers.
func (f folders) markedIn(t Draft) []string {
	p, _, err := f.read(t)
	if err != nil || len(p.Conflicts()) == 0 {
		return nil
	}
	return markedFiles(p.Prefix, p.Files())
}

// missing is the finding about a draft that was asked for and never filled.
func (f folders) missing(t Draft) diag.Diagnostic {
	return diag.Diagnostic{
		Path: path.Join(f.prefix(t.Dir), "plan.md"), Pos: diag.Pos{Line: 1, Column: 1}, Severity: diag.Error, Rule: plan.RulePlanMissing,
		Message: fmt.Sprintf("draft %s holds no plan", t.ID),
		Hint:    fmt.Sprintf("write its plan.md with a `title`, or drop the draft with `git plan remove-thread --thread-id %s`", t.ID),
	}
}

// isBlank reports whether what was read of a draft's folder is no plan: nothing, or
// only what programs leave in any folder they are shown, such as .DS_Store, or what we
// left there when we were killed. In a folder that the user chose other files of the
// user may be.
func (f folders) isBlank(t Draft, p *plan.Plan, found []diag.Diagnostic) bool {
	return p.Empty() && !slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
		name := strings.TrimPrefix(d.Path, p.Prefix+"/")
		hidden := strings.HasPrefix(name, ".") || strings.Contains(name, "/.") || isTemporary(path.Base(name))
		return d.Rule != plan.RuleStrayFile || !hidden && (f.owns(t) || strings.EqualFold(path.Ext(name), ".md"))
	})
}

// isTemporary reports whether a file is one that a process was writing, which its
// number follows.
func isTemporary(name string) bool {
	of, digits, ok := strings.Cut(name, ".md.tmp")
	id, err := strconv.Atoi(digits)
	return ok && of != "" && err == nil && id > 0 && strconv.Itoa(id) == digits
}

// owns reports whether a draft's folder was made for it, and not chosen by the user.
func (f folders) owns(t Draft) bool { return filepath.Dir(t.Dir) == f.root }

// namesPlan reports whether a draft's folder has the name that its plan is to have.
func (f folders) namesPlan(t Draft) bool {
	if _, err := strconv.Atoi(strings.TrimPrefix(t.ID, numbered)); err == nil {
		return false
	}
	return f.owns(t) && plan.IsKebab(t.ID)
}

// empty deletes what is in a draft's folder: everything where it was made for the
// draft, only the plan's files where the user chose it. It reports whether there was
// anything to delete.
func (f folders) empty(t Draft) (changed bool, err error) {
	info, err := os.Lstat(t.Dir)
	switch {
	case os.IsNotExist(err) || errors.Is(err, syscall.ENOTDIR):
		return false, nil
	case err == nil && info.Mode()&os.ModeSymlink != 0:
		return false, &store.UnsupportedError{Message: fmt.Sprintf("%s is a symbolic link: remove it, nothing behind it is deleted", t.Dir)}
	}
	if !f.owns(t) {
		p, _, err := f.read(t)
		if err != nil {
			return false, err
		}
		_, err = f.write(t.Dir, p.Files(), nil)
		return !p.Empty(), err
	}
	root, err := f.enter(t.Dir, false)
	if err != nil {
		return false, err
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		if err := root.RemoveAll(e.Name()); err != nil {
			return false, writeError(filepath.Join(t.Dir, e.Name()), err)
		}
	}
	return len(entries) > 0, nil
}

func isDir(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

func isEmpty(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) == 0
}
