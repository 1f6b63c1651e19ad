package web

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/git-plan/git-plan/plan/diag"
)

// lookEvery is how long the server waits before it looks again where the ref
// is, while a page wants to know: one short child of git each time.
const lookEvery = time.Second

// beat is how often a page hears that the server is still there.
const beat = 15 * time.Second

// watch looks where the ref is for all pages that want to know. Nobody looks
// while no page does.
type watch struct {
	mu    sync.Mutex
	tip   string
	known bool
	next  chan struct{} // closed when the ref has moved
	pages int
	stop  context.CancelFunc
	seats chan struct{}
}

// enter begins to look, unless somebody does already.
func (s *server) enter() {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	if s.watch.pages++; s.watch.pages > 1 {
		return
	}
	ctx, stop := context.WithCancel(s.ctx)
	s.watch.stop, s.watch.next, s.watch.known = stop, make(chan struct{}), false
	go s.look(ctx)
}

// leave ends looking with the last page.
func (s *server) leave() {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	if s.watch.pages--; s.watch.pages == 0 {
		s.watch.stop()
	}
}

func (s *server) look(ctx context.Context) {
	told := ""
	for {
		at, err := s.store.now(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && err.Error() != told:
			told = err.Error()
			s.opts.Warn("where the plans are cannot be seen: %s", diag.Printable(told))
		case err == nil:
			told = ""
			s.watch.move(at.Commit)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(lookEvery):
		}
	}
}

// move tells the pages where the ref is, if that is new.
func (w *watch) move(tip string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.known && w.tip == tip {
		return
	}
	w.tip, w.known = tip, true
	close(w.next)
	w.next = make(chan struct{})
}

// see gives where the ref is, if that is known, and what ends when it moves.
func (w *watch) see() (tip string, known bool, next <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tip, w.known, w.next
}

// events tells a page when the ref moves, as server-sent events, until the page
// or the server ends.
func (s *server) events(w http.ResponseWriter, r *http.Request) {
	select {
	case s.watch.seats <- struct{}{}:
		defer func() { <-s.watch.seats }()
	default:
		w.Header().Set("Retry-After", "30")
		refuse(w, http.StatusServiceUnavailable, "too many pages are open")
		return
	}
	s.enter()
	defer s.leave()
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	say := func(format string, args ...any) bool {
		_ = out.SetWriteDeadline(time.Now().Add(2 * beat))
		_, err := fmt.Fprintf(w, format, args...)
		return err == nil && out.Flush() == nil
	}
	if r.Method == http.MethodHead || !say("retry: 2000\n\n") {
		return
	}
	for {
		tip, known, next := s.watch.see()
		if known && !say("event: tip\ndata: %s\n\n", tip) {
			return
		}
		if !s.await(r.Context(), next, func() bool { return say(": still here\n\n") }) {
			return
		}
	}
}

// await waits until the ref moves, and says now and then that it still does; it
// reports whether there is a page to tell of it.
func (s *server) await(page context.Context, moved <-chan struct{}, still func() bool) bool {
	for {
		select {
		case <-moved:
			return true
		case <-time.After(beat):
			if !still() {
				return false
			}
		case <-page.Done():
			return false
		case <-s.ctx.Done():
			return false
		}
	}
}
