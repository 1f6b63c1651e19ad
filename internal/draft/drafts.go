package draft

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/paths"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// numbered is what the ids of drafts begin with that no plan gave its name.
const numbered = "thread-"

// Drafts are the drafts of one worktree.
type Drafts struct {
	// Note, unless nil, is told what bringing a folder together with the store
	// did that was not asked for, such as giving a task another number.
	Note func(plan, what string)

	repo    *store.Repo
	state   stateFile // what the worktree remembers of them
	folders folders   // what is written in them
	bases   bases     // what they were filled from
}

// DefaultDir is the folder of drafts at the top of the working tree where
// plan.draftDir does not name another.
const DefaultDir = ".plans"

// Open gives the drafts of the worktree that repo stands in. A bare
// repository has none: *store.UnsupportedError.
func Open(repo *store.Repo, cwd string) (*Drafts, error) {
	if repo.WorkTree == "" {
		return nil, &store.UnsupportedError{Message: "drafts need a working tree, and there is none here: go to the top of one, or make one with `git worktree add`"}
	}
	root := Root(repo)
	if !filepath.IsAbs(root) {
		root = filepath.Join(repo.WorkTree, root)
	}
	if root == repo.WorkTree || strings.ContainsAny(root, "\n\r") || paths.IsIn(repo.GitDir, root) || paths.IsIn(repo.CommonDir, root) {
		return nil, &store.UnsupportedError{Message: fmt.Sprintf("plan.draftDir cannot be %q: choose a folder of its own", root)}
	}
	on := folders{workTree: repo.WorkTree, root: root, cwd: cwd, fileMode: repo.FileMode, parse: repo.ReadPlan}
	state := stateFile{filepath.Join(repo.StateDir(), stateName), repo.WorkTree, root}
	return &Drafts{repo: repo, state: state, folders: on, bases: bases{repo, on}}, nil
}

// Root is the folder of drafts as configured, relative to the top of the
// working tree or absolute.
func Root(repo *store.Repo) string {
	dir, ok := repo.Config.Get("plan.draftDir")
	if !ok || dir == "" {
		return DefaultDir
	}
	if rest, home := strings.CutPrefix(dir, "~/"); home {
		dir = repo.Git.Getenv("HOME") + "/" + rest
	}
	return filepath.Clean(filepath.FromSlash(dir))
}

// ExcludePattern is the line of info/exclude that hides the drafts of repo.
func ExcludePattern(repo *store.Repo) string {
	root := Root(repo)
	if filepath.IsAbs(root) { // it needs none, and this one does no harm
		root = DefaultDir
	}
	glob := strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`)
	return "/" + glob.Replace(strings.Trim(filepath.ToSlash(filepath.Clean(root)), "/")) + "/"
}

// State gives what the worktree remembers. It never writes.
func (d *Drafts) State() (State, error) { return d.state.read() }

// Current gives the current draft and makes it on first use. A folder that was
// deleted is made again, with the stored plan in it.
func (d *Drafts) Current(ctx context.Context) (Draft, error) {
	s, err := d.State()
	if err != nil {
		return Draft{}, err
	}
	if t := s.draft(s.Current); t != nil && isDir(t.Dir) {
		if err := d.Reach(t.Dir); err != nil {
			return *t, err
		}
		if err := d.letGoFinished(ctx, *t); err != nil {
			return *t, err
		}
		if s, err = d.State(); err != nil {
			return *t, err
		}
	}
	if t := s.draft(s.Current); t != nil && isDir(t.Dir) {
		return *t, nil
	}
	var out Draft
	made := ""
	err = d.state.change(ctx, func(s *State) error {
		t := s.draft(s.Current)
		if t == nil {
			var err error
			if t, err = d.allocate(s, ""); err != nil {
				return err
			}
			s.Current, made = t.ID, t.Dir
		}
		err := d.refill(ctx, t)
		out = *t
		return err
	})
	if err != nil && made != "" {
		os.Remove(made)
	}
	return out, err
}

// letGoFinished lets go of the plan of a draft if it was finished elsewhere: the folder
// is about to be given out for the next plan.
func (d *Drafts) letGoFinished(ctx context.Context, t Draft) error {
	if t.Plan == "" || t.isNew() {
		return nil
	}
	now, err := d.repo.Snapshot(ctx)
	if err != nil || !now.Exists() {
		return err
	}
	stored, err := find(ctx, now, t.Plan)
	if err != nil || stored != nil && !stored.Plan.Status().Finished() {
		return err
	}
	return d.Refresh(ctx, now.Commit, t.Plan)
}

// refill makes a draft's folder again where it was deleted.
func (d *Drafts) refill(ctx context.Context, t *Draft) error {
	if isDir(t.Dir) {
		return nil
	}
	var stored *store.Mended
	if t.Plan != "" {
		now, err := d.repo.Snapshot(ctx)
		if err != nil {
			return err
		}
		if stored, err = find(ctx, now, t.Plan); err != nil {
			return err
		}
		t.Base, t.Next, t.Change = now.Commit, "", ""
	}
	if stored == nil {
		*t = t.letGo()
	}
	return d.folders.fillNew(t.Dir, files(stored))
}

// files are those of a stored plan as a folder has them.
func files(m *store.Mended) map[string][]byte {
	all := map[string][]byte{}
	if m == nil {
		return all
	}
	for name, data := range m.Beside {
		all[name] = data
	}
	for name, data := range m.Plan.Files() {
		all[name] = data
	}
	return all
}

// Request makes another draft, with an empty folder.
func (d *Drafts) Request(ctx context.Context) (Draft, error) {
	if _, err := d.Current(ctx); err != nil {
		return Draft{}, err
	}
	return d.add(ctx, "", nil)
}

// add makes a draft of a new plan, in a folder of its own. The id is that of the
// plan; one that is empty is made of the next number.
func (d *Drafts) add(ctx context.Context, id string, files map[string][]byte) (Draft, error) {
	var out Draft
	made := ""
	err := d.state.change(ctx, func(s *State) error {
		t, err := d.allocate(s, id)
		if err != nil {
			return err
		}
		out, made = *t, t.Dir
		if files != nil {
			err = d.folders.fillNew(t.Dir, files)
			d.makeCurrent(s, out.ID)
		}
		return err
	})
	if err != nil && made != "" {
		os.RemoveAll(made)
	}
	return out, err
}

// allocate adds a draft in a new folder: of a name for the plan, or of a number that
// no draft ever had.
func (d *Drafts) allocate(s *State, name string) (*Draft, error) {
	if _, err := os.Stat(d.folders.root); err == nil && !isDir(d.folders.root) {
		return nil, fmt.Errorf("%s is not a folder: move it away, or set plan.draftDir", d.folders.root)
	}
	root, err := d.folders.enter(d.folders.root, true)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if _, err := d.repo.Exclude(ExcludePattern(d.repo)); err != nil {
		return nil, err
	}
	for n := 1; ; n++ {
		id := name
		switch {
		case name == "":
			s.Last++
			id = numbered + strconv.Itoa(s.Last)
		case n > 1:
			id = name + "-" + strconv.Itoa(n)
		}
		if s.draft(id) != nil {
			continue
		}
		dir := filepath.Join(d.folders.root, id)
		if err := root.Mkdir(id, 0o777); os.IsExist(err) {
			continue
		} else if err != nil {
			return nil, writeError(dir, err)
		}
		s.Drafts = append(s.Drafts, Draft{ID: id, Dir: dir})
		return &s.Drafts[len(s.Drafts)-1], nil
	}
}

// makeCurrent makes a draft the current one. The one that was goes if it holds nothing
// and never will: its folder had no other use.
func (d *Drafts) makeCurrent(s *State, id string) {
	if old := s.draft(s.Current); old != nil && old.ID != id && old.Plan == "" && d.folders.owns(*old) && isEmpty(old.Dir) {
		_ = d.remove(s, *old) // an empty folder does no harm
	}
	s.Current = id
}

// New makes a draft of a new plan with a title, and its first task to fill in. No
// other draft is touched. The id is made from the title where none is given.
func (d *Drafts) New(ctx context.Context, title, id string) (Draft, error) {
	s, err := d.repo.Snapshot(ctx)
	if err != nil {
		return Draft{}, err
	}
	state, err := d.State()
	if err != nil {
		return Draft{}, err
	}
	var failed error
	taken := func(id string) bool {
		_, stored, err := s.Locate(ctx, id)
		failed = errors.Join(failed, err)
		return stored || id == store.Archive || state.draft(id) != nil || state.of(id) != nil
	}
	switch {
	case id == "":
		id = plan.NewID(title, "plan", taken)
	case taken(id):
		err = &store.ExistsError{Message: fmt.Sprintf("the id %q is taken: choose another", id)}
	}
	if err := errors.Join(failed, err); err != nil {
		return Draft{}, err
	}
	about, err := plan.ComposePlan(map[string]any{"title": title}, planTemplate)
	if err != nil {
		return Draft{}, err
	}
	first, err := plan.ComposeTask("tasks/01-first.md", map[string]any{"id": "first"}, taskTemplate)
	if err != nil {
		return Draft{}, err
	}
	return d.add(ctx, id, map[string][]byte{about.Path: about.Data, first.Path: first.Data})
}

// What New asks for. A comment is no body, so the gate refuses a file that holds
// nothing else.
const (
	planTemplate = "<!-- Why this plan, what is to be reached, and how to see that it is. -->"
	taskTemplate = "<!-- What to do in this task, where, and how to see that it is done. Then rename this file and its id. -->"
)

// Remove drops a draft and its folder. What is stored stays.
func (d *Drafts) Remove(ctx context.Context, id string) error {
	return d.state.change(ctx, func(s *State) error {
		t := s.draft(id)
		switch {
		case t == nil:
			return noDraft(id)
		case id == s.Current:
			return &store.UnsupportedError{Message: "the current draft is not removed: empty it with `git plan clear-current`"}
		}
		return d.remove(s, *t)
	})
}

func noDraft(id string) error {
	return &store.NotFoundError{What: "draft", Name: id, Hint: "see `git plan context`"}
}

// remove drops a draft and its folder, of which only the plan's files go where the
// user chose it.
func (d *Drafts) remove(s *State, t Draft) error {
	if _, err := d.folders.empty(t); err != nil {
		return err
	}
	if err := os.Remove(t.Dir); err != nil && !os.IsNotExist(err) && isEmpty(t.Dir) {
		return writeError(t.Dir, err)
	}
	s.drop(t.ID)
	return nil
}

// ClearCurrent empties the current draft's folder and lets go of its plan, which stays
// stored. It reports whether there was anything to do.
func (d *Drafts) ClearCurrent(ctx context.Context) (changed bool, err error) {
	if _, err := d.Current(ctx); err != nil {
		return false, err
	}
	err = d.state.change(ctx, func(s *State) error {
		t := s.draft(s.Current)
		if t == nil {
			return nil
		}
		full, err := d.folders.empty(*t)
		changed = full || t.Plan != ""
		if err == nil {
			*t = t.letGo()
		}
		return err
	})
	return changed, err
}

// Use makes a plan the worktree's current one.
func (d *Drafts) Use(ctx context.Context, plan string) error {
	return d.state.change(ctx, func(s *State) error {
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
	err = d.state.change(ctx, func(s *State) error {
		changed = s.Topic != topic
		s.Topic = topic
		return nil
	})
	return changed, err
}

// In gives the draft whose folder dir is, nil where it is none's.
func (d *Drafts) In(dir string) (*Draft, error) {
	s, err := d.State()
	if err != nil {
		return nil, err
	}
	return s.in(dir), nil
}

// PlanIn gives the id of the plan that is drafted in a folder, or "" for any other
// folder.
func (d *Drafts) PlanIn(dir string) (string, error) {
	t, err := d.In(dir)
	if err != nil || t == nil {
		return "", err
	}
	return t.name(), nil
}

// Began gives the stored plan that the draft in a folder was last filled from; nil for
// a new plan and for any other folder.
func (d *Drafts) Began(ctx context.Context, dir string) (*plan.Plan, error) {
	t, err := d.In(dir)
	if err != nil || t == nil {
		return nil, err
	}
	return d.bases.plan(ctx, *t)
}

// named picks the drafts that were asked for by plan or id, all where none was.
func (s *State) named(wanted []string) ([]Draft, error) {
	if len(wanted) == 0 {
		return s.ordered(), nil
	}
	for _, name := range wanted {
		if s.draft(name) == nil && s.of(name) == nil {
			return nil, noDraft(name)
		}
	}
	return slices.DeleteFunc(s.ordered(), func(t Draft) bool {
		return !slices.Contains(wanted, t.ID) && (t.Plan == "" || !slices.Contains(wanted, t.Plan))
	}), nil
}
