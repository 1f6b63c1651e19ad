package jsonedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// maxBrackets bounds how deep values may be nested.
const maxBrackets = 100_000

const byteOrderMark = "\ufeff"

// document is a text that is edited.
type document struct {
	root          hujson.Value
	mark          string
	lineEnd, unit string
}

// parse reads a text.
func parse(text string) (*document, error) {
	d := &document{mark: text[:len(text)-len(strings.TrimPrefix(text, byteOrderMark))], lineEnd: "\n", unit: "  "}
	text = text[len(d.mark):]
	if strings.Count(text, "[")+strings.Count(text, "{") > maxBrackets {
		return nil, errors.New("the document has too many lists and objects")
	}
	var err error
	if d.root, err = hujson.Parse([]byte(text)); err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	for v := range d.root.All() {
		if err := check(container{v}, text); err != nil {
			return nil, err
		}
	}
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		d.lineEnd = "\r\n"
	}
	if c := (container{&d.root}); c.len() > 0 {
		if indent, ok := ownLine(*c.before(0)); ok && indent != "" {
			d.unit = indent
		}
	}
	return d, nil
}

// check refuses what only some programs read, and what is not clear: a key given
// twice, a comma after the last item.
func check(c container, text string) error {
	seen := map[string]bool{}
	for i := range c.len() {
		v := c.at(i)
		if i == c.len()-1 && v.AfterExtra != nil {
			return fault(text, v.EndOffset+len(v.AfterExtra), "a comma follows the last item")
		}
		if o, ok := c.Value.Value.(*hujson.Object); ok {
			key := o.Members[i].Name.Value.(hujson.Literal).String()
			if seen[key] {
				return fault(text, o.Members[i].Name.StartOffset, fmt.Sprintf("the key %q is there twice", key))
			}
			seen[key] = true
		}
	}
	return nil
}

func fault(text string, at int, what string) error {
	line, column := 1+strings.Count(text[:at], "\n"), at-strings.LastIndex(text[:at], "\n")
	return fmt.Errorf("line %d, column %d: %s", line, column, what)
}

func (d *document) String() string { return d.mark + string(d.root.Pack()) }

// ownLine gives the indentation of what comes after white space, and whether it
// begins a line.
func ownLine(before hujson.Extra) (indent string, ok bool) {
	rest := bytes.TrimRight(before, " \t")
	return string(before[len(rest):]), bytes.HasSuffix(rest, []byte("\n"))
}

// container is an object or a list.
type container struct{ *hujson.Value }

func (c container) len() int {
	switch v := c.Value.Value.(type) {
	case *hujson.Object:
		return len(v.Members)
	case *hujson.Array:
		return len(v.Elements)
	}
	return 0
}

// before gives the comments and white space before an item.
func (c container) before(i int) *hujson.Extra {
	if o, ok := c.Value.Value.(*hujson.Object); ok {
		return &o.Members[i].Name.BeforeExtra
	}
	return &c.at(i).BeforeExtra
}

// at gives the value of an item.
func (c container) at(i int) *hujson.Value {
	if o, ok := c.Value.Value.(*hujson.Object); ok {
		return &o.Members[i].Value
	}
	return &c.Value.Value.(*hujson.Array).Elements[i]
}

// end gives what stands before the closing bracket.
func (c container) end() *hujson.Extra {
	if o, ok := c.Value.Value.(*hujson.Object); ok {
		return &o.AfterExtra
	}
	return &c.Value.Value.(*hujson.Array).AfterExtra
}

// find gives the index of a member, or -1.
func (c container) find(key string) int {
	o, ok := c.Value.Value.(*hujson.Object)
	for i := 0; ok && i < len(o.Members); i++ {
		if o.Members[i].Name.Value.(hujson.Literal).String() == key {
			return i
		}
	}
	return -1
}

// add puts a value at the end, on a line of its own if that before it is.
func (c container) add(d *document, key string, value any) {
	own, indent, before := layout{}, "", hujson.Extra(" ")
	if n := c.len(); n == 0 {
		// It touches the closing bracket: by that it is known later that the
		// container was there, with its white space.
		before, *c.end() = *c.end(), nil
	} else if at, ok := ownLine(*c.before(n - 1)); ok {
		own, indent, before = layout{d.lineEnd, d.unit}, at, hujson.Extra(d.lineEnd+at)
	}
	v := made(own.write(value, indent))
	switch of := c.Value.Value.(type) {
	case *hujson.Object:
		name := hujson.Value{BeforeExtra: before, Value: hujson.Literal(quote(key))}
		v.BeforeExtra = hujson.Extra(" ")
		of.Members = append(of.Members, hujson.ObjectMember{Name: name, Value: v})
	case *hujson.Array:
		v.BeforeExtra = before
		of.Elements = append(of.Elements, v)
	}
}

// made reads a value that was written by us.
func made(text string) hujson.Value {
	v, err := hujson.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return v
}

// drop takes an item out. Comments beside it stay. It reports whether the
// container was made for it and should go too.
func (c container) drop(i int) (unneeded bool) {
	before, after, end := *c.before(i), c.at(i).AfterExtra, c.end()
	switch n := c.len(); {
	case n == 1:
		unneeded = len(*end) > 0 && !comments(join(before, *end))
		*end = join(before, *end)
	case i == 0:
		*c.before(1) = join(before, ifComments(after, *c.before(1)))
	case i == n-1: // what stands before a comma is the end now
		*end = join(ifComments(c.at(i-1).AfterExtra, before), *end)
		c.at(i - 1).AfterExtra = nil
	default:
		c.at(i - 1).AfterExtra = join(c.at(i-1).AfterExtra, ifComments(before), after)
	}
	switch of := c.Value.Value.(type) {
	case *hujson.Object:
		of.Members = append(of.Members[:i], of.Members[i+1:]...)
	case *hujson.Array:
		of.Elements = append(of.Elements[:i], of.Elements[i+1:]...)
	}
	return unneeded
}

func comments(e hujson.Extra) bool { return len(bytes.TrimSpace(e)) > 0 }

// ifComments joins what stands between values, or gives nothing if that is only
// white space.
func ifComments(parts ...hujson.Extra) hujson.Extra {
	if all := join(parts...); comments(all) {
		return all
	}
	return nil
}

func join(parts ...hujson.Extra) hujson.Extra {
	return slices.Concat(parts...)
}

// decode gives a value as plain Go values, for comparing. Comments in it make
// it nobody's.
func decode(v hujson.Value) any {
	v.BeforeExtra, v.AfterExtra = nil, nil
	var out any
	if json.Unmarshal(v.Pack(), &out) != nil {
		return nil
	}
	return out
}
