// Package jsonedit puts something of our own into somebody else's JSON document,
// and takes it out again. All other bytes stay as they are: order, white space,
// and comments, which some programs allow. Begin with [Put] and [Take] for an
// element of a list, with [PutMember] and [TakeMember] for a member of an
// object; what the first did, the second undoes byte for byte.
package jsonedit

import (
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// Put gives the document with the element in the list at a path of keys.
// Objects and the list are made where they are missing. An element that mine
// knows for ours is replaced, or left alone if it is the same. An empty text is
// a document that is not there yet. It is an error where the text
// is no JSON, comments aside, or has another kind of value on the path.
func Put(text string, path []string, element any, mine func(any) bool) (string, error) {
	if text == "" {
		return fresh(path, List{element}), nil
	}
	d, chain, err := descend(text, path, '[')
	if err != nil {
		return "", err
	}
	c := chain[len(chain)-1]
	if len(chain) <= len(path) {
		c.add(d, path[len(chain)-1], wrap(path[len(chain):], List{element}))
		return d.String(), nil
	}
	i := ours(c, mine)
	if i < 0 {
		c.add(d, "", element)
		return d.String(), nil
	}
	if !same(*c.at(i), element) {
		own := layout{}
		indent, ok := ownLine(*c.before(i))
		if ok {
			own = layout{d.lineEnd, d.unit}
		}
		c.at(i).Value = made(own.write(element, indent)).Value
	}
	return d.String(), nil
}

// Has reports whether the list at a path has an element that such knows. Errors are
// those of [Put].
func Has(text string, path []string, such func(any) bool) (bool, error) {
	if text == "" {
		return false, nil
	}
	_, chain, err := descend(text, path, '[')
	return err == nil && len(chain) > len(path) && ours(chain[len(path)], such) >= 0, err
}

// Take gives the document without the elements of the list at a path that mine
// knows for ours, and without the lists and objects that [Put] made for them. What
// is left may be nothing: a document that Put made.
func Take(text string, path []string, mine func(any) bool) (string, error) {
	for text != "" {
		d, chain, err := descend(text, path, '[')
		if err != nil {
			return "", err
		}
		if len(chain) <= len(path) || ours(chain[len(path)], mine) < 0 {
			break
		}
		text = cut(d, chain, path, ours(chain[len(path)], mine))
	}
	return text, nil
}

// ours gives the index of the first element that is ours, or -1.
func ours(c container, mine func(any) bool) int {
	for i := range c.len() {
		if mine(decode(*c.at(i))) {
			return i
		}
	}
	return -1
}

// descend reads a text and gives the containers on a path, as far as there are
// any. At the end of the path one of the given kind must stand, and objects
// before it.
func descend(text string, path []string, end hujson.Kind) (*document, []container, error) {
	d, err := parse(text)
	if err != nil {
		return nil, nil, err
	}
	chain := []container{{&d.root}}
	for depth := 0; ; depth++ {
		c := chain[depth]
		want, name := hujson.Kind('{'), "an object"
		if depth == len(path) && end == '[' {
			want, name = end, "a list"
		}
		if c.Value.Value.Kind() != want {
			place := "the document"
			if depth > 0 {
				place = "`" + strings.Join(path[:depth], ".") + "`"
			}
			return nil, nil, fmt.Errorf("%s is not %s", place, name)
		}
		if depth == len(path) {
			return d, chain, nil
		}
		i := c.find(path[depth])
		if i < 0 {
			return d, chain, nil
		}
		chain = append(chain, container{c.at(i)})
	}
}

// fresh is a new document with a value at a path.
func fresh(path []string, v any) string {
	return layout{"\n", "  "}.write(wrap(path, v), "") + "\n"
}

// wrap makes the objects that a value is missing.
func wrap(path []string, v any) any {
	for i := len(path) - 1; i >= 0; i-- {
		v = Object{{path[i], v}}
	}
	return v
}

// cut takes an item out of the last container of a chain, and the containers
// that were made for it. Nothing is left of a document that was.
func cut(d *document, chain []container, path []string, i int) string {
	for depth := len(chain) - 1; chain[depth].drop(i); depth-- {
		if depth == 0 {
			*chain[0].end() = nil
			if !comments(join(d.root.BeforeExtra, d.root.AfterExtra)) {
				return ""
			}
			break
		}
		i = chain[depth-1].find(path[depth-1])
	}
	return d.String()
}
