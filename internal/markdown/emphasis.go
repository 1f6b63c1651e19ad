package markdown

import (
	"unicode"
	"unicode/utf8"
)

// emphasis reads a run of marks. It closes runs before it as far as it can, and
// what is left of it may open another.
func (s *scanner) emphasis(mark byte) bool {
	n := run(s.text[s.at:], mark)
	if mark == '~' && n != 2 {
		s.at += n
		return true
	}
	opens, closes := s.flanks(mark, n)
	s.flush(s.at)
	s.pieces = append(s.pieces, piece{mark: mark, left: n})
	this := len(s.pieces) - 1
	if closes {
		s.close(this)
	}
	if p := s.pieces[this]; opens && p.left > 0 && p.before == "" {
		s.stack = append(s.stack, this)
		if s.open == nil {
			s.open = map[byte]int{}
		}
		s.open[mark]++
	}
	s.at += n
	s.plain = s.at
	return true
}

// flanks tells whether a run of marks at the place may open and may close
// emphasis, by what stands on its sides.
func (s *scanner) flanks(mark byte, n int) (opens, closes bool) {
	before, _ := utf8.DecodeLastRuneInString(s.text[:s.at])
	after, _ := utf8.DecodeRuneInString(s.text[s.at+n:])
	blankBefore := s.at == 0 || unicode.IsSpace(before)
	blankAfter := s.at+n == len(s.text) || unicode.IsSpace(after)
	markBefore, markAfter := isMark(before), isMark(after)
	opens = !blankAfter && (!markAfter || blankBefore || markBefore)
	closes = !blankBefore && (!markBefore || blankAfter || markAfter)
	if mark == '_' {
		opens, closes = opens && (!closes || markBefore), closes && (!opens || markAfter)
	}
	return opens, closes
}

func isMark(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

// close lets a run close those before it. A run that is passed over opens
// nothing any more, so that each is looked at once.
func (s *scanner) close(this int) {
	p := &s.pieces[this]
	for p.left > 0 && s.open[p.mark] > 0 {
		n := len(s.stack) - 1
		o := &s.pieces[s.stack[n]]
		if o.mark != p.mark {
			s.open[o.mark]--
			s.stack = s.stack[:n]
			continue
		}
		tag, used := "em", 1
		if o.left > 1 && p.left > 1 {
			tag, used = "strong", 2
		}
		if p.mark == '~' {
			tag = "del"
		}
		o.left -= used
		p.left -= used
		o.after = "<" + tag + ">" + o.after
		p.before += "</" + tag + ">"
		if o.left == 0 {
			s.open[o.mark]--
			s.stack = s.stack[:n]
		}
	}
}
