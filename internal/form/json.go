package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Bounds limit what a JSON document may hold.
type Bounds struct {
	plan.Bounds
	// Depth bounds how deep values nest.
	Depth int
}

// unbound is for text of our own.
const unbound = math.MaxInt

// jsonReader reads one JSON value into the nodes that YAML is read into, each
// with its place.
type jsonReader struct {
	text string
	dec  *json.Decoder
	// How many there are so far.
	keys, items int
	bounds      Bounds

	// The place of the byte at: positions are asked for in ascending order.
	at  int
	pos diag.Pos
}

// fault is what ends the reading of a file.
type fault struct {
	at            int // byte offset
	rule, message string
}

func (f *fault) Error() string { return f.message }

// JSON writes a value that encoding/json can write, indented, in text that is fit
// for a terminal.
func JSON(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(diag.JSONWriter(&b))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(v) // what is written here is made of text, numbers, lists and objects
	return b.Bytes()
}

// ReadJSON reads a file that is one JSON object, to the nodes that YAML is read
// to. The first fault that prevents it is a finding, and the fields are then
// nil. Keys that are set twice are left to the [Decoder].
func ReadJSON(bounds Bounds, path string, data []byte) ([]plan.Field, []diag.Diagnostic) {
	n, found := ReadValue(bounds, path, data)
	if found == nil && n.Kind != plan.Map {
		found = []diag.Diagnostic{{Path: path, Pos: diag.Pos{Line: 1, Column: 1}, Rule: plan.RuleFrontmatter, Message: "expected an object, not " + n.Kind.String()}}
	}
	return n.Fields, found
}

// HasKeys reports whether fields have all of these keys.
func HasKeys(fields []plan.Field, keys ...string) bool {
	return !slices.ContainsFunc(keys, func(key string) bool {
		return !slices.ContainsFunc(fields, func(f plan.Field) bool { return f.Key == key })
	})
}

// ReadValue reads a file that is one JSON value.
func ReadValue(bounds Bounds, path string, data []byte) (plan.Node, []diag.Diagnostic) {
	r := &jsonReader{bounds: bounds, text: string(plan.Normalize(data)), pos: diag.Pos{Line: 1, Column: 1}}
	node, err := r.read()
	if err == nil {
		return node, nil
	}
	var f *fault
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &f):
	case errors.As(json.Unmarshal([]byte(r.text), new(json.RawMessage)), &syntax) && !strings.Contains(syntax.Error(), "unexpected end"):
		// Unlike that of a decoder's error, its offset can be relied on.
		f = &fault{max(int(syntax.Offset)-1, 0), plan.RuleFrontmatter, "bad JSON: " + syntax.Error()}
	default:
		f = &fault{len(r.text), plan.RuleFrontmatter, "bad JSON: the file ends too early"}
	}
	r.at, r.pos = 0, diag.Pos{Line: 1, Column: 1}
	return plan.Node{}, []diag.Diagnostic{{Path: path, Pos: r.place(f.at), Rule: f.rule, Message: f.message}}
}

// Fields gives the fields of a value that encoding/json can write as an object.
func Fields(v any) ([]plan.Field, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	r := &jsonReader{text: string(data), bounds: Bounds{plan.Bounds{Bytes: unbound, Keys: unbound, Items: unbound}, unbound}, pos: diag.Pos{Line: 1, Column: 1}}
	node, err := r.read()
	return node.Fields, err
}

func (r *jsonReader) read() (plan.Node, error) {
	switch {
	case len(r.text) > r.bounds.Bytes:
		return plan.Node{}, &fault{0, plan.RuleLimits, fmt.Sprintf("file of %d bytes is over the limit of %d", len(r.text), r.bounds.Bytes)}
	case !utf8.ValidString(r.text):
		return plan.Node{}, &fault{firstInvalid(r.text), plan.RuleEncoding, "the text is no valid UTF-8"}
	}
	r.dec = json.NewDecoder(bytes.NewReader([]byte(r.text)))
	r.dec.UseNumber()
	node, err := r.value(0)
	if err != nil {
		return node, err
	}
	begin := r.begin()
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		return node, &fault{begin, plan.RuleFrontmatter, "something follows the " + map[bool]string{true: "object", false: "value"}[node.Kind == plan.Map]}
	}
	return node, nil
}

func firstInvalid(s string) int {
	for i, c := range s {
		if c == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return i
		}
	}
	return 0
}

// begin gives where the next token begins.
func (r *jsonReader) begin() int {
	at := int(r.dec.InputOffset())
	return at + len(r.text[at:]) - len(strings.TrimLeft(r.text[at:], " \t\r\n,:"))
}

// place gives the position of a byte that is not before the last one asked for.
func (r *jsonReader) place(at int) diag.Pos {
	for r.at < min(at, len(r.text)) {
		_, n := utf8.DecodeRuneInString(r.text[r.at:])
		r.pos.Column++
		if r.text[r.at] == '\n' {
			r.pos = diag.Pos{Line: r.pos.Line + 1, Column: 1}
		}
		r.at += n
	}
	return r.pos
}

func (r *jsonReader) value(depth int) (plan.Node, error) {
	begin := r.begin()
	node := plan.Node{Pos: r.place(begin)}
	token, err := r.dec.Token()
	if err != nil {
		return node, err
	}
	if depth > r.bounds.Depth {
		return node, &fault{begin, plan.RuleLimits, fmt.Sprintf("nested deeper than %d levels", r.bounds.Depth)}
	}
	switch v := token.(type) {
	case json.Delim:
		if v == '{' {
			return r.object(node, depth)
		}
		return r.array(node, depth)
	case string:
		node.Kind, node.Text = plan.String, v
		return node, r.whole(begin, v)
	case json.Number:
		node.Kind, node.Text = plan.Int, v.String()
		if strings.ContainsAny(node.Text, ".eE") {
			node.Kind = plan.Float
		}
	case bool:
		node.Kind, node.Text = plan.Bool, fmt.Sprint(v)
	}
	return node, nil
}

// whole refuses text that stands for none: half of a pair of escapes.
func (r *jsonReader) whole(begin int, text string) error {
	raw := r.text[begin:r.dec.InputOffset()]
	if strings.ContainsRune(text, utf8.RuneError) && !strings.ContainsRune(raw, utf8.RuneError) && !strings.Contains(strings.ToLower(raw), `\ufffd`) {
		return &fault{begin, plan.RuleEncoding, "the text holds an escape that stands for no character"}
	}
	return nil
}

func (r *jsonReader) object(node plan.Node, depth int) (plan.Node, error) {
	node.Kind = plan.Map
	for r.dec.More() {
		begin := r.begin()
		field := plan.Field{KeyPos: r.place(begin)}
		token, err := r.dec.Token()
		if err != nil {
			return node, err
		}
		field.Key, _ = token.(string) // the decoder admits nothing else
		if r.keys++; r.keys > r.bounds.Keys {
			return node, &fault{begin, plan.RuleLimits, fmt.Sprintf("more than %d keys", r.bounds.Keys)}
		}
		if field.Value, err = r.value(depth + 1); err != nil {
			return node, err
		}
		node.Fields = append(node.Fields, field)
	}
	_, err := r.dec.Token()
	return node, err
}

func (r *jsonReader) array(node plan.Node, depth int) (plan.Node, error) {
	node.Kind, node.Items = plan.List, []plan.Node{}
	for r.dec.More() {
		if r.items++; r.items > r.bounds.Items {
			return node, &fault{r.begin(), plan.RuleLimits, fmt.Sprintf("more than %d items of lists", r.bounds.Items)}
		}
		item, err := r.value(depth + 1)
		if err != nil {
			return node, err
		}
		node.Items = append(node.Items, item)
	}
	_, err := r.dec.Token()
	return node, err
}
