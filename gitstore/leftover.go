package gitstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// staleLeftover is the age from which a temporary file was left behind: nothing
// that git or git plan writes takes that long.
const staleLeftover = time.Hour

// keepMessage begins the .keep files of packs that git plan writes; the id of
// the process follows.
const keepMessage = "git-plan "

// Leftover is a temporary file or folder that a process which was killed left.
type Leftover struct {
	// Path is the file or folder.
	Path string
	// Age is the time since it was last written.
	Age time.Duration

	info   fs.FileInfo
	owner  int          // the git plan that made it, or 0 where nothing tells
	remove func() error // nil for one in the git directory
}

// LeftBehind gives a temporary file of git plan's, if it is old. The maker is the
// process that its name tells, or 0; remove removes it where it lies elsewhere than
// in the git directory, unless it is another by then.
func LeftBehind(path string, info fs.FileInfo, maker int, remove func() error) (l Leftover, old bool) {
	l = Leftover{Path: path, Age: max(0, time.Since(info.ModTime())), info: info, owner: maker, remove: remove}
	return l, l.Age >= staleLeftover
}

// Leftovers gives git plan's own temporary files that are older than an hour, and
// the .keep files of its packs. Those of git among the objects are git gc's.
func (s *Store) Leftovers() []Leftover {
	packs := filepath.Join(s.repo.objectDir(), "pack")
	found := oldIn(nil, packs, func(name string) bool { return ownKeep(filepath.Join(packs, name)) != 0 })
	for i := range found {
		found[i].owner = ownKeep(found[i].Path)
	}
	own := filepath.Base(s.repo.dir())
	found = oldIn(found, filepath.Join(s.repo.dir(), "cache"), isOwnTemporary)
	found = oldIn(found, filepath.Join(s.repo.CommonDir, "info"), func(name string) bool { // where drafts are left out
		return strings.HasPrefix(name, "exclude.tmp")
	})
	moving := !isGone(s.repo.journalPath()) // a worktree is moved along, or waits for that
	for _, dir := range s.repo.gitDirs() {
		found = oldIn(found, filepath.Join(dir, own), isOwnTemporary)
		w := worktree{gitDir: dir}
		found = oldIn(found, dir, func(name string) bool {
			return !moving && slices.Contains([]string{w.innerPath(), w.copyPath(), w.tokenPath()}, filepath.Join(dir, name))
		})
	}
	return found
}

// oldIn adds what is old in a folder, by its names. The folder need not be there.
func oldIn(found []Leftover, dir string, ours func(name string) bool) []Leftover {
	names, _ := readNames(dir)
	for _, name := range names {
		if !ours(name) {
			continue
		}
		info, err := os.Lstat(filepath.Join(dir, name))
		if err != nil {
			continue // it has just gone
		}
		if l, old := LeftBehind(filepath.Join(dir, name), info, 0, nil); old {
			found = append(found, l)
		}
	}
	return found
}

// isOwnTemporary reports whether git plan gives files of that name to what it
// is about to put in place.
func isOwnTemporary(name string) bool {
	digits := ""
	for _, mark := range []string{"agent-", "told-", "tree-", ".tmp"} {
		if before, rest, found := strings.Cut(name, mark); found && (before == "") == strings.HasSuffix(mark, "-") {
			digits = rest
		}
	}
	return strings.HasSuffix(name, ".new") || digits != "" && strings.Trim(digits, "0123456789") == ""
}

// gitDirs gives the git directories of all worktrees.
func (r *Repo) gitDirs() []string {
	dirs := []string{r.CommonDir}
	names, _ := readNames(filepath.Join(r.CommonDir, "worktrees")) // there may be none
	for _, name := range names {
		dirs = append(dirs, filepath.Join(r.CommonDir, "worktrees", name))
	}
	return dirs
}

// ownKeep gives the process that wrote a .keep file of git plan's, or 0 for
// any other file. Nobody else's is ever touched: a person may have kept a pack.
func ownKeep(path string) int {
	if !strings.HasSuffix(path, ".keep") {
		return 0
	}
	text, err := os.ReadFile(path)
	digits, ok := strings.CutPrefix(strings.TrimSpace(string(text)), keepMessage)
	id, bad := strconv.Atoi(digits)
	if err != nil || !ok || bad != nil || id < 1 {
		return 0
	}
	return id
}

// Maker names the living process that made it, "" if there is none: then nobody
// needs it any more.
func (l Leftover) Maker() string {
	if made := processOf(l.owner); l.owner != 0 && made.isRunning() {
		return made.String()
	}
	return ""
}

// Remove removes it, unless it is another by now. A pack whose .keep file goes
// is an ordinary pack again, which git may pack anew.
func (l Leftover) Remove() error {
	if l.remove != nil {
		return l.remove()
	}
	now, err := os.Lstat(l.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return asReadOnly(l.Path, err)
	}
	if !os.SameFile(now, l.info) || !now.ModTime().Equal(l.info.ModTime()) {
		return fmt.Errorf("%s changed meanwhile; run 'git plan doctor' again", l.Path)
	}
	return asReadOnly(l.Path, os.RemoveAll(l.Path))
}
