package web

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan/diag"
)

// Written says what [Viewer.Write] did.
type Written struct {
	// Commit is the store's commit that the pages show, empty without a store.
	Commit string
	// Plans counts the plans, Pages the pages, and Removed the pages of plans and
	// tasks that are gone.
	Plans, Pages, Removed int
}

// Write writes all pages to a folder, archived plans too, as files that link to
// each other wherever the folder is put. Of a folder that Write filled before,
// what is out of date goes; any other that is not empty is an
// *[store.ExistsError], and nothing is written. The same commit gives the
// same files. The folder is opened, and made if need be, by the given function
// and once there is something to write.
func (v *Viewer) Write(ctx context.Context, dir string, open func(dir string) (*os.Root, error)) (Written, error) {
	s, err := v.store.now(ctx)
	if err != nil {
		return Written{}, err
	}
	plans, err := s.list(ctx)
	if err != nil {
		return Written{}, err
	}
	if s.Exists() {
		if _, err := s.history(ctx, ""); err != nil {
			return Written{}, err
		}
	}
	root, err := open(dir)
	if err != nil {
		return Written{}, err
	}
	f, err := newFolder(dir, root)
	if err != nil {
		return Written{}, err
	}
	defer f.close()
	w := &staticWriter{Viewer: v, ctx: ctx, state: s, folder: f}
	if err := w.all(plans); err != nil {
		return Written{}, err
	}
	w.done.Removed, err = f.finish()
	w.done.Commit = s.Commit
	return w.done, err
}

// staticWriter writes the pages of one state of the store, up to the first error.
type staticWriter struct {
	*Viewer
	ctx    context.Context
	state  *state
	folder *folder
	done   Written
	err    error
}

func (w *staticWriter) all(plans []store.Summary) error {
	for name := range assetTypes() {
		data, err := asset(name)
		w.file("assets/"+name, data, err)
	}
	w.file(".nojekyll", nil, nil)
	w.lists(len(plans))
	words := []planWord{}
	for _, sum := range plans {
		if w.err = cmp.Or(w.err, w.ctx.Err()); w.err != nil {
			return w.err
		}
		s, err := w.state.LoadAt(w.ctx, sum.Location)
		if err == nil {
			w.plan(s)
			words = append(words, wordOf(s, sum))
		}
		if w.err = cmp.Or(w.err, err); w.err != nil {
			return fmt.Errorf("plan %s: %w", sum.ID, w.err)
		}
		w.done.Plans++
	}
	// What the pages search is a script: a page from a folder may run one, but not
	// read a file.
	data, err := json.Marshal(words)
	w.file("assets/words.js", slices.Concat([]byte("gitPlanWords("), data, []byte(");\n")), err)
	return w.err
}

// file writes a file, unless there was an error.
func (w *staticWriter) file(name string, data []byte, err error) {
	if w.err = cmp.Or(w.err, err); w.err == nil {
		w.err = w.folder.write(name, data)
	}
}

// write writes a page.
func (w *staticWriter) write(path string, make func(links) (frame, error)) {
	if w.err != nil {
		return
	}
	l := linksOf(path, true)
	f, err := make(l)
	if err != nil {
		w.err = err
		return
	}
	data, err := w.page(f, w.state, l)
	w.done.Pages++
	w.file(fileOf(path), data, err)
}

// lists writes the pages of the list, and the board.
func (w *staticWriter) lists(plans int) {
	for n := 1; n == 1 || (n-1)*pageSize < plans; n++ {
		w.write(staticListPath(n), func(l links) (frame, error) {
			return w.list(w.ctx, w.state, filter{archived: true, page: n}, l)
		})
	}
	w.write(boardPath, func(l links) (frame, error) { return w.board(w.ctx, w.state, l) })
}

// plan writes the pages of a plan: what stands there, what each version changed,
// and its tasks.
func (w *staticWriter) plan(s *store.Stored) {
	h, err := w.state.history(w.ctx, s.ID)
	if w.err = cmp.Or(w.err, err); w.err != nil {
		return
	}
	paths := []string{"", "board", "graph", "history"}
	for _, span := range h.spans() {
		paths = append(paths, "changes/"+span[0]+".."+span[1])
	}
	for _, t := range s.Plan.All() {
		paths = append(paths, "tasks/"+taskKey(s.Plan, t))
	}
	for _, path := range paths {
		w.write(planPath(s.ID)+path, func(l links) (frame, error) { return w.planPage(w.ctx, w.state, s, path, l) })
	}
}

// planWord is what static pages know of a plan to search for.
type planWord struct {
	ID       string     `json:"id"`
	Title    string     `json:"title"`
	Goal     string     `json:"goal"`
	Status   string     `json:"status"`
	Mark     string     `json:"mark"`
	Archived bool       `json:"archived"`
	Link     string     `json:"link"`
	Tasks    []taskWord `json:"tasks"`
}

// taskWord is what they know of a task.
type taskWord struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Link  string `json:"link"`
}

func wordOf(s *store.Stored, sum store.Summary) planWord {
	root, m := linksOf("", true), planMark(sum.Status)
	out := planWord{sum.ID, diag.Printable(sum.Title), diag.Printable(sum.Goal), m.Word, m.Class, sum.Archived(), root.To(planPath(sum.ID)), []taskWord{}}
	for _, t := range s.Plan.All() {
		out.Tasks = append(out.Tasks, taskWord{diag.Printable(t.ID), diag.Printable(t.Title()), root.To(taskPath(s.ID, taskKey(s.Plan, t)))})
	}
	return out
}

// exists refuses a folder.
func exists(dir, why string) error {
	return &store.ExistsError{Message: fmt.Sprintf("%s %s: name a folder that is new, empty, or was written by `git plan report`", dir, why)}
}

// isMissing reports whether an error says that something is not there.
func isMissing(err error) bool { return os.IsNotExist(err) }
