package jsonedit

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// SyntaxError is returned for a text that is no JSON, comments aside, or that
// cannot be edited without guessing what is meant: a key given twice, a comma
// after the last item.
type SyntaxError struct {
	// Line is where the fault is, counted from 1.
	Line int
	// What is wrong there.
	What string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.What) }

// maxDepth bounds how deep values may be nested.
const maxDepth = 200

// node is a value and where it stands, from start to end.
type node struct {
	start, end int
	// open is '{' for an object, '[' for a list, 0 for anything else.
	open  byte
	items []item
}

// item is a member of an object, or an element of a list, which has no key.
type item struct {
	key   string
	start int // of the key, or of the value
	value *node
}

// find gives the item with a key.
func (n *node) find(key string) (int, *node) {
	for i, it := range n.items {
		if it.key == key {
			return i, it.value
		}
	}
	return -1, nil
}

// scanner reads a text once, from left to right.
type scanner struct {
	text string
	at   int
}

// scan reads a whole text.
func scan(text string) (root *node, err error) {
	s := &scanner{text: text}
	s.at += len(text) - len(strings.TrimPrefix(text, "\ufeff"))
	if err := s.space(); err != nil {
		return nil, err
	}
	if root, err = s.value(0); err != nil {
		return nil, err
	}
	if err := s.space(); err != nil {
		return nil, err
	}
	if s.at < len(text) {
		return nil, s.fault("something follows the document")
	}
	return root, nil
}

func (s *scanner) fault(what string) error {
	return &SyntaxError{1 + strings.Count(s.text[:min(s.at, len(s.text))], "\n"), what}
}

// peek gives the byte at hand, 0 at the end.
func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// space skips white space and comments.
func (s *scanner) space() error {
	for {
		rest := s.text[s.at:]
		switch {
		case rest == "":
			return nil
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			s.at++
		case strings.HasPrefix(rest, "//"):
			if i := strings.IndexByte(rest, '\n'); i >= 0 {
				s.at += i
			} else {
				s.at = len(s.text)
			}
		case strings.HasPrefix(rest, "/*"):
			i := strings.Index(rest[2:], "*/")
			if i < 0 {
				return s.fault("a comment does not end")
			}
			s.at += i + 4
		default:
			return nil
		}
	}
}

// value reads the value that begins here.
func (s *scanner) value(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, s.fault("values are nested too deep")
	}
	switch c := s.peek(); c {
	case '{', '[':
		return s.container(c, depth)
	case '"':
		start := s.at
		_, err := s.str()
		return &node{start: start, end: s.at}, err
	}
	start := s.at
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n,:{}[]\"/", s.text[s.at]) < 0 {
		s.at++
	}
	if !json.Valid([]byte(s.text[start:s.at])) {
		return nil, s.fault("a value is missing or no JSON")
	}
	return &node{start: start, end: s.at}, nil
}

// str reads the text that begins here.
func (s *scanner) str() (string, error) {
	start := s.at
	for s.at++; s.at < len(s.text) && s.text[s.at] != '"'; s.at++ {
		if s.text[s.at] == '\\' {
			s.at++
		}
	}
	s.at++
	var value string
	if s.at > len(s.text) || !utf8.ValidString(s.text[start:s.at]) || json.Unmarshal([]byte(s.text[start:s.at]), &value) != nil {
		s.at = start
		return "", s.fault("a text does not end or is no JSON")
	}
	return value, nil
}

// container reads the object or list that begins here.
func (s *scanner) container(open byte, depth int) (*node, error) {
	n := &node{start: s.at, open: open}
	shut := open + 2 // '}' and ']' stand two after their openings
	s.at++
	for {
		if err := s.space(); err != nil {
			return nil, err
		}
		if s.peek() == shut && len(n.items) == 0 {
			break
		}
		it, err := s.item(n, depth)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, it)
		if err := s.space(); err != nil {
			return nil, err
		}
		if s.peek() == shut {
			break
		}
		if s.peek() != ',' {
			return nil, s.fault("a comma or the end of an object or list is missing")
		}
		s.at++
	}
	s.at++
	n.end = s.at
	return n, nil
}

// item reads a member or an element.
func (s *scanner) item(n *node, depth int) (item, error) {
	it := item{start: s.at}
	if n.open == '{' {
		if s.peek() != '"' {
			return it, s.fault("a key is missing, or a comma follows the last member")
		}
		var err error
		if it.key, err = s.str(); err != nil {
			return it, err
		}
		if _, twice := n.find(it.key); twice != nil {
			return it, s.fault(fmt.Sprintf("the key %q is there twice", it.key))
		}
		if err := s.space(); err != nil {
			return it, err
		}
		if s.peek() != ':' {
			return it, s.fault("a colon is missing")
		}
		s.at++
		if err := s.space(); err != nil {
			return it, err
		}
	}
	var err error
	it.value, err = s.value(depth + 1)
	return it, err
}
