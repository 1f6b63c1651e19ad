package web

import (
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
	if err := s.readHistories(ctx); err != nil {
		return Written{}, err
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

// readHistories reads the past of all plans in one walk.
func (s *state) readHistories(ctx context.Context) error {
	if !s.Exists() {
		return nil
	}
	revisions, err := s.Revisions(ctx, "")
	if err != nil {
		return err
	}
	all := map[string]*history{}
	for rev, err := range revisions.All(ctx) {
		if err != nil {
			return err
		}
		for _, o := range rev.Changes {
			if all[o.ID] == nil {
				all[o.ID] = &history{}
			}
			all[o.ID].add(rev, o)
		}
	}
	s.past.Lock()
	defer s.past.Unlock()
	s.histories = all
	return nil
}

// staticWriter writes the pages of one state of the store.
type staticWriter struct {
	*Viewer
	ctx    context.Context
	state  *state
	folder *folder
	done   Written
}

func (w *staticWriter) all(plans []store.Summary) error {
	if err := w.assets(); err != nil {
		return err
	}
	if err := w.lists(len(plans)); err != nil {
		return err
	}
	words := []planWord{}
	for _, sum := range plans {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		word, err := w.plan(sum)
		if err != nil {
			return fmt.Errorf("plan %s: %w", sum.ID, err)
		}
		words = append(words, word)
		w.done.Plans++
	}
	return w.words(words)
}

func (w *staticWriter) assets() error {
	for name := range assetTypes() {
		data, err := asset(name)
		if err != nil {
			return err
		}
		if err := w.folder.write("assets/"+name, data); err != nil {
			return err
		}
	}
	return w.folder.write(".nojekyll", nil)
}

// write writes a page.
func (w *staticWriter) write(path string, f frame) error {
	data, err := w.page(f, w.state, linksOf(path, true))
	if err != nil {
		return err
	}
	w.done.Pages++
	return w.folder.write(fileOf(path), data)
}

// lists writes the pages of the list, and the board.
func (w *staticWriter) lists(plans int) error {
	for n := 1; n == 1 || (n-1)*pageSize < plans; n++ {
		path := staticListPath(n)
		p, err := w.listPageOf(w.ctx, w.state, filter{archived: true, page: n}, linksOf(path, true))
		if err != nil {
			return err
		}
		if err := w.write(path, frame{Title: "Plans", Here: "list", Content: "list.html", Data: p}); err != nil {
			return err
		}
	}
	columns, err := w.boardOf(w.ctx, w.state, linksOf(boardPath, true))
	if err != nil {
		return err
	}
	return w.write(boardPath, frame{Title: "Board", Here: "board", Content: "board.html", Data: columns})
}

// plan writes the pages of a plan.
func (w *staticWriter) plan(sum store.Summary) (planWord, error) {
	s, err := w.state.LoadAt(w.ctx, sum.Location)
	if err != nil {
		return planWord{}, err
	}
	at := func(path string) links { return linksOf(path, true) }
	first, board, picture := planPath(s.ID), planBoardPath(s.ID), graphPath(s.ID)
	if err := w.write(first, w.treeFrame(s, at(first))); err != nil {
		return planWord{}, err
	}
	if err := w.write(board, w.boardFrame(s, at(board))); err != nil {
		return planWord{}, err
	}
	if err := w.write(picture, graphFrame(s, at(picture))); err != nil {
		return planWord{}, err
	}
	if err := w.past(s); err != nil {
		return planWord{}, err
	}
	for _, t := range s.Plan.All() {
		path := taskPath(s.ID, taskKey(s.Plan, t))
		if err := w.write(path, planFrame(s, t.Title(), "task.html", w.taskPageOf(s, t, at(path)))); err != nil {
			return planWord{}, err
		}
	}
	return wordOf(s, sum), nil
}

// past writes the history of a plan, and what each version changed.
func (w *staticWriter) past(s *store.Stored) error {
	h, err := w.state.history(w.ctx, s.ID)
	if err != nil {
		return err
	}
	path := historyPath(s.ID)
	if err := w.write(path, planFrame(s, "History", "history.html", w.historyPageOf(s, h, linksOf(path, true)))); err != nil {
		return err
	}
	for _, span := range h.spans() {
		path := changesPath(s.ID, span[0]+".."+span[1])
		c, err := w.changesPageOf(w.ctx, s, h, span[0], span[1], linksOf(path, true))
		if err != nil {
			return err
		}
		if err := w.write(path, planFrame(s, "Changes", "changes.html", c)); err != nil {
			return err
		}
	}
	return nil
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
	out := planWord{sum.ID, diag.Printable(sum.Title), diag.Printable(sum.Goal), m.Word, m.Class, sum.Archived(), root.to(planPath(sum.ID)), []taskWord{}}
	for _, t := range s.Plan.All() {
		out.Tasks = append(out.Tasks, taskWord{diag.Printable(t.ID), diag.Printable(t.Title()), root.to(taskPath(s.ID, taskKey(s.Plan, t)))})
	}
	return out
}

// words writes what the pages search, as a script: a page from a folder may run
// one, but not read a file.
func (w *staticWriter) words(words []planWord) error {
	data, err := json.Marshal(words)
	if err != nil {
		return err
	}
	return w.folder.write("assets/words.js", slices.Concat([]byte("gitPlanWords("), data, []byte(");\n")))
}

// exists refuses a folder.
func exists(dir, why string) error {
	return &store.ExistsError{Message: fmt.Sprintf("%s %s: name a folder that is new, empty, or was written by `git plan report`", dir, why)}
}

// isMissing reports whether an error says that something is not there.
func isMissing(err error) bool { return os.IsNotExist(err) }
