// Package chrome opens pages in a browser without a window, by chromedp, for
// tests of pages and for pictures of them. Begin with [Start], which says in
// [ErrNone] that there is no browser here, and [Browser.Open].
//
// The browser has a profile of its own and reaches no other host than this.
package chrome

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// ErrNone is what [Start] ends with where no browser is installed.
var ErrNone = errors.New("no Chromium is installed here: put chromium, chromium-browser or google-chrome on the PATH")

// Foreign is the name of a host of somebody else that leads to this machine.
const Foreign = "foreign.example"

// callTime is how long the browser may take for what it is told.
const callTime = 20 * time.Second

// Browser is a running browser. Close it after use.
type Browser struct {
	ctx context.Context
	end context.CancelFunc
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
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("host-resolver-rules", "MAP "+Foreign+" 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"))
	allocator, end := chromedp.NewExecAllocator(ctx, options...)
	b := &Browser{end: end}
	b.ctx, _ = chromedp.NewContext(allocator)
	if err := chromedp.Do(b.ctx); err != nil {
		end()
		return nil, fmt.Errorf("run %s: %w", program, err)
	}
	return b, nil
}

// Close ends the browser and removes its profile.
func (b *Browser) Close() error {
	defer b.end()
	return chromedp.Cancel(b.ctx)
}

// Page is a page in a [Browser].
type Page struct {
	ctx context.Context

	mu       sync.Mutex
	requests []string
	faults   []string
}

// Open opens an empty page.
func (b *Browser) Open() (*Page, error) {
	p := &Page{}
	p.ctx, _ = chromedp.NewContext(b.ctx, chromedp.WithListener(p.happened))
	if err := chromedp.Do(p.ctx); err != nil {
		return nil, err
	}
	if err := call(p, network.Enable, network.EnableParams{}); err != nil {
		return nil, err
	}
	return p, call(p, log.Enable, cdp.Empty{})
}

// run runs a step in the page, for a limited time.
func run[T any](p *Page, step chromedp.Action[T]) (T, error) {
	ctx, cancel := context.WithTimeout(p.ctx, callTime)
	defer cancel()
	return chromedp.Run(ctx, step)
}

// call runs a command of the protocol whose answer says nothing more.
func call[P, R any](p *Page, command cdp.Command[P, R], params P) error {
	ctx, cancel := context.WithTimeout(p.ctx, callTime)
	defer cancel()
	_, err := chromedp.Call(ctx, command, params)
	return err
}

// happened notes what a page did by itself.
func (p *Page) happened(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || strings.Contains(e.Entry.Text, "Content Security Policy") {
			p.faults = append(p.faults, e.Entry.Text)
		}
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			text += " " + x.Description
		}
		p.faults = append(p.faults, text)
	case *page.EventJavascriptDialogOpening:
		p.faults = append(p.faults, "the page opened a dialog")
	}
}

// Requests gives the addresses that the page asked for since it was opened.
func (p *Page) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests)
}

// Faults gives what the browser held against the page: errors of scripts, and
// what the page's policy forbade.
func (p *Page) Faults() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.faults)
}

// Go opens an address in the page and waits until it is there.
func (p *Page) Go(address string) error {
	_, err := run(p, chromedp.Navigate(address))
	return err
}

// Eval reads the value of an expression of the page into result, which may be
// nil. A promise is waited for.
func (p *Page) Eval(expression string, result any) error {
	value, err := run(p, chromedp.Evaluate[[]byte](expression, chromedp.EvalAwaitPromise))
	if err != nil || result == nil || len(value) == 0 {
		return err
	}
	return json.Unmarshal(value, result)
}

// Await waits until an expression of the page is true.
func (p *Page) Await(expression string) error {
	for end := time.Now().Add(callTime); ; time.Sleep(10 * time.Millisecond) {
		is := false
		err := p.Eval("!!("+expression+")", &is)
		if is {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("waited %s for %s: %w", callTime, expression, errors.Join(err, errors.New("it is not true")))
		}
	}
}

// Size sets the size of the page in pixels; a phone is touched, not clicked.
func (p *Page) Size(width, height int, phone bool) error {
	return call(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: int64(width), Height: int64(height), DeviceScaleFactor: 1, Mobile: phone})
}

// Dark lets the page be for dark surroundings, or for light ones.
func (p *Page) Dark(dark bool) error {
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	return call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
}

// Clock lets the scripts of the pages that are opened from now on begin at a
// time.
func (p *Page) Clock(at time.Time) error {
	source := fmt.Sprintf("(() => { const by = %d - Date.now(), now = Date.now; Date.now = () => now() + by; })()", at.UnixMilli())
	return call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: source})
}

// Press presses a key: one of a character, or one such as "Enter".
func (p *Page) Press(key string) error {
	named := map[string]string{"Enter": kb.Enter, "Escape": kb.Escape, "Tab": kb.Tab,
		"ArrowLeft": kb.ArrowLeft, "ArrowUp": kb.ArrowUp, "ArrowRight": kb.ArrowRight, "ArrowDown": kb.ArrowDown}
	if k, ok := named[key]; ok {
		_, err := run(p, chromedp.KeyEvent(k))
		return err
	}
	// As one event, so that a page which answers the key keeps it from the field.
	if err := call(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: key, Text: key}); err != nil {
		return err
	}
	return call(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: key})
}

// Type types a text, character by character.
func (p *Page) Type(text string) error {
	for _, r := range text {
		if err := p.Press(string(r)); err != nil {
			return err
		}
	}
	return nil
}

// Picture takes a picture of what of the page is in sight, as PNG.
func (p *Page) Picture() ([]byte, error) { return run(p, chromedp.CaptureScreenshot()) }
