package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Who does not ask as the browser of this machine's user gets nothing.
func TestGuard(t *testing.T) {
	f := newFixture(t, sampleHistory()...)
	h := f.handler()
	page := "/" + f.server.secret + "/plans/keys-for-the-api/"
	for _, c := range []struct {
		name   string
		make   func() *http.Request
		status int
	}{
		{"page", func() *http.Request { return request4(page) }, 200},
		{"localhost", func() *http.Request { return to(request4(page), "localhost:4000") }, 200},
		{"head", func() *http.Request { return as(request4(page), http.MethodHead) }, 200},
		{"foreign host", func() *http.Request { return to(request4(page), "evil.example") }, 421},
		{"foreign host, our port", func() *http.Request { return to(request4(page), "evil.example:4000") }, 421},
		{"other port", func() *http.Request { return to(request4(page), "127.0.0.1:4001") }, 421},
		{"no port", func() *http.Request { return to(request4(page), "127.0.0.1") }, 421},
		{"no host", func() *http.Request { return to(request4(page), "") }, 421},
		{"no secret", func() *http.Request { return request4("/plans/keys-for-the-api/") }, 403},
		{"wrong secret", func() *http.Request { return request4("/" + strings.Repeat("a", 24) + "/") }, 403},
		{"secret alone", func() *http.Request { return request4("/" + f.server.secret) }, 403},
		{"root", func() *http.Request { return request4("/") }, 403},
		{"post", func() *http.Request { return as(request4(page), http.MethodPost) }, 405},
		{"delete", func() *http.Request { return as(request4(page), http.MethodDelete) }, 405},
		{"connect", func() *http.Request { return as(request4(page), http.MethodConnect) }, 405},
		{"body", func() *http.Request {
			return httptest.NewRequest(http.MethodGet, "http://127.0.0.1:4000"+page, strings.NewReader("x"))
		}, 413},
		{"long", func() *http.Request { return request4(page + "?q=" + strings.Repeat("a", maxAddress)) }, 414},
		{"script of another site", func() *http.Request { return from(request4(page), "cross-site", "no-cors") }, 403},
		{"fetch of another port", func() *http.Request { return from(request4(page), "same-site", "cors") }, 403},
		{"link from another site", func() *http.Request { return from(request4(page), "cross-site", "navigate") }, 200},
		{"another origin", func() *http.Request { return fromOrigin(request4(page), "http://evil.example") }, 403},
		{"no origin to tell", func() *http.Request { return fromOrigin(request4(page), "null") }, 403},
		{"another port", func() *http.Request { return fromOrigin(request4(page), "http://127.0.0.1:4001") }, 403},
		{"our origin", func() *http.Request { return fromOrigin(request4(page), "http://127.0.0.1:4000") }, 200},
		{"fetch of our own", func() *http.Request { return from(request4(page), "same-origin", "cors") }, 200},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, c.make())
		if w.Code != c.status {
			t.Errorf("%s: status %d, want %d", c.name, w.Code, c.status)
		}
		if w.Code != 200 && strings.Contains(w.Body.String(), "caller") {
			t.Errorf("%s: the answer tells of a plan", c.name)
		}
		if strings.Contains(w.Body.String(), f.server.secret) {
			t.Errorf("%s: the answer tells the secret", c.name)
		}
		checkHeaders(t, c.name, w.Header())
	}
}

func request4(path string) *http.Request {
	return httptest.NewRequest(http.MethodGet, "http://127.0.0.1:4000"+path, nil)
}

func to(r *http.Request, host string) *http.Request { r.Host = host; return r }

func as(r *http.Request, method string) *http.Request { r.Method = method; return r }

func from(r *http.Request, site, mode string) *http.Request {
	r.Header.Set("Sec-Fetch-Site", site)
	r.Header.Set("Sec-Fetch-Mode", mode)
	return r
}

func fromOrigin(r *http.Request, origin string) *http.Request {
	r.Header.Set("Origin", origin)
	return r
}

// Every answer says what a browser may do with it.
func checkHeaders(t *testing.T, name string, h http.Header) {
	t.Helper()
	for key, want := range map[string]string{
		"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin", "Cache-Control": "no-store",
	} {
		if got := h.Get(key); got != want {
			t.Errorf("%s: %s is %q, want %q", name, key, got, want)
		}
	}
	if h.Get("Set-Cookie") != "" || h.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("%s: headers %v", name, h)
	}
}

// Nobody guesses the address, and nobody else on the network reaches it.
func TestAddress(t *testing.T) {
	f := newFixture(t).serve()
	other := newFixture(t).serve()
	if f.address == other.address || !strings.HasPrefix(f.address, "http://127.0.0.1:") || len(strings.Split(f.address, "/")[3]) < 22 {
		t.Errorf("addresses %s and %s", f.address, other.address)
	}
	if status, page := fetch(t, f.address); status != 200 || !strings.Contains(page, "There are no plans here yet") {
		t.Errorf("status %d:\n%s", status, page)
	}
}

// What is asked of the server changes nothing in the repository.
func TestWritesNothing(t *testing.T) {
	f := newFixture(t, sampleHistory()...)
	h := f.handler()
	before := f.repo.Git("for-each-ref") + f.repo.Git("status", "--porcelain") + f.repo.Git("count-objects", "-v")
	for _, path := range []string{"", "board", "?q=key", "plans/keys-for-the-api/", "plans/keys-for-the-api/history", "plans/keys-for-the-api/changes/v1..v2"} {
		f.body(h, path)
	}
	if after := f.repo.Git("for-each-ref") + f.repo.Git("status", "--porcelain") + f.repo.Git("count-objects", "-v"); after != before {
		t.Errorf("was\n%s\nis\n%s", before, after)
	}
}

// The address that a browser is started with leads to the pages once, and only
// whom a person sent there.
func TestGuardOnce(t *testing.T) {
	f := newFixture(t, sampleHistory()...)
	h := f.handler()
	door := "/" + f.server.door + "/"
	for _, c := range []struct {
		name   string
		r      *http.Request
		status int
	}{
		{"foreign host", to(request4(door), "evil.example"), 421},
		{"post", as(request4(door), http.MethodPost), 405},
		{"head", as(request4(door), http.MethodHead), 403},
		{"script of another site", from(request4(door), "cross-site", "no-cors"), 403},
		{"no end", request4("/" + f.server.door), 403},
		{"first", request4(door), 303},
		{"second", request4(door), 403},
		{"page", request4(door + "plans/keys-for-the-api/"), 403},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, c.r)
		if w.Code != c.status {
			t.Errorf("%s: status %d, want %d", c.name, w.Code, c.status)
		}
		if told := strings.Contains(w.Header().Get("Location")+w.Body.String(), f.server.secret); told != (c.status == 303) {
			t.Errorf("%s: the answer tells the secret: %v", c.name, told)
		}
		checkHeaders(t, c.name, w.Header())
	}
}
