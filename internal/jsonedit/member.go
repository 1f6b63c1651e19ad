package jsonedit

import (
	"reflect"
	"strings"

	"github.com/tailscale/hujson"
)

// TakenError is returned where a member has another value than the one that
// should be put in or taken out. The document keeps it.
type TakenError struct {
	// Path is the place, keys joined by dots.
	Path string
}

func (e *TakenError) Error() string {
	return "`" + e.Path + "` is somebody else's: its value is not ours"
}

// PutMember gives the document with a value at a path of keys, the last of
// which is the member's own. Objects are made where they are missing. A member
// of that key stays as it is, and is a *TakenError if it has another value. An
// empty text is a document that is not there yet. Other errors are *SyntaxError
// and *TypeError.
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
	if i := c.find(path[key]); i >= 0 {
		return text, taken(*c.at(i), path, value)
	}
	c.add(d, path[key], wrap(path[key+1:], value))
	return d.String(), nil
}

// TakeMember gives the document without the member at a path that has a value,
// without the objects that [PutMember] made for it, and whether there was one.
// What is left may be nothing: a document that PutMember made. Errors are those
// of PutMember.
func TakeMember(text string, path []string, value any) (string, bool, error) {
	if text == "" {
		return "", false, nil
	}
	d, chain, err := descend(text, path[:len(path)-1], '{')
	if err != nil || len(chain) < len(path) {
		return text, false, err
	}
	c := chain[len(path)-1]
	i := c.find(path[len(path)-1])
	if i < 0 {
		return text, false, nil
	}
	if err := taken(*c.at(i), path, value); err != nil {
		return text, false, err
	}
	return cut(d, chain, path, i), true, nil
}

// taken is a *TakenError if a value of the document is not the given one.
func taken(v hujson.Value, path []string, value any) error {
	if same(v, value) {
		return nil
	}
	return &TakenError{strings.Join(path, ".")}
}

// same reports whether a value of the document is the given one.
func same(v hujson.Value, value any) bool {
	return reflect.DeepEqual(decode(v), decode(made(layout{}.write(value, ""))))
}

// Set gives the document with a member of its outermost object, unless it has
// one with that key already. Errors are those of [Put].
func Set(text, key string, value any) (string, error) {
	d, chain, err := descend(text, nil, '{')
	if err != nil || chain[0].find(key) >= 0 {
		return text, err
	}
	chain[0].add(d, key, value)
	return d.String(), nil
}
