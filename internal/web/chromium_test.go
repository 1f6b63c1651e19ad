package web

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

// errNoChromium is what [startChromium] ends with where no browser is installed.
var errNoChromium = errors.New("no Chromium is installed here: put chromium, chromium-browser or google-chrome on the PATH")

// foreignHost is the name of a host of somebody else that leads to this machine.
const foreignHost = "foreign.example"

// chromiumTime is how long the browser may take for what it is told.
const chromiumTime = 20 * time.Second

// chromium is a running browser. Close it after use.
type chromium struct {
	ctx context.Context
	end context.CancelFunc
}

// findChromium gives the program of a browser.
func findChromium() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errNoChromium
}

// startChromium begins a browser that ends with ctx.
func startChromium(ctx context.Context) (*chromium, error) {
	program, err := findChromium()
	if err != nil {
		return nil, err
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("host-resolver-rules", "MAP "+foreignHost+" 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"))
	allocator, end := chromedp.NewExecAllocator(ctx, options...)
	b := &chromium{end: end}
	b.ctx, _ = chromedp.NewContext(allocator)
	if err := chromedp.Do(b.ctx); err != nil {
		end()
		return nil, fmt.Errorf("run %s: %w", program, err)
	}
	return b, nil
}

// Close ends the browser and removes its profile.
func (b *chromium) Close() error {
	defer b.end()
	return chromedp.Cancel(b.ctx)
}

// browserTab is a page in a [Browser].
type browserTab struct {
	ctx context.Context

	mu       sync.Mutex
	requests []string
	faults   []string
}

// Open opens an empty page.
func (b *chromium) Open() (*browserTab, error) {
	p := &browserTab{}
	p.ctx, _ = chromedp.NewContext(b.ctx, chromedp.WithListener(p.happened))
	if err := chromedp.Do(p.ctx); err != nil {
		return nil, err
	}
	if err := callIn(p, network.Enable, network.EnableParams{}); err != nil {
		return nil, err
	}
	return p, callIn(p, log.Enable, cdp.Empty{})
}

// runIn runs a step in the page, for a limited time.
func runIn[T any](p *browserTab, step chromedp.Action[T]) (T, error) {
	ctx, cancel := context.WithTimeout(p.ctx, chromiumTime)
	defer cancel()
	return chromedp.Run(ctx, step)
}

// callIn runs a command of the protocol whose answer says nothing more.
func callIn[P, R any](p *browserTab, command cdp.Command[P, R], params P) error {
	ctx, cancel := context.WithTimeout(p.ctx, chromiumTime)
	defer cancel()
	_, err := chromedp.Call(ctx, command, params)
	return err
}

// happened notes what a page did by itself.
func (p *browserTab) happened(event any) {
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
func (p *browserTab) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests)
}

// Faults gives what the browser held against the page: errors of scripts, and
// what the page's policy forbade.
func (p *browserTab) Faults() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.faults)
}

// Go opens an address in the page and waits until it is there.
func (p *browserTab) Go(address string) error {
	_, err := runIn(p, chromedp.Navigate(address))
	return err
}

// Eval reads the value of an expression of the page into result, which may be
// nil. A promise is waited for.
func (p *browserTab) Eval(expression string, result any) error {
	value, err := runIn(p, chromedp.Evaluate[[]byte](expression, chromedp.EvalAwaitPromise))
	if err != nil || result == nil || len(value) == 0 {
		return err
	}
	return json.Unmarshal(value, result)
}

// Await waits until an expression of the page is true.
func (p *browserTab) Await(expression string) error {
	for end := time.Now().Add(chromiumTime); ; time.Sleep(10 * time.Millisecond) {
		is := false
		err := p.Eval("!!("+expression+")", &is)
		if is {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("waited %s for %s: %w", chromiumTime, expression, errors.Join(err, errors.New("it is not true")))
		}
	}
}

// Size sets the size of the page in pixels; a phone is touched, not clicked.
func (p *browserTab) Size(width, height int, phone bool) error {
	return callIn(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: int64(width), Height: int64(height), DeviceScaleFactor: 1, Mobile: phone})
}

// Dark lets the page be for dark surroundings, or for light ones.
func (p *browserTab) Dark(dark bool) error {
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	return callIn(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
}

// Clock lets the scripts of the pages that are opened from now on begin at a
// time.
func (p *browserTab) Clock(at time.Time) error {
	source := fmt.Sprintf("(() => { const by = %d - Date.now(), now = Date.now; Date.now = () => now() + by; })()", at.UnixMilli())
	return callIn(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: source})
}

// Press presses a key: one of a character, or one such as "Enter".
func (p *browserTab) Press(key string) error {
	named := map[string]string{"Enter": kb.Enter, "Escape": kb.Escape, "Tab": kb.Tab,
		"ArrowLeft": kb.ArrowLeft, "ArrowUp": kb.ArrowUp, "ArrowRight": kb.ArrowRight, "ArrowDown": kb.ArrowDown}
	if k, ok := named[key]; ok {
		_, err := runIn(p, chromedp.KeyEvent(k))
		return err
	}
	// As one event, so that a page which answers the key keeps it from the field.
	if err := callIn(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: key, Text: key}); err != nil {
		return err
	}
	return callIn(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: key})
}

// Type types a text, character by character.
func (p *browserTab) Type(text string) error {
	for _, r := range text {
		if err := p.Press(string(r)); err != nil {
			return err
		}
	}
	return nil
}

// Picture takes a picture of what of the page is in sight, as PNG.
func (p *browserTab) Picture() ([]byte, error) { return runIn(p, chromedp.CaptureScreenshot()) }
