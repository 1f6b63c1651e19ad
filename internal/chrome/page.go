package chrome

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Page is a page in a [Browser].
type Page struct {
	b       *Browser
	session string

	mu       sync.Mutex
	requests []string
	faults   []string
	loads    int
}

// object is a JSON object.
type object = map[string]any

// Open opens an empty page.
func (b *Browser) Open() (*Page, error) {
	var target struct{ TargetID string }
	if err := b.call("", "Target.createTarget", object{"url": "about:blank"}, &target); err != nil {
		return nil, err
	}
	var attached struct{ SessionID string }
	if err := b.call("", "Target.attachToTarget", object{"targetId": target.TargetID, "flatten": true}, &attached); err != nil {
		return nil, err
	}
	p := &Page{b: b, session: attached.SessionID}
	b.mu.Lock()
	b.pages[p.session] = p
	b.mu.Unlock()
	for _, domain := range []string{"Page", "Runtime", "Network", "Log"} {
		if err := p.do(domain+".enable", nil); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *Page) do(method string, params any) error { return p.b.call(p.session, method, params, nil) }

// happened notes what a page did by itself.
func (p *Page) happened(method string, params json.RawMessage) {
	var event struct {
		Request struct{ URL string }
		Entry   struct{ Level, Text string }

		ExceptionDetails struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	if json.Unmarshal(params, &event) != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch method {
	case "Page.loadEventFired":
		p.loads++
	case "Network.requestWillBeSent":
		p.requests = append(p.requests, event.Request.URL)
	case "Log.entryAdded":
		if event.Entry.Level == "error" || strings.Contains(event.Entry.Text, "Content Security Policy") {
			p.faults = append(p.faults, event.Entry.Text)
		}
	case "Runtime.exceptionThrown":
		p.faults = append(p.faults, event.ExceptionDetails.Text+" "+event.ExceptionDetails.Exception.Description)
	case "Page.javascriptDialogOpening":
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

func (p *Page) loaded() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.loads
}

// Go opens an address in the page and waits until it is there.
func (p *Page) Go(address string) error {
	before := p.loaded()
	var answer struct{ ErrorText string }
	if err := p.b.call(p.session, "Page.navigate", object{"url": address}, &answer); err != nil {
		return err
	}
	if answer.ErrorText != "" {
		return fmt.Errorf("open %s: %s", address, answer.ErrorText)
	}
	if !until(callTime, func() bool { return p.loaded() > before }) {
		return fmt.Errorf("open %s: the page is not there after %s", address, callTime)
	}
	return nil
}

// until waits until something holds, if it does in that time.
func until(limit time.Duration, holds func() bool) bool {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if holds() {
			return true
		}
	}
	return holds()
}

// Eval reads the value of an expression of the page into result, which may be
// nil. A promise is waited for.
func (p *Page) Eval(expression string, result any) error {
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	err := p.b.call(p.session, "Runtime.evaluate", object{"expression": expression, "awaitPromise": true, "returnByValue": true}, &answer)
	if err != nil {
		return err
	}
	if e := answer.ExceptionDetails; e != nil {
		return errors.New(e.Text + " " + e.Exception.Description)
	}
	if result == nil || len(answer.Result.Value) == 0 {
		return nil
	}
	return json.Unmarshal(answer.Result.Value, result)
}

// Await waits until an expression of the page is true.
func (p *Page) Await(expression string) error {
	var last error
	ok := until(callTime, func() bool {
		is := false
		last = p.Eval("!!("+expression+")", &is)
		return is
	})
	if ok {
		return nil
	}
	return fmt.Errorf("waited %s for %s: %w", callTime, expression, cmpError(last))
}

func cmpError(err error) error {
	if err == nil {
		return errors.New("it stayed false")
	}
	return err
}

// Size sets the size of the page in pixels; a phone is touched, not clicked.
func (p *Page) Size(width, height int, phone bool) error {
	return p.do("Emulation.setDeviceMetricsOverride", object{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone})
}

// Dark lets the page be for dark surroundings, or for light ones.
func (p *Page) Dark(dark bool) error {
	value := "light"
	if dark {
		value = "dark"
	}
	return p.do("Emulation.setEmulatedMedia", object{"features": []object{
		{"name": "prefers-color-scheme", "value": value}, {"name": "prefers-reduced-motion", "value": "reduce"},
	}})
}

// Clock lets the scripts of the pages that are opened from now on begin at a
// time.
func (p *Page) Clock(at time.Time) error {
	source := fmt.Sprintf("(() => { const by = %d - Date.now(), now = Date.now; Date.now = () => now() + by; })()", at.UnixMilli())
	return p.do("Page.addScriptToEvaluateOnNewDocument", object{"source": source})
}

// keyCodes are the codes of keys that type no character.
func keyCodes() map[string]int {
	return map[string]int{"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9}
}

// Press presses a key: one of a character, or one such as "Enter".
func (p *Page) Press(key string) error {
	event := object{"type": "keyDown", "key": key}
	switch code, named := keyCodes()[key]; {
	case key == "Enter":
		event["text"] = "\r"
		fallthrough
	case named:
		event["windowsVirtualKeyCode"] = code
	default:
		event["text"] = key
	}
	if err := p.do("Input.dispatchKeyEvent", event); err != nil {
		return err
	}
	event["type"] = "keyUp"
	delete(event, "text")
	return p.do("Input.dispatchKeyEvent", event)
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
func (p *Page) Picture() ([]byte, error) {
	var answer struct{ Data []byte }
	err := p.b.call(p.session, "Page.captureScreenshot", object{"format": "png", "optimizeForSpeed": false}, &answer)
	return answer.Data, err
}
