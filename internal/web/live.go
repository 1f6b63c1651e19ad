package web

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/git-plan/git-plan/plan/diag"
)

// lookEvery is how often at most the server looks where the ref is, however many
// pages ask: each time is a child of git.
const lookEvery = time.Second / 2

// look is where the ref was when the server looked last.
type look struct {
	mu   sync.Mutex
	tip  string
	err  error
	at   time.Time
	told string
}

// tip tells a page where the ref is. A page that is seen asks once a second.
func (s *server) tip(w http.ResponseWriter, r *http.Request) {
	l := &s.look
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.at) >= lookEvery {
		ctx, cancel := context.WithTimeout(s.ctx, pageTime)
		defer cancel()
		at, err := s.store.now(ctx)
		if l.err, l.at = err, time.Now(); err == nil {
			l.tip, l.told = at.Commit, ""
		} else if err.Error() != l.told && s.ctx.Err() == nil {
			l.told = err.Error()
			s.opts.Warn("where the plans are cannot be seen: %s", diag.Printable(l.told))
		}
	}
	if l.err != nil {
		refuse(w, http.StatusServiceUnavailable, "where the plans are cannot be seen")
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, l.tip) // a browser that left needs no answer
	}
}
