package markdown

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

func TestHTML(t *testing.T) {
	for source, want := range map[string]string{
		"a\nb\n\nc":                       "<p>a\nb</p>\n<p>c</p>\n",
		"# One\n\n###### Six #":           "<h3>One</h3>\n<h6>Six</h6>\n",
		"Title\n=====\nSub\n---":          "<h3>Title</h3>\n<h4>Sub</h4>\n",
		"#hash":                           "<p>#hash</p>\n",
		"- a\n- b\n  - c\n":               "<ul>\n<li>a\n</li>\n<li>b\n<ul>\n<li>c\n</li>\n</ul>\n</li>\n</ul>\n",
		"1. a\n2. b":                      "<ol>\n<li>a\n</li>\n<li>b\n</li>\n</ol>\n",
		"3) a":                            "<ol start=\"03\">\n<li>a\n</li>\n</ol>\n",
		"- a\n\n- b":                      "<ul>\n<li><p>a</p>\n</li>\n<li><p>b</p>\n</li>\n</ul>\n",
		"- [x] a\n- [ ] b":                "<ul>\n<li class=\"box\"><input type=\"checkbox\" checked disabled aria-label=\"done\"> a\n</li>\n<li class=\"box\"><input type=\"checkbox\" disabled aria-label=\"to do\"> b\n</li>\n</ul>\n",
		"- a\n  more\n\n  again\n\nafter": "<ul>\n<li><p>a\nmore</p>\n<p>again</p>\n</li>\n</ul>\n<p>after</p>\n",
		"> a\n> > b":                      "<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>\n",
		"```go\na <b>\n  c\n```\nd":       "<pre tabindex=\"0\"><code>a &lt;b&gt;\n  c\n</code></pre>\n<p>d</p>\n",
		"~~~\nnever closed":               "<pre tabindex=\"0\"><code>never closed\n</code></pre>\n",
		"    code\n\n    more\n":          "<pre tabindex=\"0\"><code>code\n\nmore\n</code></pre>\n",
		"a\n\n---\n\nb":                   "<p>a</p>\n<hr>\n<p>b</p>\n",
		"a  \nb\\\nc":                     "<p>a<br>\nb<br>\nc</p>\n",
		"*a* **b** ***c*** _d_ ~~e~~":     "<p><em>a</em> <strong>b</strong> <em><strong>c</strong></em> <em>d</em> <del>e</del></p>\n",
		"**a *b* c**":                     "<p><strong>a <em>b</em> c</strong></p>\n",
		"*a **b*":                         "<p>*a *<em>b</em></p>\n",
		"snake_case_name 2 * 3 * 4":       "<p>snake_case_name 2 * 3 * 4</p>\n",
		"`a*b*` ``c`d`` `open":            "<p><code>a*b*</code> <code>c`d</code> `open</p>\n",
		`\*a\* \a`:                        "<p>*a* \\a</p>\n",
		"<b>x</b> & &amp; \"":             "<p>&lt;b&gt;x&lt;/b&gt; &amp; &amp;amp; &#34;</p>\n",
		"| a | b |\n|---|--:|\n| 1 | `|` \\| |\n| 2 |": "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><th>a</th><th class=\"right\">b</th></tr>\n</thead>\n<tbody>\n" +
			"<tr><td>1</td><td class=\"right\">`</td></tr>\n<tr><td>2</td><td class=\"right\"></td></tr>\n</tbody></table></div>\n",
	} {
		if got := HTML(source); got != want {
			t.Errorf("%q became\n%s\nwant\n%s", source, got, want)
		}
	}
}

func TestLinks(t *testing.T) {
	link := func(href, text string) string {
		return `<p><a href="` + href + `" rel="noopener noreferrer nofollow" target="_blank">` + text + "</a></p>\n"
	}
	for source, want := range map[string]string{
		"[a *b*](https://example.com/x?a=1&b=2)":      link("https://example.com/x?a=1&amp;b=2", "a <em>b</em>"),
		"[a](<http://example.com> \"title\")":         link("http://example.com", "a"),
		"<https://example.com>":                       link("https://example.com", "https://example.com"),
		"https://example.com/a_b":                     link("https://example.com/a_b", "https://example.com/a_b"),
		"![pic](https://example.com/a.png)":           link("https://example.com/a.png", "picture: pic"),
		"[a](javascript:alert(1))":                    "<p>a (<code>javascript:alert(1</code>))</p>\n",
		"[a](JaVaScRiPt:alert`1`)":                    "<p>a (<code>JaVaScRiPt:alert`1`</code>)</p>\n",
		"[a](data:text/html,x)":                       "<p>a (<code>data:text/html,x</code>)</p>\n",
		"[a](docs/web.md)":                            "<p>a (<code>docs/web.md</code>)</p>\n",
		"[a](https://u:p@example.com)":                "<p>a (<code>https://u:p@example.com</code>)</p>\n",
		`[a](https://example.com/"onclick="x)`:        link("https://example.com/%22onclick=%22x", "a"),
		"[[a](https://b.example)](https://c.example)": link("https://c.example", "[a](https://b.example)"),
	} {
		if got := HTML(source); got != want {
			t.Errorf("%q became\n%s\nwant\n%s", source, got, want)
		}
	}
}

// hostile are sources on which readers of markdown are known to take long.
func hostile(n int) map[string]string {
	out := map[string]string{}
	for _, unit := range []string{
		"*a_", "[", "![", "[a](", "[a](https://b", "`", "``a", "`a``", "> ", ">", "- ", "* a\n", "1. ", "<", "<https://", "https://a", "|", "|-", "a|\n-|\n",
		"_", "**", "~~a", "\\", "\n\n", "- a\n  ", "# ", "a\n=\n", "```\n", "    \n", "*a **b ", "](", "&#", "\n- [ ] ", "a  \n",
	} {
		out[unit] = strings.Repeat(unit, n/len(unit))
	}
	var nested, ticks strings.Builder
	for i := range n / 40 {
		nested.WriteString(strings.Repeat(" ", 2*(i%300)) + "- a\n")
	}
	for i := 1; ticks.Len() < n; i++ {
		ticks.WriteString(strings.Repeat("`", i) + " ")
	}
	out["nested"], out["ticks"] = nested.String(), ticks.String()
	return out
}

func TestCostGrowsWithLength(t *testing.T) {
	for unit, source := range hostile(256 << 10) {
		var out string
		if took := gittest.Spent(func() { out = HTML(source) }); took > time.Second || len(out) > 64*len(source) {
			t.Errorf("%q took %s and became %d bytes", unit, took, len(out))
		}
	}
}

// known are the only tags there may be, with the only attributes.
var known = regexp.MustCompile(`^<(/?(p|h[3-6]|ul|ol|li|blockquote|pre|code|em|strong|del|table|thead|tbody|tr|th|td|div|a)|br|hr|ol start="0\d{0,9}"|` +
	`li class="box"|input type="checkbox"( checked)? disabled aria-label="(done|to do)"|pre tabindex="0"|div class="wide" tabindex="0"|t[hd] class="(right|centre)"|` +
	`a href="https?://[^"<>]*" rel="noopener noreferrer nofollow" target="_blank")>`)

func FuzzHTML(f *testing.F) {
	for _, source := range hostile(60) {
		f.Add(source)
	}
	for _, source := range []string{"<script>alert(1)</script>", "[a](javascript:x)", `<https://a"onmouseover=x>`, "![x](https://a.example/b)", "a | b\n--|--\n<b>|x"} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		out := HTML(source)
		for rest := out; ; {
			i := strings.IndexByte(rest, '<')
			if i < 0 {
				break
			}
			rest = rest[i:]
			tag := known.FindString(rest)
			if tag == "" {
				t.Fatalf("%q became %q, which has a tag of its own at %.60q", source, out, rest)
			}
			rest = rest[len(tag):]
		}
	})
}
