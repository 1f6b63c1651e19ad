package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// errNotFound says that there is no such page.
var errNotFound = errors.New("there is no such page")

// request is one page that a browser asked for.
type request struct {
	*http.Request
	ctx   context.Context
	state *state
	links links
}

// routes are the pages of the server, below the secret part of the address.
func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	page := func(pattern string, make func(*request) (frame, error)) {
		mux.HandleFunc("GET /"+pattern, func(w http.ResponseWriter, r *http.Request) { s.answer(w, r, make) })
	}
	page("{$}", s.list)
	page("board", s.board)
	page("plans/{plan}/{$}", ofPlan(s.treeFrame))
	page("plans/{plan}/board", ofPlan(s.boardFrame))
	page("plans/{plan}/graph", ofPlan(graphFrame))
	page("plans/{plan}/history", s.history)
	page("plans/{plan}/changes/{span}", s.changes)
	page("plans/{plan}/tasks/{task}", s.task)
	mux.HandleFunc("GET /plans/{plan}/changes", compareAsked)
	mux.HandleFunc("GET /assets/{name}", serveAsset)
	mux.HandleFunc("GET /tip", s.tip)
	nowhere := func(*request) (frame, error) { return frame{}, errNotFound }
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { s.answer(w, r, nowhere) })
	return mux
}

// answer makes a page and sends it.
func (s *server) answer(w http.ResponseWriter, r *http.Request, make func(*request) (frame, error)) {
	select {
	case s.busy <- struct{}{}:
		defer func() { <-s.busy }()
	case <-r.Context().Done():
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, pageTime)
	defer cancel()
	q := &request{Request: r, ctx: ctx, links: linksOf(strings.TrimPrefix(r.URL.EscapedPath(), "/"), false)}
	var err error
	if q.state, err = s.store.now(ctx); err != nil {
		s.fail(w, r, nil, err)
		return
	}
	f, err := make(q)
	if err != nil {
		s.fail(w, r, q.state, err)
		return
	}
	s.send(w, r, http.StatusOK, f, q.state, q.links)
}

func (s *server) send(w http.ResponseWriter, r *http.Request, status int, f frame, at *state, l links) {
	body, err := s.page(f, at, l)
	if err != nil {
		http.Error(w, "this page cannot be made", http.StatusInternalServerError)
		s.opts.Warn("%s: %v", r.URL.Path, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // a browser that left needs no page
	}
}

// errorPage says why there is no page.
type errorPage struct{ Heading, Text string }

// fail answers with a page that says what is wrong.
func (s *server) fail(w http.ResponseWriter, r *http.Request, at *state, err error) {
	status, p := http.StatusInternalServerError, errorPage{"This page cannot be shown", err.Error()}
	var missing *store.NotFoundError
	if errors.Is(err, errNotFound) || errors.As(err, &missing) {
		status, p.Heading = http.StatusNotFound, "Not found"
	}
	s.send(w, r, status, frame{Title: p.Heading, Content: "error.html", Data: p}, at, linksOf(strings.TrimPrefix(r.URL.EscapedPath(), "/"), false))
}

func (s *server) list(q *request) (frame, error) {
	f, err := filterOf(q.URL.Query())
	if err != nil {
		return frame{}, err
	}
	if f.text != "" {
		s.learnSoon(q.state)
	}
	return s.listFrame(q.ctx, q.state, f, q.links)
}

func (v *Viewer) listFrame(ctx context.Context, at *state, f filter, l links) (frame, error) {
	p, err := v.listPageOf(ctx, at, f, l)
	return frame{Title: "Plans", Here: "list", Content: "list.html", Data: p, Query: f.text}, err
}

func (v *Viewer) plansFrame(ctx context.Context, at *state, l links) (frame, error) {
	columns, err := v.boardOf(ctx, at, l)
	return frame{Title: "Board", Here: "board", Content: "board.html", Data: columns}, err
}

// filterOf reads a filter; what it does not know is no page.
func filterOf(v url.Values) (filter, error) {
	f := filter{text: strings.TrimSpace(v.Get("q")), status: plan.PlanStatus(v.Get("status")), archived: v.Get("archived") == "1", page: 1}
	known := f.status == ""
	for _, s := range plan.PlanStatuses() {
		known = known || s == f.status
	}
	if n, err := strconv.Atoi(v.Get("page")); err == nil {
		f.page = n
	}
	if !known {
		return f, errNotFound
	}
	return f, nil
}

func (s *server) board(q *request) (frame, error) { return s.plansFrame(q.ctx, q.state, q.links) }

// stored reads the plan of the address.
func (q *request) stored() (*store.Stored, error) {
	id := q.PathValue("plan")
	if !plan.IsKebab(id) {
		return nil, errNotFound
	}
	return q.state.Load(q.ctx, id)
}

// past reads the plan of the address and its history.
func (q *request) past() (*store.Stored, *history, error) {
	p, err := q.stored()
	if err != nil {
		return nil, nil, err
	}
	h, err := q.state.history(q.ctx, p.ID)
	return p, h, err
}

// ofPlan is a page that shows the plan of the address and needs no more.
func ofPlan(make func(*store.Stored, links) frame) func(*request) (frame, error) {
	return func(q *request) (frame, error) {
		p, err := q.stored()
		if err != nil {
			return frame{}, err
		}
		return make(p, q.links), nil
	}
}

// planFrame is the frame of a page of a plan.
func planFrame(s *store.Stored, what, content string, data any) frame {
	title := s.Plan.Title()
	if title == "" {
		title = s.ID
	}
	if what != "" {
		title = what + " · " + title
	}
	return frame{Title: title, Content: content, Data: data}
}

func (v *Viewer) treeFrame(s *store.Stored, l links) frame {
	return planFrame(s, "", "tree.html", v.planPageOf(s, l))
}

func (v *Viewer) boardFrame(s *store.Stored, l links) frame {
	return planFrame(s, "Board", "planboard.html", v.planBoardOf(s, l))
}

func graphFrame(s *store.Stored, l links) frame {
	return planFrame(s, "Graph", "graph.html", graphPageOf(s, l))
}

func (v *Viewer) historyFrame(s *store.Stored, h *history, l links) frame {
	return planFrame(s, "History", "history.html", v.historyPageOf(s, h, l))
}

func (v *Viewer) changesFrame(ctx context.Context, s *store.Stored, h *history, span [2]string, l links) (frame, error) {
	c, err := v.changesPageOf(ctx, s, h, span[0], span[1], l)
	return planFrame(s, "Changes", "changes.html", c), err
}

func (v *Viewer) taskFrame(s *store.Stored, t *plan.Task, l links) frame {
	return planFrame(s, t.Title(), "task.html", v.taskPageOf(s, t, l))
}

func (s *server) history(q *request) (frame, error) {
	p, h, err := q.past()
	if err != nil {
		return frame{}, err
	}
	return s.historyFrame(p, h, q.links), nil
}

func (s *server) changes(q *request) (frame, error) {
	p, h, err := q.past()
	if err != nil {
		return frame{}, err
	}
	from, to, ok := strings.Cut(q.PathValue("span"), "..")
	if !ok {
		return frame{}, errNotFound
	}
	return s.changesFrame(q.ctx, p, h, [2]string{from, to}, q.links)
}

func (s *server) task(q *request) (frame, error) {
	p, err := q.stored()
	if err != nil {
		return frame{}, err
	}
	t := findKey(p.Plan, q.PathValue("task"))
	if t == nil {
		return frame{}, errNotFound
	}
	return s.taskFrame(p, t, q.links), nil
}

// compareAsked leads from the form that asks what to compare to the page that
// tells it.
func compareAsked(w http.ResponseWriter, r *http.Request) {
	from, to := r.URL.Query().Get("from"), r.URL.Query().Get("to")
	w.Header().Set("Location", "changes/"+url.PathEscape(from)+".."+url.PathEscape(to))
	w.WriteHeader(http.StatusSeeOther)
}

func serveAsset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	kind, ok := assetTypes()[name]
	if !ok {
		http.Error(w, errNotFound.Error(), http.StatusNotFound)
		return
	}
	data, err := asset(name)
	if err != nil {
		http.Error(w, errNotFound.Error(), http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(data)
	}
}
