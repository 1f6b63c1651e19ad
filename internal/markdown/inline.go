package markdown

import (
	"fmt"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// inline gives the text of a block as HTML.
func inline(text string) string { return (&scanner{text: text, links: true}).html() }

// maxTarget bounds the target of a link.
const maxTarget = 2000

// scanner reads the text of a block from left to right, once.
type scanner struct {
	text  string
	at    int
	links bool // whether links are made here: they do not nest

	pieces []piece
	plain  int // where the text begins that is not in a piece yet

	// unclosed has the lengths of runs of backticks that no other run closes
	// further on.
	unclosed map[int]bool
	// match has the place of the bracket that closes each; made when needed.
	match map[int]int
	// open counts the runs of each mark that may open emphasis.
	open  map[byte]int
	stack []int
}

// piece is a part of the output: HTML, or a run of marks of emphasis of which
// some became tags.
type piece struct {
	html string
	mark byte
	left int // marks that became no tag
	// before are the tags that close emphasis here, after those that open one.
	before, after string
}

func (s *scanner) html() string {
	for s.at < len(s.text) {
		if !s.step() {
			s.at++
		}
	}
	s.flush(len(s.text))
	var b strings.Builder
	for _, p := range s.pieces {
		b.WriteString(p.before)
		if p.mark != 0 {
			b.WriteString(strings.Repeat(string(rune(p.mark)), p.left))
		}
		b.WriteString(p.html + p.after)
	}
	return b.String()
}

// flush makes a piece of the plain text up to a place.
func (s *scanner) flush(to int) {
	if s.plain < to {
		s.pieces = append(s.pieces, piece{html: html.EscapeString(s.text[s.plain:to])})
	}
	s.plain = to
}

// put makes a piece of HTML that stands for the text up to a place.
func (s *scanner) put(markup string, to int) {
	s.flush(s.at)
	s.pieces = append(s.pieces, piece{html: markup})
	s.at, s.plain = to, to
}

// step reads what is at the place, if it is more than text.
func (s *scanner) step() bool {
	switch c := s.text[s.at]; c {
	case '\\':
		return s.escaped()
	case '`':
		return s.span()
	case '*', '_', '~':
		return s.emphasis(c)
	case '!':
		return s.at+1 < len(s.text) && s.text[s.at+1] == '[' && s.link(s.at+1)
	case '[':
		return s.link(s.at)
	case '<':
		return s.bracketed()
	case 'h':
		return s.bare()
	}
	return false
}

// escaped reads a backslash: before punctuation it takes its meaning away, at
// the end of a line it ends the line.
func (s *scanner) escaped() bool {
	if s.at+1 >= len(s.text) {
		return false
	}
	switch c := s.text[s.at+1]; {
	case c == '\n':
		s.put("<br>\n", s.at+2)
	case c < utf8.RuneSelf && (unicode.IsPunct(rune(c)) || unicode.IsSymbol(rune(c))):
		s.put(html.EscapeString(string(rune(c))), s.at+2)
	default:
		return false
	}
	return true
}

// span reads code between runs of as many backticks.
func (s *scanner) span() bool {
	n := run(s.text[s.at:], '`')
	end := -1
	if !s.unclosed[n] {
		end = closing(s.text, s.at+n, n)
	}
	if end < 0 {
		if s.unclosed == nil {
			s.unclosed = map[int]bool{}
		}
		s.unclosed[n] = true
		s.at += n
		return true
	}
	code := strings.ReplaceAll(s.text[s.at+n:end], "\n", " ")
	if strings.HasPrefix(code, " ") && strings.HasSuffix(code, " ") && strings.Trim(code, " ") != "" {
		code = code[1 : len(code)-1]
	}
	s.put("<code>"+html.EscapeString(code)+"</code>", end+n)
	return true
}

// closing finds the run of exactly n backticks from a place on, or gives -1.
func closing(text string, from, n int) int {
	for {
		i := strings.IndexByte(text[from:], '`')
		if i < 0 {
			return -1
		}
		from += i
		length := run(text[from:], '`')
		if length == n {
			return from
		}
		from += length
	}
}

// run counts how often a text begins with a mark.
func run(text string, mark byte) int {
	n := 0
	for n < len(text) && text[n] == mark {
		n++
	}
	return n
}

// link reads [text](target) and, as a link too, a picture.
func (s *scanner) link(open int) bool {
	if !s.links {
		return false
	}
	if s.match == nil {
		s.match = brackets(s.text)
	}
	end, ok := s.match[open]
	if !ok || end+1 >= len(s.text) || s.text[end+1] != '(' {
		return false
	}
	rest := s.text[end+2 : min(len(s.text), end+2+maxTarget)]
	close := strings.IndexByte(rest, ')')
	if close < 0 {
		return false
	}
	target, _, _ := strings.Cut(strings.TrimSpace(rest[:close]), " ")
	target = strings.Trim(target, "<>")
	text := (&scanner{text: s.text[open+1 : end]}).html()
	switch href, ok := Target(target); {
	case ok && open > s.at:
		text = "picture: " + text
		fallthrough
	case ok:
		text = anchor(href, text)
	case target != "":
		text += " (<code>" + html.EscapeString(target) + "</code>)"
	}
	s.put(text, end+3+close)
	return true
}

// brackets pairs the square brackets of a text.
func brackets(text string) map[int]int {
	match := map[int]int{}
	var open []int
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			open = append(open, i)
		case ']':
			if n := len(open) - 1; n >= 0 {
				match[open[n]] = i
				open = open[:n]
			}
		}
	}
	return match
}

// bracketed reads <https://example.com>.
func (s *scanner) bracketed() bool {
	rest := s.text[s.at+1 : min(len(s.text), s.at+maxTarget)]
	end := strings.IndexAny(rest, "> \n<")
	if !s.links || end < 0 || rest[end] != '>' {
		return false
	}
	href, ok := Target(rest[:end])
	if ok {
		s.put(anchor(href, html.EscapeString(rest[:end])), s.at+end+2)
	}
	return ok
}

// bare reads a link that stands in the text as it is.
func (s *scanner) bare() bool {
	rest := s.text[s.at:]
	if !s.links || !strings.HasPrefix(rest, "http://") && !strings.HasPrefix(rest, "https://") || s.at > 0 && isWord(s.text[s.at-1]) {
		return false
	}
	end := strings.IndexAny(rest[:min(len(rest), maxTarget)], " \n<>\"`|")
	if end < 0 {
		end = min(len(rest), maxTarget)
	}
	word := strings.TrimRight(rest[:end], ".,;:!?'*_~")
	if strings.HasSuffix(word, ")") && !strings.Contains(word, "(") {
		word = strings.TrimRight(word, ")")
	}
	href, ok := Target(word)
	if ok {
		s.put(anchor(href, html.EscapeString(word)), s.at+len(word))
	}
	return ok
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

// Target gives the target of a link as it may stand in a page; ok is false for
// any but an http or https address of a host.
func Target(text string) (href string, ok bool) {
	scheme, rest, ok := strings.Cut(text, "://")
	if scheme = strings.ToLower(scheme); !ok || scheme != "http" && scheme != "https" {
		return "", false
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host := strings.ToLower(rest[:end])
	if strings.Trim(host, ".:-[]") == "" || strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789.:-_[]") != "" {
		return "", false
	}
	var b strings.Builder
	b.WriteString(scheme + "://" + host)
	for i := end; i < len(rest); i++ {
		if c := rest[i]; c < utf8.RuneSelf && isWord(c) || strings.IndexByte("-._~:/?#[]@!$&()*+,;=%", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String(), true
}

// anchor links a text to somewhere outside of the page, which is told nothing
// of where the reader comes from.
func anchor(href, text string) string {
	return `<a href="` + html.EscapeString(href) + `" rel="noopener noreferrer nofollow" target="_blank">` + text + `</a>`
}
