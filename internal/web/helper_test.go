package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/store"
)

// fixture is a repository with plans, and its viewer as a server.
type fixture struct {
	t      *testing.T
	repo   *gittest.Repo
	viewer *Viewer
	// address is that of the list.
	address string
	server  *server

	mu    sync.Mutex
	warns []string
}

// newFixture makes a repository with commits on the branch of plans.
func newFixture(t *testing.T, commits ...sampleCommit) *fixture {
	t.Helper()
	f := &fixture{t: t, repo: gittest.New(t)}
	f.commit(commits...)
	repo, err := store.Open(t.Context(), store.Options{Git: f.repo.G(), Getenv: func(string) string { return "" }, Now: sampleNow})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { repo.Close() })
	f.viewer = New(Options{Repo: repo, Name: "gateway", Now: sampleNow, Warn: f.warn})
	return f
}

func (f *fixture) warn(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.warns = append(f.warns, fmt.Sprintf(format, args...))
}

// commit puts commits on the branch of plans.
func (f *fixture) commit(commits ...sampleCommit) {
	f.t.Helper()
	if len(commits) == 0 {
		return
	}
	if err := appendSample(f.t.Context(), f.repo.G(), commits...); err != nil {
		f.t.Fatal(err)
	}
}

// serve begins to answer, and ends with the test.
func (f *fixture) serve() *fixture {
	f.t.Helper()
	l, err := Listen(0)
	if err != nil {
		f.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(f.t.Context())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- f.viewer.Serve(ctx, l, func(address, _ string) { ready <- address }) }()
	f.address = <-ready
	f.t.Cleanup(func() {
		stop()
		select {
		case err := <-ended:
			if err != nil {
				f.t.Errorf("the server ended with %v", err)
			}
		case <-time.After(gittest.Hang):
			f.t.Error("the server did not end")
		}
	})
	return f
}

// handler gives what answers requests, without a network.
func (f *fixture) handler() http.Handler {
	f.t.Helper()
	s, err := f.viewer.newServer(f.t.Context(), "127.0.0.1:4000")
	if err != nil {
		f.t.Fatal(err)
	}
	f.server, f.address = s, s.address()
	return s.guard(s.routes())
}

// get asks the handler for a page below the secret part of the address.
func (f *fixture) get(h http.Handler, path string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:4000/"+f.server.secret+"/"+path, nil)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// body asks the handler for a page that must be there.
func (f *fixture) body(h http.Handler, path string) string {
	f.t.Helper()
	w := f.get(h, path)
	if w.Code != http.StatusOK {
		f.t.Fatalf("%s: status %d\n%s", path, w.Code, w.Body)
	}
	return w.Body.String()
}

// holds fails for each text that a page does not hold.
func holds(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not hold %q:\n%s", text, main(page))
		}
	}
}

// lacks fails for each text that a page holds.
func lacks(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(page, text) {
			t.Errorf("the page holds %q", text)
		}
	}
}

// fetch asks a running server.
func fetch(t *testing.T, address string) (status int, body string) {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(data)
}

// doc makes a file of a plan.
func doc(body string, fields ...string) string {
	return "---\n" + strings.Join(fields, "\n") + "\n---\n\n" + body + "\n"
}

// step makes a commit of files, by path and text in turn.
func step(message string, files ...string) sampleCommit {
	set := map[string]string{}
	for i := 0; i < len(files); i += 2 {
		set[files[i]] = files[i+1]
	}
	return sampleCommit{At: sampleNow(), Who: "Ada Byron", Message: message, Set: set}
}

// main gives the content of a page.
func main(page string) string {
	_, rest, _ := strings.Cut(page, "<main")
	content, _, _ := strings.Cut(rest, "</main>")
	return content
}

// makeFolder opens a folder for pages, made where there is none.
func makeFolder(dir string) (*os.Root, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	return os.OpenRoot(dir)
}
