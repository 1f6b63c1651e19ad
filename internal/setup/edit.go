package setup

import (
	"strings"

	"github.com/git-plan/git-plan/internal/jsonedit"
	"github.com/git-plan/git-plan/internal/marked"
)

// edit is a kind of change to one file, as a function over its text.
type edit interface {
	// put gives the text with what is ours in it. A file that is not there has
	// no text; there says whether it is.
	put(text string, there bool) (string, error)
	// drop gives the text without it, and whether the file should go, since put
	// made it and nothing else is in it.
	drop(text string) (rest string, remove bool, err error)
	// snippet is what is ours, for a person to put in by hand.
	snippet() string
}

// textEdit keeps a marked block.
type textEdit struct {
	style marked.Style
	block string
	// head is what a new file begins with.
	head string
	// clash is a word that must not stand in the text outside comments, because
	// the block would say it again; wants is what to do by hand if it does.
	clash, wants string
}

// clashError says that a file sets already what the block would set.
type clashError struct{ word, wants string }

func (e *clashError) Error() string {
	return "it sets `" + e.word + "` already: " + e.wants
}

func (e textEdit) put(text string, there bool) (string, error) {
	rest, _, err := e.style.Drop(text)
	if err != nil {
		return "", err
	}
	if e.clash != "" && sets(rest, e.clash) {
		return "", &clashError{e.clash, e.wants}
	}
	if !there {
		text = e.head
	}
	put, err := e.style.Put(text, e.block)
	if there && text == "" {
		put = "\n" + put // the line break tells it from a file of our own
	}
	return put, err
}

func (e textEdit) drop(text string) (string, bool, error) {
	rest, was, err := e.style.Drop(text)
	emptyBefore := strings.HasPrefix(text, "\n") || strings.HasPrefix(text, "\r\n")
	return rest, was && rest == e.head && !(rest == "" && emptyBefore), err
}

func (e textEdit) snippet() string { return e.block }

// sets reports whether a word stands in a line that is no comment.
func sets(text, word string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") && strings.Contains(line, word) {
			return true
		}
	}
	return false
}

// jsonEdit keeps entries in lists of a JSON document.
type jsonEdit struct {
	entries []entry
	// fresh is a member that a new document gets beside them.
	fresh jsonedit.Member
}

// entry is an element of the list at a path, keys joined by dots.
type entry struct {
	path    string
	element jsonedit.Object
}

func (e jsonEdit) put(text string, there bool) (string, error) {
	if there && text == "" {
		text = " " // a document that is there and empty is a fault, and told
	}
	var err error
	for _, en := range e.entries {
		if text, err = jsonedit.Put(text, strings.Split(en.path, "."), en.element, isOurs); err != nil {
			return "", err
		}
	}
	if !there && e.fresh.Key != "" {
		return jsonedit.Set(text, e.fresh.Key, e.fresh.Value)
	}
	return text, nil
}

func (e jsonEdit) drop(text string) (string, bool, error) {
	if whole, err := e.put("", false); err == nil && text == whole {
		return "", true, nil
	}
	if text == "" {
		return "", false, nil
	}
	rest := text
	for _, en := range e.entries {
		var err error
		if rest, _, err = jsonedit.Take(rest, strings.Split(en.path, "."), isOurs); err != nil {
			return "", false, err
		}
	}
	return rest, rest == "", nil
}

func (e jsonEdit) snippet() string {
	text, _ := e.put("", false)
	return strings.TrimSpace(text)
}
