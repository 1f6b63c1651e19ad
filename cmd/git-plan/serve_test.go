package main

import (
	"net"
	"net/http"
	"net/http/cgi"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-plan/git-plan/internal/gittest"
)

// serve KIND NAME [ARG…] starts a server for the repositories in $WORK and sets a
// variable to its address, which a path follows. It ends with the script.
//
// http is git http-backend. Arguments are users, each USER:PASSWORD, or
// USER:PASSWORD:read for one who may not push; without any it asks nobody. Each
// request is a line of $WORK/requests: user, method, path.
// daemon is git daemon; arguments are options for it.
// silent takes connections and says nothing; each is a line of $WORK/connections.
func cmdServe(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: serve kind name [arg…]")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { _ = l.Close() })
	s := &server{work: ts.Getenv("WORK"), env: append(gittest.Env(filepath.Join(ts.Getenv("WORK"), ".home")), "WORK="+ts.Getenv("WORK")), args: args[2:]}
	scheme := "http"
	switch args[0] {
	case "http":
		execPath, err := exec.Command(gittest.Program(), "--exec-path").Output()
		ts.Check(err)
		s.backend = filepath.Join(strings.TrimSpace(string(execPath)), "git-http-backend")
		go func() { _ = http.Serve(l, s) }()
	case "daemon":
		scheme = "git"
		go s.each(l, s.daemon)
	case "silent":
		go s.each(l, s.hold)
	default:
		ts.Fatalf("no server is called %q", args[0])
	}
	ts.Defer(s.drop)
	ts.Setenv(args[1], scheme+"://"+l.Addr().String())
}

// server serves the repositories of a script.
type server struct {
	work, backend string
	env, args     []string
	noting        sync.Mutex
	held          []net.Conn
}

// hold keeps a connection, which would be closed as garbage.
func (s *server) hold(c net.Conn) {
	s.note("connections", "one")
	s.noting.Lock()
	defer s.noting.Unlock()
	s.held = append(s.held, c)
}

// drop closes what is held.
func (s *server) drop() {
	s.noting.Lock()
	defer s.noting.Unlock()
	for _, c := range s.held {
		_ = c.Close()
	}
}

// note adds a line to a file of the script.
func (s *server) note(file, line string) {
	s.noting.Lock()
	defer s.noting.Unlock()
	f, err := os.OpenFile(filepath.Join(s.work, file), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		_, _ = f.WriteString(line + "\n")
		_ = f.Close()
	}
}

// each has every connection dealt with.
func (s *server) each(l net.Listener, deal func(net.Conn)) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go deal(c)
	}
}

// daemon lets git daemon answer, as inetd does.
func (s *server) daemon(c net.Conn) {
	defer c.Close()
	f, err := c.(*net.TCPConn).File()
	if err != nil {
		return
	}
	defer f.Close()
	cmd := exec.Command(gittest.Program(), append([]string{"daemon", "--inetd", "--export-all", "--informative-errors", "--base-path=" + s.work}, s.args...)...)
	cmd.Env, cmd.Stdin, cmd.Stdout = s.env, f, f
	_ = cmd.Run()
}

// ServeHTTP asks who it is, and hands on to git http-backend.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	user, password, _ := r.BasicAuth()
	s.note("requests", strings.TrimSpace(user+" "+r.Method+" "+r.URL.Path))
	env := append([]string{"GIT_PROJECT_ROOT=" + s.work, "GIT_HTTP_EXPORT_ALL=1"}, s.env...)
	if len(s.args) > 0 {
		known, reader := false, false
		for _, arg := range s.args {
			known = known || arg == user+":"+password
			reader = reader || arg == user+":"+password+":read"
		}
		switch {
		case !known && !reader:
			w.Header().Set("WWW-Authenticate", `Basic realm="plans"`)
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		case reader && strings.Contains(r.URL.String(), "git-receive-pack"):
			http.Error(w, "You may read these plans, and no more.", http.StatusForbidden)
			return
		}
		env = append(env, "REMOTE_USER="+user)
	}
	(&cgi.Handler{Path: s.backend, Env: env, Stderr: new(strings.Builder)}).ServeHTTP(w, r)
}
