package gitstore

import (
	"io/fs"
	"os"
	"path/filepath"
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

// LeftBehind gives a temporary file of git plan's that lies elsewhere than in
// the git directory, if it is old. The maker is the process that its name tells,
// or 0; remove removes it, unless it is another by then.
func LeftBehind(path string, info fs.FileInfo, maker int, remove func() error) (l Leftover, old bool) {
	l = Leftover{Path: path, Age: time.Since(info.ModTime()), info: info, owner: maker, remove: remove}
	return l, l.Age >= staleLeftover
}

// isOwnTemporary reports whether git plan gives files of that name to what it
// is about to put in place.
func isOwnTemporary(name string) bool {
	digits, ok := "", false
	for _, prefix := range []string{"agent-", "told-", "tree-"} {
		if rest, cut := strings.CutPrefix(name, prefix); cut {
			digits, ok = rest, true
		}
	}
	if at := strings.LastIndex(name, ".tmp"); at >= 0 {
		digits, ok = name[at+len(".tmp"):], true
	}
	return strings.HasSuffix(name, ".new") || ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// Leftovers gives git plan's own temporary files that are older than an hour, and
// the .keep files of its packs. Those of git among the objects are git gc's.
func (s *Store) Leftovers() []Leftover {
	var found []Leftover
	packs := filepath.Join(s.repo.objectDir(), "pack")
	names, _ := readNames(packs) // it need not be there
	for _, name := range names {
		if owner := ownKeep(filepath.Join(packs, name)); owner != 0 {
			found = appendOld(found, filepath.Join(packs, name), owner)
		}
	}
	for _, dir := range s.repo.ownDirs() {
		names, _ := readNames(dir) // it need not be there
		for _, name := range names {
			if isOwnTemporary(name) {
				found = appendOld(found, filepath.Join(dir, name), 0)
			}
		}
	}
	info := filepath.Join(s.repo.CommonDir, "info")
	names, _ = readNames(info)
	for _, name := range names {
		if strings.HasPrefix(name, "exclude.tmp") { // where drafts are left out
			found = appendOld(found, filepath.Join(info, name), 0)
		}
	}
	for _, path := range s.repo.moveFiles() {
		found = appendOld(found, path, 0)
	}
	return found
}

// moveFiles gives what moving a worktree along may have left in its git
// directory, where no move is under way or waits to be finished.
func (r *Repo) moveFiles() []string {
	if _, err := os.Lstat(r.journalPath()); err == nil {
		return nil
	}
	var paths []string
	for _, dir := range r.gitDirs() {
		w := worktree{gitDir: dir}
		paths = append(paths, w.innerPath(), w.copyPath(), w.tokenPath())
	}
	return paths
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

// appendOld adds a file or folder if it is still there, and old.
func appendOld(found []Leftover, path string, owner int) []Leftover {
	info, err := os.Lstat(path)
	if err != nil {
		return found
	}
	l := Leftover{Path: path, Age: time.Since(info.ModTime()), info: info, owner: owner}
	if info.IsDir() {
		l.Age = youngest(path, l.Age)
	}
	if l.Age < staleLeftover {
		return found
	}
	return append(found, l)
}

// ownDirs gives the folders in which git plan keeps files, of all worktrees.
func (r *Repo) ownDirs() []string {
	dirs := []string{r.dir(), filepath.Join(r.dir(), "cache")}
	for _, dir := range r.gitDirs()[1:] {
		dirs = append(dirs, filepath.Join(dir, filepath.Base(r.dir())))
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
	if err != nil {
		return 0
	}
	digits, ok := strings.CutPrefix(strings.TrimSpace(string(text)), keepMessage)
	id, err := strconv.Atoi(digits)
	if !ok || err != nil || id < 1 {
		return 0
	}
	return id
}

// youngest gives how long ago anything in a folder was written.
func youngest(dir string, age time.Duration) time.Duration {
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil // it is being removed
		}
		if info, err := entry.Info(); err == nil {
			age = min(age, time.Since(info.ModTime()))
		}
		return nil
	})
	return age
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
	return removeSame(l.Path, l.info)
}
