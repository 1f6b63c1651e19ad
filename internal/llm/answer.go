package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Bounds of the object in an answer.
const (
	maxKeys  = 20_000
	maxItems = 20_000
	maxDepth = 32
)

// MaxProse is how many bytes of what stands around the object are kept.
const MaxProse = 16 << 10

// JSON takes the one object out of an answer. The object may stand in a fence,
// and prose around it: that is given as plain text, since it may tell reasons.
// An answer with no object or with different ones is refused, as is an object
// with a key that stands twice, at any depth. The error is for whoever gave the
// answer.
func JSON(answer string) (object []byte, prose string, err error) {
	if !utf8.ValidString(answer) {
		return nil, "", errors.New("the answer is no valid UTF-8: answer with one JSON object")
	}
	thought, said := splitThought(uncoloured(answer))
	begin, end, err := only(said)
	if err != nil {
		return nil, "", err
	}
	before, after := said[:begin], said[end:]
	if err := alone(before, after); err != nil {
		return nil, "", err
	}
	object = []byte(said[begin:end])
	fields, err := fieldsOf(object)
	if err != nil {
		return nil, "", err
	}
	if key := twice(plan.Node{Fields: fields}); key != "" {
		return nil, "", fmt.Errorf("the key %q stands twice in one object: keep one of them", form.Short(key))
	}
	return object, proseOf(thought, before, after), nil
}

// Decode takes values out of an object that [JSON] gave. An unknown key, a
// missing one that must be there and a value of another type are refused, all in
// one error.
func Decode(object []byte, keys func(*form.Decoder) []form.Key) error {
	fields, err := fieldsOf(object)
	if err != nil {
		return err
	}
	d := &form.Decoder{}
	d.Object("the answer", diag.Pos{Line: 1, Column: 1}, fields, keys(d))
	if wrong := Told(d.Refused()); len(wrong) > 0 {
		return errors.New(strings.Join(wrong, "; "))
	}
	return nil
}

// maxTold is how many faults of an answer are told.
const maxTold = 40

// Told gives findings about an answer as a model is told of them, a line each.
func Told(found []diag.Diagnostic) []string {
	var out []string
	for i, f := range found {
		if i == maxTold {
			return append(out, "and more")
		}
		text := f.Message
		if f.Hint != "" {
			text += ": " + f.Hint
		}
		out = append(out, text)
	}
	return out
}

func fieldsOf(object []byte) ([]plan.Field, error) {
	bounds := form.Bounds{Bounds: plan.Bounds{Bytes: MaxAnswer, Keys: maxKeys, Items: maxItems}, Depth: maxDepth}
	fields, found := form.ReadJSON(bounds, "", object)
	if len(found) > 0 {
		return nil, fmt.Errorf("line %d, column %d of the object: %s", found[0].Pos.Line, found[0].Pos.Column, found[0].Message)
	}
	return fields, nil
}

// uncoloured removes what is meant for a terminal, which no JSON may hold.
func uncoloured(answer string) string {
	if !strings.Contains(answer, "\x1b") {
		return answer
	}
	return regexp.MustCompile(`\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)?|[@-_])`).ReplaceAllString(answer, "")
}

// splitThought takes off what models that think aloud print first. What is in
// there is no answer.
func splitThought(answer string) (thought, rest string) {
	trimmed := strings.TrimLeft(strings.TrimPrefix(answer, "\ufeff"), " \t\r\n")
	if inner, ok := strings.CutPrefix(trimmed, "<think>"); ok {
		if thought, rest, ok = strings.Cut(inner, "</think>"); ok {
			return thought, rest
		}
	}
	return "", trimmed
}

// only finds the one object. One that stands there again, the same in all but
// white space, is no other: models repeat themselves.
func only(text string) (begin, end int, err error) {
	begin = -1
	var first []byte
	for at := 0; ; {
		next := strings.IndexByte(text[at:], '{')
		if next < 0 {
			break
		}
		at += next
		if !beginsObject(text[at:]) {
			at++
			continue
		}
		length, err := objectAt(text[at:])
		if err != nil {
			return 0, 0, fmt.Errorf("what begins like an object is no JSON: %w", err)
		}
		var whole bytes.Buffer
		if err := json.Compact(&whole, []byte(text[at:at+length])); err != nil {
			return 0, 0, err
		}
		switch {
		case begin < 0:
			begin, end, first = at, at+length, whole.Bytes()
		case !bytes.Equal(first, whole.Bytes()):
			return 0, 0, errors.New("the answer holds two different objects: give one alone")
		}
		at += length
	}
	if begin < 0 {
		return 0, 0, errors.New("the answer holds no JSON object: answer with one, and nothing else")
	}
	return begin, end, nil
}

// beginsObject tells an object from a brace in prose or code. An object without
// keys answers nothing.
func beginsObject(text string) bool {
	return strings.HasPrefix(strings.TrimLeft(text[1:], " \t\r\n"), `"`)
}

// objectAt gives the length of the object that text begins with.
func objectAt(text string) (int, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		var syntax *json.SyntaxError // unlike that of a decoder's error, its offset can be relied on
		if errors.As(json.Unmarshal([]byte(text), &raw), &syntax) && !strings.Contains(syntax.Error(), "unexpected end") {
			at := min(max(int(syntax.Offset)-1, 0), len(text))
			return 0, fmt.Errorf("%s, before %q", syntax, form.Short(clean(text[at:], 256)))
		}
		return 0, errors.New("it ends too early")
	}
	return int(dec.InputOffset()), nil
}

// alone refuses an object that is a part of something: of a list, say, or of
// text that only looks like JSON.
func alone(before, after string) error {
	for _, pair := range []string{"{}", "[]"} {
		opened, closed := strings.Count(before, pair[:1])-strings.Count(before, pair[1:]), strings.Count(after, pair[1:])-strings.Count(after, pair[:1])
		if opened > 0 || closed > 0 {
			return fmt.Errorf("the object stands inside other brackets %s: give it alone", pair)
		}
	}
	return nil
}

// twice gives a key that stands twice in one object, at any depth, or "".
func twice(n plan.Node) string {
	seen := make(map[string]bool, len(n.Fields))
	for _, f := range n.Fields {
		if seen[f.Key] {
			return f.Key
		}
		seen[f.Key] = true
		if key := twice(f.Value); key != "" {
			return key
		}
	}
	for _, it := range n.Items {
		if key := twice(it); key != "" {
			return key
		}
	}
	return ""
}

// proseOf joins what stands around the object, without the fence that it stood
// in.
func proseOf(parts ...string) string {
	var out []string
	for _, part := range parts {
		var lines []string
		for line := range strings.Lines(part) {
			if !strings.HasPrefix(strings.TrimSpace(line), "```") {
				lines = append(lines, strings.TrimRight(line, " \t\r\n"))
			}
		}
		if text := strings.TrimSpace(strings.Join(lines, "\n")); text != "" {
			out = append(out, text)
		}
	}
	return clean(strings.Join(out, "\n\n"), MaxProse)
}

// clean is text of a model as plain text, cut to a number of bytes.
func clean(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if diag.PrintableText(string(r)) != string(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text[:min(len(text), 4*most)], "\uFFFD"))
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// begin gives the beginning of an answer, for a message.
func begin(answer string) string {
	return cmp.Or(diag.OneLine(clean(answer, 1<<10), 200), "nothing")
}
