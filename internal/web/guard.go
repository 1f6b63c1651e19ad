package web

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"strings"
)

// The server's rules: who may ask, for what, and what a browser may do with the
// answer.

// newSecret makes the part of the address that only who was told it knows: the
// loopback address is open to every user of a machine.
func newSecret() (string, error) {
	b := make([]byte, 18)
	if _, err := rand.Read(b); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(b), nil
}

// maxAddress bounds the address that is asked for.
const maxAddress = 2048

// policy lets pages use what this server sends and nothing else.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// guard lets only those requests through to the pages that a browser of this
// machine's user makes for them: to this host by name, so that no page of
// somebody else can come in by a name that it points here; of methods that
// change nothing; with the secret.
func (s *server) guard(pages http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.headers(w.Header())
		switch {
		case r.Host != s.host && r.Host != strings.Replace(s.host, "127.0.0.1", "localhost", 1):
			refuse(w, http.StatusMisdirectedRequest, "this viewer answers to "+s.host+" only")
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			refuse(w, http.StatusMethodNotAllowed, "this viewer only shows plans")
		case len(r.RequestURI) > maxAddress:
			refuse(w, http.StatusRequestURITooLong, "this address is too long")
		case r.ContentLength != 0:
			w.Header().Set("Connection", "close") // nobody waits for it
			refuse(w, http.StatusRequestEntityTooLarge, "this viewer takes no content")
		case s.enters(r):
			http.Redirect(w, r, "/"+s.secret+"/", http.StatusSeeOther)
		case !s.knows(r):
			refuse(w, http.StatusForbidden, "open the whole address that `git plan web` printed; what it opens by itself leads there once")
		case foreign(r):
			refuse(w, http.StatusForbidden, "this viewer answers to its own pages only")
		default:
			pages.ServeHTTP(w, r)
		}
	})
}

// knows reports whether the address has the secret.
func (s *server) knows(r *http.Request) bool { return begins(r, s.secret) }

// enters reports whether a browser was led here, by its user, with the address
// that is good once. Where somebody else was faster, that user is refused and
// knows.
func (s *server) enters(r *http.Request) bool {
	return begins(r, s.door) && r.Method == http.MethodGet && !foreign(r) && s.entered.CompareAndSwap(false, true)
}

// begins reports whether a path begins with a secret. How long the answer takes
// tells nothing of it.
func begins(r *http.Request, secret string) bool {
	first, _, found := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	return subtle.ConstantTimeCompare([]byte(first), []byte(secret)) == 1 && found
}

// foreign reports whether a page of somebody else asks, which may lead a person
// here but take nothing from here.
func foreign(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
		return true
	}
	site, mode := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Sec-Fetch-Mode")
	return (site == "cross-site" || site == "same-site") && mode != "navigate"
}

func (s *server) headers(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	h.Set("Cache-Control", "no-store")
}

func refuse(w http.ResponseWriter, status int, why string) { http.Error(w, why, status) }
