package planspec

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-plan/git-plan/plan/diag"
)

const (
	// maxNesting bounds how deep lists and objects nest in JSON.
	maxNesting = 10_000
	// maxValues bounds how many values there are in JSON.
	maxValues = 400_000
)

// node is a value of JSON with its place.
type node struct {
	pos diag.Pos
	// value is a string, a json.Number, a bool, nil, or a json.Delim for a
	// list or an object.
	value json.Token
	keys  []key   // of an object, one for each of its items
	items []*node // of a list or an object
}

type key struct {
	name string
	pos  diag.Pos
}

// jsonText is JSON being read.
type jsonText struct {
	findings
	text string
	dec  *json.Decoder
	n    int // values so far
	off  int // where pos stands
	pos  diag.Pos
}

// readJSON reads a text as one value. What is no JSON is a finding, and the
// value then nil.
func readJSON(text string) (*jsonText, *node) {
	j := &jsonText{text: text, pos: diag.Pos{Line: 1, Column: 1}}
	switch {
	case len(text) > MaxText:
		j.limit(len(text))
		return j, nil
	case !utf8.ValidString(text):
		j.fail(j.pos, RuleEncoding, "save the file as UTF-8", "invalid UTF-8")
		return j, nil
	}
	// A line end within a string would be wrong in any case.
	j.text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(text, "\ufeff"))
	j.dec = json.NewDecoder(strings.NewReader(j.text))
	j.dec.UseNumber()
	n, err := j.value(0)
	if err == nil {
		pos := j.next()
		if _, err = j.dec.Token(); err == nil {
			j.fail(pos, RuleJSON, "keep one JSON value", "text after the end of the JSON")
			return j, nil
		}
	}
	if !errors.Is(err, io.EOF) || n == nil {
		j.bad(err)
		return j, nil
	}
	return j, n
}

// bad reports a fault in the syntax.
func (j *jsonText) bad(err error) {
	reason, at := err.Error(), int(j.dec.InputOffset())
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		reason, at = "the text ends too early", len(j.text)
	case errors.As(err, &syntax) && errors.As(json.Unmarshal([]byte(j.text), new(json.RawMessage)), &syntax):
		// Unlike that of a decoder's error, its offset can be relied on.
		reason, at = syntax.Error(), int(syntax.Offset)-1
	}
	j.fail(j.advance(min(max(at, j.off), len(j.text))), RuleJSON, "write JSON, as `git plan convert` does", "no JSON: %s", reason)
}

// next gives the place of the next token.
func (j *jsonText) next() diag.Pos {
	at := int(j.dec.InputOffset())
	rest := j.text[at:]
	return j.advance(at + len(rest) - len(strings.TrimLeft(rest, " \t\r\n,:")))
}

// advance moves on to a place further down, and gives it.
func (j *jsonText) advance(to int) diag.Pos {
	over := j.text[j.off:to]
	if i := strings.LastIndexByte(over, '\n'); i >= 0 {
		j.pos.Line += strings.Count(over, "\n")
		j.pos.Column, over = 1, over[i+1:]
	}
	j.pos.Column += utf8.RuneCountInString(over)
	j.off = to
	return j.pos
}

func (j *jsonText) value(depth int) (*node, error) {
	if j.n++; j.n > maxValues {
		return nil, errors.New("there are too many values")
	}
	n := &node{pos: j.next()}
	var err error
	if n.value, err = j.dec.Token(); err != nil {
		return nil, err
	}
	if _, ok := n.value.(json.Delim); !ok {
		return n, nil
	}
	if depth == maxNesting {
		return nil, errors.New("lists and objects nest too deep")
	}
	for j.dec.More() {
		if n.value == json.Delim('{') {
			k := key{pos: j.next()}
			token, err := j.dec.Token()
			if err != nil {
				return nil, err
			}
			k.name, _ = token.(string)
			n.keys = append(n.keys, k)
		}
		item, err := j.value(depth + 1)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, item)
	}
	if _, err = j.dec.Token(); err != nil { // the end
		return nil, err
	}
	return n, nil
}

// wrong reports a value of another type than it should have. Null stands for
// nothing everywhere.
func (j *jsonText) wrong(n *node, want string) {
	if n.value != nil {
		j.fail(n.pos, RuleJSON, "write a "+want, "this is no %s", want)
	}
}

// string gives a value that should be text.
func (j *jsonText) string(n *node) string {
	s, ok := n.value.(string)
	if !ok {
		j.wrong(n, "string")
	}
	return s
}

// count gives a value that should be a number of things, or nil.
func (j *jsonText) count(n *node) *int {
	number, _ := n.value.(json.Number)
	v, ok := parseCount(string(number))
	if !ok {
		j.wrong(n, "whole number, 0 or more")
		return nil
	}
	return &v
}

// list gives the items of a value that should be a list.
func (j *jsonText) list(n *node) []*node {
	if n.value != json.Delim('[') {
		j.wrong(n, "list")
		return nil
	}
	return n.items
}

func (j *jsonText) strings(n *node) []string {
	var out []string
	for _, item := range j.list(n) {
		out = append(out, j.string(item))
	}
	return out
}

// object calls f for each key of a value that should be an object; f reports
// whether it knows the key. Keys that are there twice are errors; unknown is
// how much others weigh.
func (j *jsonText) object(n *node, unknown diag.Severity, f func(name string, v *node) bool) {
	if n.value != json.Delim('{') {
		j.fail(n.pos, RuleJSON, "write an object", "this is no object")
		return
	}
	seen := map[string]bool{}
	for i, k := range n.keys {
		switch {
		case seen[k.name]:
			j.fail(k.pos, RuleJSON, "keep one", "the key %q is there twice", quoteShort(k.name))
		case !f(k.name, n.items[i]):
			j.report(diag.Diagnostic{Pos: k.pos, Severity: unknown, Rule: RuleJSON, Hint: "remove it",
				Message: "the key " + strconv.Quote(quoteShort(k.name)) + " is not known"})
		}
		seen[k.name] = true
	}
}
