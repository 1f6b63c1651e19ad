package jsonedit

import (
	"errors"
	"reflect"

	"github.com/tailscale/hujson"
)

// ErrTaken is returned where a member has another value than the one that should be
// put in or taken out. The document keeps it.
var ErrTaken = errors.New("the member is somebody else's: its value is not ours")

// PutMember gives the document with a value at a path of keys, the last of
// which is the member's own. Objects are made where they are missing. A member
// of that key stays as it is, and is [ErrTaken] if it has another value. An empty
// text is a document that is not there yet. Other errors are those of [Put].
func PutMember(text string, path []string, value any) (string, error) {
	if text == "" {
		return fresh(path, value), nil
	}
	d, chain, err := descend(text, path[:len(path)-1], '{')
	if err != nil {
		return "", err
	}
	key := len(chain) - 1
	c := chain[key]
	if i := c.find(path[key]); i >= 0 && same(*c.at(i), value) {
		return text, nil
	} else if i >= 0 {
		return text, ErrTaken
	}
	c.add(d, path[key], wrap(path[key+1:], value))
	return d.String(), nil
}

// TakeMember gives the document without the member at a path that has a value, and
// without the objects that [PutMember] made for it. What is left may be nothing: a
// document that PutMember made. Errors are those of PutMember.
func TakeMember(text string, path []string, value any) (string, error) {
	if text == "" {
		return "", nil
	}
	d, chain, err := descend(text, path[:len(path)-1], '{')
	if err != nil || len(chain) < len(path) {
		return text, err
	}
	c := chain[len(path)-1]
	i := c.find(path[len(path)-1])
	if i < 0 {
		return text, nil
	}
	if !same(*c.at(i), value) {
		return text, ErrTaken
	}
	return cut(d, chain, path, i), nil
}

// same reports whether a value of the document is the given one.
func same(v hujson.Value, value any) bool {
	return reflect.DeepEqual(decode(v), decode(made(layout{}.write(value, ""))))
}
