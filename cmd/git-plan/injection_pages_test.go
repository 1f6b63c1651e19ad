package main

import (
	"bufio"
	"html"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What pages of plans are made of. Nothing else may be in one, whoever wrote
// what it shows.
const (
	pageElements = " html head meta title link script style body main header footer nav section article aside div p span a b strong em i del ins s code pre kbd blockquote hr br ul ol li dl dt dd " +
		"h1 h2 h3 h4 h5 h6 table caption thead tbody tr th td details summary time form label input select option button dialog svg symbol g path circle rect line polyline polygon text tspan title desc use defs marker "
	pageAttributes = " lang charset name content class id for role hidden tabindex title type rel target value placeholder method autocomplete spellcheck maxlength start datetime open defer disabled checked selected scope colspan reversed " +
		"viewBox xmlns width height x y x1 y1 x2 y2 dx dy r rx ry cx cy d points fill fill-opacity stroke stroke-width stroke-linecap stroke-linejoin stroke-dasharray transform text-anchor font-size font-family font-weight " +
		"preserveAspectRatio focusable orient refX refY markerWidth markerHeight marker-end dominant-baseline http-equiv "
	pageAddresses = " href src action data-events data-words "
)

// markup is one tag of a page, as strictly as our pages write them.
var markup = regexp.MustCompile(`^<(/?)([a-z][a-z0-9]*)((?: [a-zA-Z][a-zA-Z0-9-]*(?:="[^"<]*")?)*) ?/?>`)

var attribute = regexp.MustCompile(` ([a-zA-Z][a-zA-Z0-9-]*)(?:="([^"<]*)")?`)

// holdsPage finds what no text of a plan may have made of a page. It gives the
// addresses that the page links to.
func holdsPage(t alarm, name, page string) (links []string) {
	t.Helper()
	if at := harmful(strings.ReplaceAll(html.UnescapeString(page), "\ufffd", "?")); at != "" { // which stands for what is no text
		t.Errorf("%s holds what is obeyed or cannot be seen: %q", name, at)
	}
	rest, found := strings.CutPrefix(page, "<!DOCTYPE html>")
	if !found {
		t.Errorf("%s is no page: %.100q", name, page)
		return nil
	}
	open := ""
	for {
		text, after, more := strings.Cut(rest, "<")
		if open == "script" && strings.TrimSpace(text) != "" {
			t.Errorf("%s holds a script: %.200q", name, text)
		}
		if !more {
			return links
		}
		tag := markup.FindStringSubmatch("<" + after)
		if tag == nil {
			t.Errorf("%s: this is no tag of ours: %.200q", name, "<"+after)
			return links
		}
		rest = ("<" + after)[len(tag[0]):]
		open = tag[2]
		if !isOneOf(tag[2], pageElements) {
			t.Errorf("%s has the element %.200q", name, tag[0])
		}
		links = append(links, holdsTag(t, name, tag[2], tag[3])...)
		if tag[1] == "" && tag[2] == "style" { // what the program itself embeds
			_, rest, _ = strings.Cut(rest, "</style>")
		}
	}
}

func isOneOf(word, list string) bool { return strings.Contains(list, " "+word+" ") }

// holdsTag looks at the attributes of one tag.
func holdsTag(t alarm, name, element, text string) (links []string) {
	t.Helper()
	outside := false
	attributes := map[string]string{}
	for _, a := range attribute.FindAllStringSubmatch(text, -1) {
		value := html.UnescapeString(a[2])
		if _, twice := attributes[a[1]]; twice {
			t.Errorf("%s: %s has %s twice", name, element, a[1])
		}
		attributes[a[1]] = value
		switch {
		case isOneOf(a[1], pageAddresses):
			address, err := url.Parse(value)
			switch {
			case err != nil || strings.HasPrefix(value, "//") || strings.ContainsAny(value, "\t\r\n\\"):
				t.Errorf("%s: %s leads to %q", name, element, value)
			case address.Scheme == "http" || address.Scheme == "https":
				outside = true
			case address.Scheme != "":
				t.Errorf("%s: %s leads to %q", name, element, value)
			default:
				links = append(links, value)
			}
		case !isOneOf(a[1], pageAttributes) && !strings.HasPrefix(a[1], "aria-") && !strings.HasPrefix(a[1], "data-"):
			t.Errorf("%s: %s has the attribute %q", name, element, a[0])
		}
	}
	switch {
	case outside && (element != "a" || attributes["rel"] != "noopener noreferrer nofollow"):
		t.Errorf("%s: %s%s leads to somebody else's", name, element, text)
	case element == "script" && attributes["src"] == "" && text != "":
		t.Errorf("%s: a script that is no file of ours: %s", name, text)
	case element == "meta" && attributes["http-equiv"] != "" && attributes["http-equiv"] != "Content-Security-Policy":
		t.Errorf("%s: a meta element %s", name, text)
	}
	return links
}

// holdsPolicy wants a policy that runs nothing that stands in a page.
func holdsPolicy(t alarm, name, policy string) {
	t.Helper()
	if !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") || strings.Contains(policy, "data:") {
		t.Errorf("%s has the policy %q", name, policy)
	}
}

// viewed starts the viewer and gives its address.
func viewed(t *testing.T, g *ground) string {
	t.Helper()
	cmd := exec.Command("git-plan", "web", "--json")
	cmd.Dir, cmd.Env = g.Dir, g.Env
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	_, address, found := strings.Cut(strings.TrimSuffix(line, "\"}\n"), `"address":"`)
	if err != nil || !found {
		t.Fatalf("the viewer said %q (%v)", line, err)
	}
	return address
}

// mostPages bounds how many pages are asked for: each kind of page comes for
// each text long before.
const mostPages = 600

// No text of a plan is more than text on the pages of the viewer, whichever of
// its fields it stands in, and none that is sought.
func TestInjectionWeb(t *testing.T) {
	g := withPlan(t)
	g.plant(injected())
	top := viewed(t, g)
	base, err := url.Parse(top)
	if err != nil {
		t.Fatal(err)
	}
	waiting := []string{top, top + "board"}
	for _, text := range injections() {
		if len(text) > 300 {
			continue
		}
		waiting = append(waiting, top+"?q="+url.QueryEscape(text))
		waiting = append(waiting, top+"plans/"+url.PathEscape(text)+"/", top+"plans/p/tasks/"+url.PathEscape(text))
	}
	seen := map[string]bool{}
	for n := 0; n < len(waiting) && n < mostPages; n++ {
		for _, link := range lookedAt(t, waiting[n]) {
			to, err := base.Parse(link)
			if err != nil || to.Host != base.Host || !strings.HasPrefix(to.Path, base.Path) {
				t.Errorf("%s leads to %q", waiting[n], link)
				continue
			}
			to.Fragment = ""
			if address := to.String(); !seen[address] {
				seen[address] = true
				waiting = append(waiting, address)
			}
		}
	}
	if len(waiting) < mostPages {
		t.Errorf("there were only %d pages", len(waiting))
	}
}

// lookedAt asks for a page, holds it, and gives where it leads, by whole paths.
func lookedAt(t *testing.T, address string) []string {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	holdsPolicy(t, address, answer.Header.Get("Content-Security-Policy"))
	kind := answer.Header.Get("Content-Type")
	if kind == "text/event-stream" {
		return nil
	}
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case kind == "text/html; charset=utf-8":
	case strings.HasPrefix(kind, "text/plain") && answer.StatusCode >= 400, strings.Contains(address, "/assets/"):
		return nil
	default:
		t.Errorf("%s is of the kind %q", address, kind)
		return nil
	}
	var links []string
	for _, link := range holdsPage(t, address, string(data)) {
		if to, err := answer.Request.URL.Parse(link); err == nil {
			links = append(links, to.String())
		}
	}
	return links
}

// The same on every page of a report, which is opened from a disk.
func TestInjectionReport(t *testing.T) {
	g := withPlan(t)
	g.plant(injected())
	g.must("report", "-o", "pages")
	pages := 0
	dir := filepath.Join(g.Dir, "pages")
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`)
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		short, _ := filepath.Rel(dir, name)
		switch filepath.Ext(name) {
		case ".html":
			pages++
			found := policy.FindStringSubmatch(string(data))
			if found == nil {
				t.Errorf("%s has no policy", short)
				return err
			}
			holdsPolicy(t, short, html.UnescapeString(found[1]))
			for _, link := range holdsPage(t, short, string(data)) {
				holdsFile(t, dir, short, link)
			}
		case ".js", ".css", ".svg":
			if at := harmful(strings.ReplaceAll(string(data), "\ufffd", "?")); at != "" || !strings.HasPrefix(filepath.ToSlash(short), "assets/") {
				t.Errorf("%s: %q", short, at)
			}
		default:
			if short != ".git-plan-report" && short != ".nojekyll" {
				t.Errorf("there is a file %q", short)
			}
		}
		return err
	})
	if err != nil || pages < 300 {
		t.Errorf("%d pages, %v", pages, err)
	}
	words, err := os.ReadFile(filepath.Join(dir, "assets", "words.js"))
	if err != nil || strings.ContainsAny(string(words), "<>") {
		t.Errorf("words.js holds what a page could take for markup (%v): %.200s", err, words)
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "plans", "p", "index.html")); !strings.Contains(string(data), "&lt;script&gt;alert(1)&lt;/script&gt;") {
		t.Error("the page of the plan does not show its texts")
	}
}

// holdsFile wants a link of a page to lead to a file of the report.
func holdsFile(t *testing.T, dir, page, link string) {
	t.Helper()
	to, err := url.Parse(link)
	if err != nil || to.Path == "" {
		return
	}
	name := filepath.Join(filepath.Dir(page), filepath.FromSlash(to.Path))
	if _, err := os.Stat(filepath.Join(dir, name)); err != nil || !filepath.IsLocal(name) {
		t.Errorf("%s leads to %q, which is no page", page, link)
	}
}

// What holds pages finds what somebody would put into one.
func TestInjectionIsFound(t *testing.T) {
	for _, text := range []string{
		`<a href="javascript:x">`, `<a href="&#106;avascript:x">`, `<a href="//evil.example">`, `<a href="https://evil.example">`, `<a href="\evil.example">`, `<img src="x">`, `<p onclick="x">`, `<p style="x">`, `<script>x</script>`,
		`<svg><script>x</script></svg>`, `<svg onload=x>`, `<meta http-equiv="refresh" content="0">`, `<p title='x'>`, `<p title=x>`, `<P>`, `<!-- -->`, `<![CDATA[`, `<?xml`, `< p`, `<iframe src="x">`, `<form action="data:x">`,
		`<base href="x">`, `<p title="a" title="b">`, "<p>\u202e", "<p>&#8238;", "<p>\x1b", "<p>&#x200b;",
	} {
		heard := &listener{TB: t}
		holdsPage(heard, "a page", "<!DOCTYPE html><body>"+text)
		if !heard.alarmed {
			t.Errorf("%q is not found", text)
		}
	}
}
