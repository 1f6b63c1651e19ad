package hooks

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/git-plan/git-plan/internal/paths"
)

// place is what stands where git looks for a hook.
type place struct {
	shimText
	path string
	// there: something is. folder: it is no file.
	there, folder bool
	// executable: git would run it.
	executable bool
	// text is a file's content.
	text string
	// chained: the hook that was there before lies beside it. twice: what is here
	// does, too, as an install that was cut off leaves it.
	chained, twice bool
}

// lookAt looks at a hook's file. A symbolic link is never ours, whatever it
// leads to.
func lookAt(path string) (place, error) {
	p := place{path: path}
	beside, err := os.Lstat(path + chainedSuffix)
	p.chained = err == nil
	info, err := os.Lstat(path)
	if isAbsent(err) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	p.there = true
	p.twice = p.chained && os.SameFile(info, beside)
	p.chained = p.chained && !p.twice
	target, err := os.Stat(path)
	switch {
	case err != nil: // a link that leads nowhere
		return p, nil
	case target.IsDir():
		p.folder = info.IsDir()
		return p, nil
	case !target.Mode().IsRegular() || target.Size() > 1<<20: // a program
		p.executable = target.Mode()&0o111 != 0
		return p, nil
	}
	p.executable = target.Mode()&0o111 != 0
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrPermission) {
		return p, err
	}
	p.text = string(data)
	if info.Mode().IsRegular() {
		p.shimText = readShim(p.text)
	}
	return p, nil
}

// isAbsent reports whether a path is not there, be it for want of a folder.
func isAbsent(err error) bool {
	// The second is below a file, as with core.hooksPath=/dev/null.
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// installFile makes the shim the hook, by the folder of hooks.
func (in *Installer) installFile(event Event, p place, chain bool) (Hook, error) {
	row := Hook{Event: event, Path: p.path, State: InTheWay}
	switch {
	case p.ours && !p.intact:
		row.State, row.Message = Edited, "somebody edited this shim: move the edits to a file of their own, remove it and install again"
		return row, nil
	case p.ours:
		return in.rewrite(event, p)
	case p.folder:
		row.Message = "a folder has this name: move it away and install again"
		return row, nil
	case p.there && callsUs(p.text, event):
		row.State, row.Message = Unchanged, "that hook calls git plan already"
		return row, nil
	case p.there && p.chained:
		row.Message = "a new hook is here, and the earlier one still lies in " + filepath.Base(p.path) + chainedSuffix + ": make one of the two and install again"
		return row, nil
	case p.there && !chain:
		row.Message = "it is not git plan's: `git plan hooks install --chain` runs it first; or add the lines at its top"
		row.Snippet = callLines(event)
		return row, nil
	case p.there:
		return in.chainFile(event, p)
	}
	return in.writeFile(event, p)
}

// rewrite brings a shim up to date.
func (in *Installer) rewrite(event Event, p place) (Hook, error) {
	s := in.shim(event)
	s.chained = p.chained
	if s.script() == p.text && p.executable {
		return Hook{Event: event, State: Unchanged, Path: p.path}, nil
	}
	return Hook{Event: event, State: Installed, Path: p.path, Message: "brought up to date"}, in.put(p.path, s.script(), os.Rename)
}

// writeFile makes a new shim. Where a chained hook is left without one, it is
// taken up again.
func (in *Installer) writeFile(event Event, p place) (Hook, error) {
	if err := os.MkdirAll(in.dir, 0o777); err != nil {
		return Hook{}, err
	}
	s := in.shim(event)
	s.chained = p.chained
	err := in.put(p.path, s.script(), os.Link)
	if errors.Is(err, fs.ErrExist) {
		return in.lookAgain(event, p.path)
	}
	return Hook{Event: event, State: Installed, Path: p.path}, err
}

// lookAgain installs where another install was first, or somebody.
func (in *Installer) lookAgain(event Event, path string) (Hook, error) {
	p, err := lookAt(path)
	if err != nil {
		return Hook{}, err
	}
	return in.installFile(event, p, false)
}

// chainFile gives a hook a second name, and puts in its place the shim that runs it
// first. The place is never empty.
func (in *Installer) chainFile(event Event, p place) (Hook, error) {
	beside := p.path + chainedSuffix
	err := nameTwice(p.path, beside)
	if err != nil && !p.twice {
		if errors.Is(err, fs.ErrExist) {
			return in.lookAgain(event, p.path)
		}
		return Hook{}, err
	}
	s := in.shim(event)
	s.chained = true
	return Hook{Event: event, State: Installed, Path: p.path, Message: "the hook that was here runs first, from " + filepath.Base(beside)}, in.put(p.path, s.script(), os.Rename)
}

// nameTwice gives a file another name, too. Some systems follow a symbolic link
// that is linked.
func nameTwice(path, other string) error {
	if target, err := os.Readlink(path); err == nil {
		return os.Symlink(target, other)
	}
	return os.Link(path, other)
}

// What is added to a shim's name until it is whole, around a word.
const (
	temporaryMark   = ".git-plan-"
	temporarySuffix = ".tmp"
)

// put makes a file whole, under another name first. The last step is a link,
// which writes over nothing, or a rename, which replaces.
func (in *Installer) put(path, text string, last func(from, to string) error) error {
	word, err := randomWord()
	if err != nil {
		return err
	}
	temp := path + temporaryMark + word + temporarySuffix
	defer os.Remove(temp)
	if err := os.WriteFile(temp, []byte(text), 0o777); err != nil { // less the umask
		return err
	}
	if paths.IsIn(in.repo.CommonDir, temp) {
		in.share(temp)
	}
	err = last(temp, path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		if _, missing := os.Lstat(path); isAbsent(missing) { // a file system without links
			return os.Rename(temp, path)
		}
	}
	return err
}

// share opens a shim to those who share the repository. Who may read it may
// run it.
func (in *Installer) share(path string) {
	in.repo.Share(path)
	if info, err := os.Stat(path); err == nil {
		_ = os.Chmod(path, info.Mode()|info.Mode()&0o444>>2) // the next look tells
	}
}
