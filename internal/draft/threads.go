package draft

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/store"
)

// Current gives the current thread and allocates it on first use. A folder
// that was deleted from outside is made again, with the stored plan in it.
func (d *Drafts) Current(ctx context.Context) (Thread, error) {
	s, err := d.State()
	if err != nil {
		return Thread{}, err
	}
	if t := s.thread(s.Current); t != nil && isDir(t.Dir) && !s.isFilling() {
		return *t, d.Reach(t.Dir)
	}
	var current Thread
	made := ""
	err = d.change(ctx, func(s *State) error {
		t := s.thread(s.Current)
		if t == nil {
			added, err := d.allocate(s)
			if err != nil {
				return err
			}
			s.Current, t, made = added.ID, added, added.Dir
		}
		if err := d.whole(t); err != nil {
			return err
		}
		err := d.revive(ctx, s, t)
		current = *t
		return err
	})
	if err != nil {
		unmake(made)
	}
	return current, err
}

// Request allocates another thread.
func (d *Drafts) Request(ctx context.Context) (Thread, error) {
	if err := d.ready(ctx); err != nil {
		return Thread{}, err
	}
	var t Thread
	err := d.change(ctx, func(s *State) error {
		added, err := d.allocate(s)
		if err == nil {
			t = *added
		}
		return err
	})
	if err != nil {
		unmake(t.Dir)
	}
	return t, err
}

// allocate makes a folder of a name that no thread has had while its folder
// is there.
func (d *Drafts) allocate(s *State) (*Thread, error) {
	if _, err := os.Stat(d.root); err == nil && !isDir(d.root) {
		return nil, fmt.Errorf("%s is no folder, so no drafts can be in it: move it away, or set plan.draftDir", d.root)
	}
	root, err := d.enter(d.root, true)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if _, err := d.repo.Exclude(d.pattern()); err != nil {
		return nil, err
	}
	for n := 1; ; n++ {
		id := fmt.Sprintf("thread-%d", n)
		if s.thread(id) != nil {
			continue
		}
		dir := filepath.Join(d.root, id)
		if err := root.Mkdir(id, 0o777); os.IsExist(err) {
			continue
		} else if err != nil {
			return nil, writeError(dir, err)
		}
		s.Threads = append(s.Threads, Thread{ID: id, Dir: dir})
		return &s.Threads[len(s.Threads)-1], nil
	}
}

// unmake takes back the folder of a thread that could not be remembered.
func unmake(dir string) {
	if dir != "" {
		os.Remove(dir) // whatever is in it by now keeps it
	}
}

// pattern is the line of info/exclude that hides the drafts. A folder outside
// of the working tree needs none, and a harmless one is given.
func (d *Drafts) pattern() string { return ExcludePattern(d.repo) }

// ExcludePattern is the line of info/exclude that hides the drafts of repo.
func ExcludePattern(repo *store.Repo) string {
	root := Root(repo)
	if filepath.IsAbs(root) {
		root = DefaultDir
	}
	glob := strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`)
	return "/" + glob.Replace(strings.Trim(filepath.ToSlash(filepath.Clean(root)), "/")) + "/"
}

// reviveNow revives a thread by its id, and gives it.
func (d *Drafts) reviveNow(ctx context.Context, id string) (now Thread, err error) {
	err = d.change(ctx, func(s *State) error {
		t := s.thread(id)
		if t == nil {
			return &store.NotFoundError{What: "thread", Name: id, Hint: "see `git plan context`"}
		}
		err := d.revive(ctx, s, t)
		now = *t
		return err
	})
	return now, err
}

// revive makes a thread's folder again where it was deleted. A merge that was open in it
// is given up: what it held is gone, and `git plan sync` opens it again.
func (d *Drafts) revive(ctx context.Context, s *State, t *Thread) error {
	if isDir(t.Dir) {
		return nil
	}
	then := *t
	if t.Merging != "" {
		then = Thread{}
	}
	if then.Plan == "" || t.Cleared {
		return d.fill(s, t, nil, nil, then)
	}
	base, err := d.began(ctx, *t)
	if err != nil {
		return err
	}
	files := filesOf(base)
	if base != nil {
		maps.Copy(files, base.Beside)
	}
	return d.fill(s, t, nil, files, then)
}

// Remove drops an additional thread and its folder. What is stored stays.
func (d *Drafts) Remove(ctx context.Context, id string) error {
	return d.change(ctx, func(s *State) error {
		t := s.thread(id)
		switch {
		case t == nil:
			return &store.NotFoundError{What: "thread", Name: id, Hint: "see `git plan context`"}
		case id == s.Current:
			return &store.UnsupportedError{Message: "the current thread is not removed: empty it with `git plan clear-current`"}
		}
		if err := d.discard(*t); err != nil {
			return err
		}
		s.Threads = slices.DeleteFunc(s.Threads, func(t Thread) bool { return t.ID == id })
		return nil
	})
}

// discard deletes a thread's folder. Of a folder that the user chose, only
// the plan's files go.
func (d *Drafts) discard(t Thread) error {
	if _, err := d.empty(t); err != nil {
		return err
	}
	if err := os.Remove(t.Dir); err != nil && !os.IsNotExist(err) && isEmpty(t.Dir) {
		return writeError(t.Dir, err)
	}
	return nil
}

// allocated reports whether a thread's folder was made for it, and nobody chose it.
func (d *Drafts) allocated(t Thread) bool { return filepath.Dir(t.Dir) == d.root }

// empty deletes what is in a thread's folder: everything where the folder was
// allocated by us, only the plan's files where the user chose it. A folder
// that somebody replaced by a link is not followed. It reports whether there was
// anything to delete.
func (d *Drafts) empty(t Thread) (changed bool, err error) {
	if info, err := os.Lstat(t.Dir); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return false, &store.UnsupportedError{Message: fmt.Sprintf("%s is a symbolic link: remove it, nothing behind it is deleted", t.Dir)}
	}
	if _, err := os.Lstat(t.Dir); os.IsNotExist(err) || errors.Is(err, syscall.ENOTDIR) {
		return false, nil
	}
	if !d.allocated(t) {
		files, err := d.planBytes(t)
		if err != nil {
			return false, err
		}
		_, err = d.writeFolder(t.Dir, files, nil)
		return len(files) > 0, err
	}
	root, err := d.enter(t.Dir, false)
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

// ClearCurrent empties the current thread's folder. If it holds a stored
// plan, the next commit removes that plan. It reports whether there was
// anything to do.
func (d *Drafts) ClearCurrent(ctx context.Context) (changed bool, err error) {
	if err := d.ready(ctx); err != nil {
		return false, err
	}
	err = d.change(ctx, func(s *State) error {
		here := s.thread(s.Current)
		if here == nil {
			return nil // dropped meanwhile
		}
		full, err := d.empty(*here)
		if err != nil {
			return err
		}
		here.Filling = nil
		cleared := here.Plan != ""
		changed = full || here.Cleared != cleared
		here.Cleared = cleared
		return nil
	})
	return changed, err
}

// Use makes a plan the worktree's current one.
func (d *Drafts) Use(ctx context.Context, plan string) error {
	return d.change(ctx, func(s *State) error {
		s.Plan = plan
		return nil
	})
}

// MaxTopic bounds a topic, in characters.
const MaxTopic = 100

// SetTopic remembers what the worktree's session is about. It reports whether
// that is news.
func (d *Drafts) SetTopic(ctx context.Context, topic string) (changed bool, err error) {
	topic = strings.Join(strings.Fields(topic), " ")
	if n := utf8.RuneCountInString(topic); n > MaxTopic {
		return false, &store.LimitError{Message: fmt.Sprintf("the topic has %d characters, over the limit of %d: shorten it", n, MaxTopic)}
	}
	err = d.change(ctx, func(s *State) error {
		changed = s.Topic != topic
		s.Topic = topic
		return nil
	})
	return changed, err
}

func isDir(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

func isEmpty(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) == 0
}
