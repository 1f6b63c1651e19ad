package gitstore

import (
	"context"
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
	// Size is what it takes, in bytes.
	Size int64
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
	l = Leftover{Path: path, Size: info.Size(), Age: time.Since(info.ModTime()), info: info, owner: maker, remove: remove}
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

// isGitTemporary reports whether git makes files or folders of that name only
// for the time of a command, in a folder below objects: "" is objects itself.
func isGitTemporary(folder, name string) bool {
	prefixes := []string{"tmp_obj_"}
	switch folder {
	case "":
		prefixes = []string{"tmp_obj_", "tmp_objdir-", "incoming-"}
	case "pack":
		prefixes = []string{"tmp_pack_", "tmp_idx_", "tmp_rev_", "tmp_mtimes_", "tmp_bitmap_", ".tmp-"}
	case "info":
		return false
	}
	for _, prefix := range prefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// Leftovers gives the temporary files older than an hour: those of git among
// the objects, the .keep files of git plan's own packs, and git plan's own. It
// lists the 256 folders of loose objects, and looks at the candidates only.
func (s *Store) Leftovers(ctx context.Context) ([]Leftover, error) {
	found, err := s.repo.objectLeftovers(ctx)
	if err != nil {
		return nil, err
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
	names, _ := readNames(info) // it need not be there
	for _, name := range names {
		if strings.HasPrefix(name, "exclude.tmp") { // where drafts are left out
			found = appendOld(found, filepath.Join(info, name), 0)
		}
	}
	for _, path := range s.repo.moveFiles() {
		found = appendOld(found, path, 0)
	}
	return found, nil
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

// objectLeftovers gives those in the object directory.
func (r *Repo) objectLeftovers(ctx context.Context) ([]Leftover, error) {
	objects := r.objectDir()
	folders, err := readNames(objects)
	if err != nil {
		return nil, err
	}
	var found []Leftover
	for _, folder := range append(folders, "") {
		if folder != "" && folder != "pack" && !isFanOut(folder) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		names, _ := readNames(filepath.Join(objects, folder)) // one that is gone was empty
		for _, name := range names {
			path := filepath.Join(objects, folder, name)
			if isGitTemporary(folder, name) {
				found = appendOld(found, path, 0)
			} else if folder != "pack" {
				continue
			} else if owner := ownKeep(path); owner != 0 {
				found = appendOld(found, path, owner)
			}
		}
	}
	return found, nil
}

// appendOld adds a file or folder if it is still there, and old.
func appendOld(found []Leftover, path string, owner int) []Leftover {
	info, err := os.Lstat(path)
	if err != nil {
		return found
	}
	l := Leftover{Path: path, Age: time.Since(info.ModTime()), Size: info.Size(), info: info, owner: owner}
	if info.IsDir() {
		l.Size, l.Age = folderState(path, l.Age)
	}
	if l.Age < staleLeftover {
		return found
	}
	return append(found, l)
}

// isFanOut reports whether a folder's name is that of one of the 256 folders of
// loose objects.
func isFanOut(name string) bool {
	return len(name) == 2 && strings.Trim(name, "0123456789abcdef") == ""
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

// folderState gives the bytes in a folder, and how long ago anything in it was
// written.
func folderState(dir string, age time.Duration) (size int64, youngest time.Duration) {
	youngest = age
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil // it is being removed
		}
		if info, err := entry.Info(); err == nil {
			size += info.Size()
			youngest = min(youngest, time.Since(info.ModTime()))
		}
		return nil
	})
	return size, youngest
}

// Stale reports whether nobody needs it any more, and if not, why.
func (l Leftover) Stale(p *Processes) (stale bool, why string) {
	if l.owner != 0 && p.blind == "" {
		if who := p.ours[l.owner]; who != "" {
			return false, who + " made it"
		}
		return true, ""
	}
	if l.info.IsDir() {
		if who := p.holderBelow(l.Path); who != "" {
			return false, "it is in use by " + who
		}
	}
	return p.abandoned(l.Path, l.Age, staleLeftover)
}

// Remove removes it, unless it is another by now. A pack whose .keep file goes
// is an ordinary pack again, which git may pack anew.
func (l Leftover) Remove() error {
	if l.remove != nil {
		return l.remove()
	}
	return removeSame(l.Path, l.info)
}
