package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
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
	mux, top := http.NewServeMux(), "GET /"+s.secret+"/"
	page := func(pattern string, make func(*request) (frame, error)) {
		mux.HandleFunc(top+pattern, func(w http.ResponseWriter, r *http.Request) { s.answer(w, r, make) })
	}
	page("{$}", s.listAsked)
	page("board", func(q *request) (frame, error) { return s.board(q.ctx, q.state, q.links) })
	page("plans/{plan}/{page...}", s.planAsked)
	mux.HandleFunc(top+"plans/{plan}/changes", compareAsked)
	mux.HandleFunc(top+"assets/{name}", serveAsset)
	mux.HandleFunc(top+"tip", s.tip)
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
	q := &request{Request: r, ctx: ctx, links: linksOf(strings.TrimPrefix(r.URL.EscapedPath(), "/"+s.secret+"/"), false)}
	var f frame
	var err error
	if q.state, err = s.store.now(ctx); err == nil {
		f, err = make(q)
	}
	status := http.StatusOK
	if err != nil {
		status, f = failure(err)
	}
	body, err := s.page(f, q.state, q.links)
	if err != nil {
		http.Error(w, "this page cannot be made", http.StatusInternalServerError)
		s.opts.Warn("%s: %v", strings.TrimPrefix(r.URL.Path, "/"+s.secret), err)
		return
	}
	send(w, r, status, "text/html; charset=utf-8", body)
}

func send(w http.ResponseWriter, r *http.Request, status int, kind string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // a browser that left needs no page
	}
}

// errorPage says why there is no page.
type errorPage struct{ Heading, Text string }

// failure makes the page that says what is wrong.
func failure(err error) (status int, f frame) {
	status, p := http.StatusInternalServerError, errorPage{"This page cannot be shown", err.Error()}
	var missing *store.NotFoundError
	if errors.Is(err, errNotFound) || errors.As(err, &missing) {
		status, p.Heading = http.StatusNotFound, "Not found"
	}
	return status, frame{Title: p.Heading, Content: "error.html", Data: p}
}

func (s *server) listAsked(q *request) (frame, error) {
	f, err := filterOf(q.URL.Query())
	if err != nil {
		return frame{}, err
	}
	if f.text != "" {
		s.learnSoon(q.state)
	}
	return s.list(q.ctx, q.state, f, q.links)
}

// filterOf reads a filter; what it does not know is no page.
func filterOf(v url.Values) (filter, error) {
	f := filter{text: strings.TrimSpace(v.Get("q")), status: plan.PlanStatus(v.Get("status")), archived: v.Get("archived") == "1", page: 1}
	if n, err := strconv.Atoi(v.Get("page")); err == nil {
		f.page = n
	}
	if f.status != "" && !slices.Contains(plan.PlanStatuses(), f.status) {
		return f, errNotFound
	}
	return f, nil
}

func (s *server) planAsked(q *request) (frame, error) {
	id := q.PathValue("plan")
	if !plan.IsKebab(id) {
		return frame{}, errNotFound
	}
	p, err := q.state.Load(q.ctx, id)
	if err != nil {
		return frame{}, err
	}
	return s.planPage(q.ctx, q.state, p, q.PathValue("page"), q.links)
}

// planPage makes the page of a plan at a path below the first one.
func (v *Viewer) planPage(ctx context.Context, at *state, s *store.Stored, path string, l links) (frame, error) {
	show := func(what, content string, x *view, data any) (frame, error) {
		title := x.Title()
		if what != "" {
			title = what + " · " + title
		}
		return frame{Title: title, Content: content, Data: data}, nil
	}
	kind, name, below := strings.Cut(path, "/")
	switch {
	case path == "":
		x := v.view(s, "Tasks", l)
		return show("", "tree.html", x, x)
	case path == "board":
		x := v.view(s, "Board", l)
		return show("Board", "planboard.html", x, x)
	case path == "graph":
		x := v.view(s, "Graph", l)
		return show("Graph", "graph.html", x, x)
	case kind == "tasks" && below:
		x := v.view(s, "", l)
		if t := findKey(s.Plan, name); t != nil {
			return show(t.Title(), "task.html", x, node{t, x})
		}
	case path == "history" || kind == "changes" && below:
		h, err := at.history(ctx, s.ID)
		if err != nil {
			return frame{}, err
		}
		if !below {
			p := v.timeline(s, h, l)
			return show("History", "history.html", p.view, p)
		}
		p, err := v.compare(ctx, s, h, name, l)
		if err != nil {
			return frame{}, err
		}
		return show("Changes", "changes.html", p.view, p)
	}
	return frame{}, errNotFound
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
	data, err := asset(name)
	if !ok || err != nil {
		http.Error(w, errNotFound.Error(), http.StatusNotFound)
		return
	}
	send(w, r, http.StatusOK, kind, data)
}
