package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// Bounds of the server.
const (
	pageTime   = 30 * time.Second // for making a page
	idleTime   = 2 * time.Minute
	headerTime = 5 * time.Second
	maxHeader  = 16 << 10
	maxAtOnce  = 4 // pages in the making
	stopTime   = 2 * time.Second
)

// server is a viewer that answers a browser.
type server struct {
	*Viewer
	ctx          context.Context
	host, secret string
	// door is a second secret that leads to the first, once.
	door     string
	entered  atomic.Bool
	busy     chan struct{}
	look     look
	learning atomic.Bool
}

// Listen opens a port of the loopback address, 0 for one that is free.
func Listen(port int) (net.Listener, error) {
	return net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
}

// Serve answers the browser of this machine's user until ctx ends. ready is
// given the address to open, which nobody else can guess, and another that leads
// there once: a program that is started to open one shows it to all users of the
// machine, by its arguments.
func (v *Viewer) Serve(ctx context.Context, l net.Listener, ready func(address, once string)) error {
	s, err := v.newServer(ctx, l.Addr().String())
	if err != nil {
		return err
	}
	h := &http.Server{
		Handler: s.guard(s.routes()), ReadHeaderTimeout: headerTime, WriteTimeout: 2 * pageTime,
		IdleTimeout: idleTime, MaxHeaderBytes: maxHeader, ErrorLog: log.New(io.Discard, "", 0),
		BaseContext: func(net.Listener) context.Context { return s.ctx },
	}
	ready(s.address(), s.addressOf(s.door))
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(l) }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
		defer cancel()
		if h.Shutdown(last) != nil {
			h.Close()
		}
		err = <-ended
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func (v *Viewer) newServer(ctx context.Context, host string) (*server, error) {
	secret, err := newSecret()
	if err != nil {
		return nil, err
	}
	door, err := newSecret()
	if err != nil {
		return nil, err
	}
	host = strings.TrimSuffix(host, ":80") // as browsers have it
	s := &server{Viewer: v, ctx: ctx, host: host, secret: secret, door: door, busy: make(chan struct{}, maxAtOnce)}
	return s, nil
}

func (s *server) address() string { return s.addressOf(s.secret) }

func (s *server) addressOf(secret string) string { return "http://" + s.host + "/" + secret + "/" }

// learnSoon reads what searches look at, beside other work.
func (s *server) learnSoon(at *state) {
	if !s.learning.CompareAndSwap(false, true) {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer s.learning.Store(false)
		if err := s.store.learn(s.ctx, at); err != nil && s.ctx.Err() == nil {
			s.opts.Warn("plans cannot be searched: %v", err)
		}
	}()
	select { // a small store is read before the first answer
	case <-done:
	case <-time.After(200 * time.Millisecond):
	}
}
