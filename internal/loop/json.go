package loop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/git-plan/git-plan/plan"
)

// Bounds on a payload. It may be as long as the plan it is about.
const (
	MaxPayload = plan.MaxPlan
	MaxAdded   = 9000   // tasks under add_tasks that are looked at
	MaxUpdated = 20_000 // and under update_tasks
	maxDepth   = 8      // of lists and objects; what a payload may hold needs 4
)

// kind is what a JSON value is.
type kind string

const (
	object  kind = "an object"
	list    kind = "a list"
	text    kind = "a string"
	number  kind = "a number"
	boolean kind = "true or false"
	null    kind = "null"
)

// value is a JSON value with its place. Unlike a map, it keeps keys that stand
// twice.
type value struct {
	kind   kind
	text   string // of a string, or as a number is written
	items  []value
	fields []member
}

type member struct {
	key   string
	at    int // byte offset
	value value
}

// readJSON reads a document as a whole, without a byte order mark. The error
// says where it is none.
func readJSON(data []byte) (value, error) {
	if at := invalidUTF8(data); at >= 0 {
		return value{}, fmt.Errorf("%s: this is no UTF-8", place(data, at))
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		var syntax *json.SyntaxError
		if !errors.As(err, &syntax) {
			return value{}, err
		}
		at := max(int(syntax.Offset)-1, 0)
		if strings.Contains(syntax.Error(), "unexpected end") {
			at = len(data)
		}
		return value{}, fmt.Errorf("%s: %s", place(data, at), syntax)
	}
	r := reader{data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	r.dec.UseNumber()
	return r.value(1)
}

// invalidUTF8 gives the offset of the first byte that is no UTF-8, or -1.
func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// place gives line and column, in characters, of a byte offset.
func place(data []byte, at int) string { return (&places{data: data}).of(at) }

// places gives the places of many offsets in one pass, as long as they come in
// ascending order.
type places struct {
	data []byte
	// at is the last offset; line and column are its place, counted from 0.
	at, line, column int
}

func (p *places) of(at int) string {
	at = min(at, len(p.data))
	if at < p.at {
		*p = places{data: p.data}
	}
	step := p.data[p.at:at]
	if i := bytes.LastIndexByte(step, '\n'); i >= 0 {
		p.line += bytes.Count(step, []byte("\n"))
		p.column, step = 0, step[i+1:]
	}
	p.column += utf8.RuneCount(step)
	p.at = at
	return itoa(p.line+1) + ":" + itoa(p.column+1)
}

// reader makes values of a document that is known to be JSON.
type reader struct {
	data []byte
	dec  *json.Decoder
}

func (r *reader) value(depth int) (value, error) {
	before := int(r.dec.InputOffset())
	token, err := r.dec.Token()
	if err != nil {
		return value{}, err
	}
	switch t := token.(type) {
	case string:
		if r.halved(t, before) {
			return value{}, fmt.Errorf("%s: the string holds half a character (a surrogate without its other half)", place(r.data, before+bytes.IndexByte(r.data[before:], '"')))
		}
		return value{kind: text, text: t}, nil
	case json.Number:
		return value{kind: number, text: t.String()}, nil
	case bool:
		return value{kind: boolean}, nil
	case json.Delim:
		if depth > maxDepth {
			return value{}, fmt.Errorf("%s: lists and objects nest deeper than %d levels", place(r.data, int(r.dec.InputOffset())-1), maxDepth)
		}
		if t == '{' {
			return r.object(depth)
		}
		return r.list(depth)
	}
	return value{kind: null}, nil
}

// halved reports whether a string, as it was read, holds a replacement for what
// is no character, such as "\ud800", and was not written with it.
func (r *reader) halved(s string, before int) bool {
	if !strings.ContainsRune(s, utf8.RuneError) {
		return false
	}
	written := strings.ToLower(string(r.data[before:r.dec.InputOffset()]))
	return strings.Count(s, "\ufffd") > strings.Count(written, "\ufffd")+strings.Count(written, `\ufffd`)
}

func (r *reader) object(depth int) (value, error) {
	v := value{kind: object}
	for r.dec.More() {
		at := int(r.dec.InputOffset())
		at += max(bytes.IndexByte(r.data[at:], '"'), 0)
		key, err := r.dec.Token()
		if err != nil {
			return v, err
		}
		m := member{key: key.(string), at: at} // only strings are keys
		if m.value, err = r.value(depth + 1); err != nil {
			return v, err
		}
		v.fields = append(v.fields, m)
	}
	_, err := r.dec.Token()
	return v, err
}

func (r *reader) list(depth int) (value, error) {
	v := value{kind: list}
	for r.dec.More() {
		item, err := r.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.items = append(v.items, item)
	}
	_, err := r.dec.Token()
	return v, err
}
