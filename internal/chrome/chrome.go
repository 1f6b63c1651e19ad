// Package chrome drives a browser without a window, for tests of pages and for
// pictures of them. Begin with [Start], which says in [ErrNone] that there is no
// browser here, and [Browser.Open].
//
// The browser is told what to do through a pipe, so that nobody else on the
// machine can; it has a profile of its own and reaches no other host than this.
package chrome

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// ErrNone is what [Start] ends with where no browser is installed.
var ErrNone = errors.New("no Chromium is installed here: put chromium, chromium-browser or google-chrome on the PATH")

// Foreign is the name of a host of somebody else that leads to this machine.
const Foreign = "foreign.example"

// callTime is how long the browser may take for what it is told.
const callTime = 20 * time.Second

// Browser is a running browser. Close it after use.
type Browser struct {
	cmd     *exec.Cmd
	profile string
	in      io.WriteCloser
	ended   chan struct{}

	mu      sync.Mutex
	last    int
	waiting map[int]chan answer
	pages   map[string]*Page
}

type answer struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// message is what the browser sends.
type message struct {
	ID        int
	SessionID string
	Method    string
	Params    json.RawMessage
	answer
}

// find gives the program of a browser.
func find() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNone
}

// Start begins a browser that ends with ctx.
func Start(ctx context.Context) (*Browser, error) {
	program, err := find()
	if err != nil {
		return nil, err
	}
	profile, err := os.MkdirTemp("", "git-plan-chrome-")
	if err != nil {
		return nil, err
	}
	b := &Browser{profile: profile, ended: make(chan struct{}), waiting: map[int]chan answer{}, pages: map[string]*Page{}}
	b.cmd = exec.CommandContext(ctx, program, "--headless=new", "--remote-debugging-pipe", "--user-data-dir="+profile, "--no-first-run",
		"--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--disable-extensions", "--disable-default-apps", "--no-default-browser-check", "--password-store=basic", "--use-mock-keychain", "--hide-scrollbars",
		"--host-resolver-rules=MAP "+Foreign+" 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost", "about:blank")
	if err := b.start(); err != nil {
		os.RemoveAll(profile)
		return nil, err
	}
	return b, nil
}

// start runs the browser with a pipe each way, its third and fourth files.
func (b *Browser) start() error {
	hears, tell, err := os.Pipe()
	if err != nil {
		return err
	}
	listen, says, err := os.Pipe()
	if err != nil {
		return err
	}
	b.cmd.ExtraFiles = []*os.File{hears, says}
	err = b.cmd.Start()
	hears.Close()
	says.Close()
	if err != nil {
		return fmt.Errorf("run %s: %w", b.cmd.Path, err)
	}
	b.in = tell
	go b.read(listen)
	return nil
}

// Close ends the browser and removes its profile.
func (b *Browser) Close() error {
	b.in.Close()
	_ = b.cmd.Process.Kill() // it has nothing to save
	<-b.ended
	_ = b.cmd.Wait() // it was killed
	return os.RemoveAll(b.profile)
}

// read takes what the browser sends until it ends.
func (b *Browser) read(from io.ReadCloser) {
	defer close(b.ended)
	defer from.Close()
	var rest []byte
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		rest = append(rest, buffer[:n]...)
		for {
			i := bytes.IndexByte(rest, 0)
			if i < 0 {
				break
			}
			var m message
			if json.Unmarshal(rest[:i], &m) == nil {
				b.take(m)
			}
			rest = rest[i+1:]
		}
		if err != nil {
			return
		}
	}
}

// take hands a message to who waits for it.
func (b *Browser) take(m message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if m.ID != 0 {
		if c := b.waiting[m.ID]; c != nil {
			c <- m.answer
			delete(b.waiting, m.ID)
		}
		return
	}
	if p := b.pages[m.SessionID]; p != nil {
		p.happened(m.Method, m.Params)
	}
}

// call tells the browser to do something, in a page or, with no session, as a
// whole, and reads the answer into result.
func (b *Browser) call(session, method string, params, result any) error {
	c := make(chan answer, 1)
	b.mu.Lock()
	b.last++
	id := b.last
	b.waiting[id] = c
	data, err := json.Marshal(struct {
		ID        int    `json:"id"`
		SessionID string `json:"sessionId,omitempty"`
		Method    string `json:"method"`
		Params    any    `json:"params,omitempty"`
	}{id, session, method, params})
	if err == nil {
		_, err = b.in.Write(append(data, 0))
	}
	b.mu.Unlock()
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case a := <-c:
		if a.Error != nil {
			return fmt.Errorf("%s: %s", method, a.Error.Message)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(a.Result, result)
	case <-b.ended:
		return fmt.Errorf("%s: the browser ended", method)
	case <-time.After(callTime):
		return fmt.Errorf("%s: no answer in %s", method, callTime)
	}
}
