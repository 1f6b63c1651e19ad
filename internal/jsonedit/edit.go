// Package jsonedit puts something of our own into somebody else's JSON document,
// and takes it out again. All other bytes stay as they are: order, white space,
// and comments, which some programs allow. Begin with [Put] and [Take] for an
// element of a list, with [PutMember] and [TakeMember] for a member of an
// object; what the first did, the second undoes byte for byte.
package jsonedit

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// TypeError is returned where a document has another kind of value at a place
// than the edit needs.
type TypeError struct {
	// Path is the place, keys joined by dots.
	Path string
	// Want is what should stand there: "an object" or "a list".
	Want string
}

func (e *TypeError) Error() string {
	if e.Path == "" {
		return "the document is not " + e.Want
	}
	return fmt.Sprintf("`%s` is not %s", e.Path, e.Want)
}

// Put gives the document with the element in the list at a path of keys.
// Objects and the list are made where they are missing. An element that mine
// knows for ours is replaced, or left alone if it is the same. An empty text is
// a document that is not there yet. Errors are *SyntaxError and *TypeError.
func Put(text string, path []string, element any, mine func(any) bool) (string, error) {
	if text == "" {
		return document(path, List{element}), nil
	}
	root, err := scan(text)
	if err != nil {
		return "", err
	}
	n, depth, err := descend(root, path, list)
	if err != nil {
		return "", err
	}
	if depth < len(path) {
		return insert(text, root, n, quote(path[depth])+": ", wrap(path[depth+1:], List{element})), nil
	}
	for _, it := range n.items {
		value := text[it.value.start:it.value.end]
		if !mine(decode(value)) {
			continue
		}
		if reflect.DeepEqual(decode(value), decode(layout{}.write(element, ""))) {
			return text, nil
		}
		return text[:it.start] + laid(text, root, it.start).write(element, indentAt(text, it.start)) + text[it.value.end:], nil
	}
	return insert(text, root, n, "", element), nil
}

// Has reports whether the list at a path has an element that such knows. Errors are
// those of [Put].
func Has(text string, path []string, such func(any) bool) (bool, error) {
	if text == "" {
		return false, nil
	}
	root, err := scan(text)
	if err != nil {
		return false, err
	}
	n, depth, err := descend(root, path, list)
	if err != nil || depth < len(path) {
		return false, err
	}
	return ours(text, n, such) >= 0, nil
}

// Take gives the document without the elements of the list at a path that mine
// knows for ours, without the lists and objects that [Put] made for them, and
// whether there were any. What is left may be nothing: a document that Put made.
func Take(text string, path []string, mine func(any) bool) (string, bool, error) {
	taken := false
	for text != "" {
		root, err := scan(text)
		if err != nil {
			return "", false, err
		}
		n, depth, err := descend(root, path, list)
		if err != nil || depth < len(path) {
			return text, taken, err
		}
		i := ours(text, n, mine)
		if i < 0 {
			break
		}
		text, taken = cut(text, chain(root, path), i), true
	}
	return text, taken, nil
}

// ours gives the index of the first element that is ours, or -1.
func ours(text string, n *node, mine func(any) bool) int {
	for i, it := range n.items {
		if mine(decode(text[it.value.start:it.value.end])) {
			return i
		}
	}
	return -1
}

// kind is a kind of container: the byte it opens with.
type kind byte

// The two kinds there are.
const (
	object kind = '{'
	list   kind = '['
)

func (k kind) String() string {
	if k == list {
		return "a list"
	}
	return "an object"
}

// descend follows the keys as far as there are any, and gives the value it
// ends at with the number of keys followed. At the end of the path a container
// of the given kind must stand, and objects before it.
func descend(root *node, path []string, end kind) (*node, int, error) {
	n := root
	for depth := 0; ; depth++ {
		want := object
		if depth == len(path) {
			want = end
		}
		if n.open != byte(want) {
			return nil, 0, &TypeError{strings.Join(path[:depth], "."), want.String()}
		}
		if depth == len(path) {
			return n, depth, nil
		}
		_, next := n.find(path[depth])
		if next == nil {
			return n, depth, nil
		}
		n = next
	}
}

// document is a new document with a value at a path.
func document(path []string, v any) string {
	return layout{"\n", "  "}.write(wrap(path, v), "") + "\n"
}

// wrap makes the objects that a value is missing.
func wrap(path []string, v any) any {
	for i := len(path) - 1; i >= 0; i-- {
		v = Object{{path[i], v}}
	}
	return v
}

// insert puts a value, behind a key if any, at the end of an object or list.
func insert(text string, root, n *node, key string, value any) string {
	if len(n.items) == 0 {
		// It touches the closing bracket: by that it is known later that the
		// container was there, with its white space.
		at := n.end - 1
		return text[:at] + key + layout{}.write(value, "") + text[at:]
	}
	last := n.items[len(n.items)-1]
	l, sep := laid(text, root, last.start), " "
	if l.lineEnd != "" {
		sep = l.lineEnd + indentAt(text, last.start)
	}
	return text[:last.value.end] + "," + sep + key + l.write(value, indentAt(text, last.start)) + text[last.value.end:]
}

// laid gives the layout for a value beside the item at a place: on lines of its
// own if that item is.
func laid(text string, root *node, at int) layout {
	if _, _, ok := lineStart(text, at); !ok {
		return layout{}
	}
	return layout{lineEndOf(text), unitOf(text, root)}
}

// indentAt gives the indentation of an item that begins its line, else "".
func indentAt(text string, at int) string {
	if _, indent, ok := lineStart(text, at); ok {
		return indent
	}
	return ""
}

// link is a container on the way to an element, and the index of the item in it
// that leads on.
type link struct {
	n *node
	i int
}

// chain gives the containers on a path, the list at its end first.
func chain(root *node, path []string) []link {
	links := []link{}
	n := root
	for _, key := range path {
		i, next := n.find(key)
		links = append([]link{{n, i}}, links...)
		n = next
	}
	return append([]link{{n, -1}}, links...)
}

// cut takes an item out of the first container of a chain, and the containers
// with it that were made for it.
func cut(text string, links []link, i int) string {
	for depth, l := range links {
		if depth > 0 {
			i = l.i
		}
		if len(l.n.items) > 1 {
			return cutOne(text, l.n, i)
		}
		it := l.n.items[i]
		before, after := text[l.n.start+1:it.start], text[it.value.end:l.n.end-1]
		if after == "" || strings.TrimSpace(before+after) != "" {
			return text[:it.start] + text[it.value.end:]
		}
	}
	root := links[len(links)-1].n
	outside := text[:root.start] + text[root.end:]
	if strings.TrimSpace(outside) == "" {
		return ""
	}
	return text[:root.start] + "{}" + text[root.end:]
}

// cutOne takes one of several items out, with the comma between it and its
// neighbour. Comments beside it stay.
func cutOne(text string, n *node, i int) string {
	it := n.items[i]
	from, to := it.value.end, 0
	if i > 0 {
		from, to = n.items[i-1].value.end, it.start
	} else {
		to = n.items[1].start
	}
	between := text[from:to]
	kept := ""
	if strings.Trim(between, " \t\r\n,") != "" {
		kept = withoutComma(between)
	}
	if i > 0 {
		return text[:from] + kept + text[it.value.end:]
	}
	return text[:it.start] + kept + text[to:]
}

// withoutComma takes the comma out of what stands between two items, which is
// else white space and comments.
func withoutComma(between string) string {
	s := &scanner{text: between}
	if s.space() == nil && s.peek() == ',' {
		return between[:s.at] + between[s.at+1:]
	}
	return between
}

// decode gives a value as plain Go values, for comparing. Comments in it make
// it nobody's.
func decode(value string) any {
	var v any
	if json.Unmarshal([]byte(value), &v) != nil {
		return nil
	}
	return v
}
