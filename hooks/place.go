package hooks

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
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
	// chained: a hook was moved beside.
	chained bool
}

// lookAt looks at a hook's file. A symbolic link is never ours, whatever it
// leads to.
func lookAt(path string) (place, error) {
	p := place{path: path}
	if _, err := os.Lstat(path + chainedSuffix); err == nil {
		p.chained = true
	}
	info, err := os.Lstat(path)
	if isAbsent(err) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	p.there = true
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
	s.chained, s.folders = p.chained, p.folders
	if s.script() == p.text && p.executable {
		return Hook{Event: event, State: Unchanged, Path: p.path}, nil
	}
	return Hook{Event: event, State: Installed, Path: p.path, Message: "brought up to date"}, in.put(p.path, s.script(), os.Rename)
}

// writeFile makes a new shim. Where a chained hook is left without one, it is
// taken up again.
func (in *Installer) writeFile(event Event, p place) (Hook, error) {
	s := in.shim(event)
	s.chained = p.chained
	var err error
	if s.folders, err = in.makeFolder(); err != nil {
		return Hook{}, err
	}
	err = in.put(p.path, s.script(), os.Link)
	if errors.Is(err, fs.ErrExist) { // another install was first, or somebody
		if p, err = lookAt(p.path); err == nil && p.there {
			return in.installFile(event, p, false)
		}
	}
	return Hook{Event: event, State: Installed, Path: p.path}, err
}

// chainFile moves a hook beside and makes the shim run it first. Should that
// fail it is put back.
func (in *Installer) chainFile(event Event, p place) (Hook, error) {
	s := in.shim(event)
	s.chained = true
	beside := p.path + chainedSuffix
	if err := os.Rename(p.path, beside); err != nil {
		return Hook{}, err
	}
	if err := in.put(p.path, s.script(), os.Link); err != nil {
		return Hook{}, errors.Join(err, os.Rename(beside, p.path))
	}
	return Hook{Event: event, State: Installed, Path: p.path, Message: "the hook that was here runs first, from " + filepath.Base(beside)}, nil
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
	if isBelow(temp, in.repo.CommonDir) {
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

// makeFolder makes the folder of hooks and says how many folders that took,
// also to the shims that follow in the same run.
func (in *Installer) makeFolder() (made int, err error) {
	for dir := in.dir; made < 9; dir, made = filepath.Dir(dir), made+1 {
		if _, err := os.Stat(dir); !isAbsent(err) {
			break
		}
	}
	if made == 0 {
		return in.made[in.dir], nil
	}
	in.made[in.dir] = made
	return made, os.MkdirAll(in.dir, 0o777)
}
