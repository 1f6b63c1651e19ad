package jsonedit

import (
	"reflect"
	"strings"
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
		return document(path, value), nil
	}
	root, err := scan(text)
	if err != nil {
		return "", err
	}
	parents := path[:len(path)-1]
	n, depth, err := descend(root, parents, object)
	if err != nil {
		return "", err
	}
	if depth == len(parents) {
		if _, there := n.find(path[depth]); there != nil {
			return text, same(text, there, path, value)
		}
	}
	return insert(text, root, n, quote(path[depth])+": ", wrap(path[depth+1:], value)), nil
}

// TakeMember gives the document without the member at a path that has a value,
// without the objects that [PutMember] made for it, and whether there was one.
// What is left may be nothing: a document that PutMember made. Errors are those
// of PutMember.
func TakeMember(text string, path []string, value any) (string, bool, error) {
	if text == "" {
		return "", false, nil
	}
	root, err := scan(text)
	if err != nil {
		return "", false, err
	}
	parents := path[:len(path)-1]
	n, depth, err := descend(root, parents, object)
	if err != nil || depth < len(parents) {
		return text, false, err
	}
	i, there := n.find(path[depth])
	if there == nil {
		return text, false, nil
	}
	if err := same(text, there, path, value); err != nil {
		return text, false, err
	}
	return cut(text, chain(root, parents), i), true, nil
}

// same is a *TakenError if a value of the document is not the given one.
func same(text string, n *node, path []string, value any) error {
	if reflect.DeepEqual(decode(text[n.start:n.end]), decode(layout{}.write(value, ""))) {
		return nil
	}
	return &TakenError{strings.Join(path, ".")}
}

// Set gives the document with a member of its outermost object, unless it has
// one with that key already. Errors are those of [Put].
func Set(text, key string, value any) (string, error) {
	root, err := scan(text)
	if err != nil {
		return "", err
	}
	if root.open != '{' {
		return "", &TypeError{"", "an object"}
	}
	if _, there := root.find(key); there != nil {
		return text, nil
	}
	return insert(text, root, root, quote(key)+": ", value), nil
}
