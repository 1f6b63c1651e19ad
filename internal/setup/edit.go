package setup

import (
	"errors"
	"strings"

	"github.com/git-plan/git-plan/internal/jsonedit"
	"github.com/git-plan/git-plan/internal/marked"
)

// edit is a kind of change to one file, as a function over its text.
type edit interface {
	// put gives the file with what is ours in it. A file that is not there has
	// no text; there says whether it is.
	put(text string, there bool) (change, error)
	// drop gives the file without it. It goes if put made it and nothing else
	// is in it.
	drop(text string) (change, error)
	// snippet is what is ours, for a person to put in by hand.
	snippet() string
}

// change is what an edit makes of a file.
type change struct {
	text string
	// gone says that there should be no file.
	gone bool
	// kept is what of ours could not be put in or taken out, because something
	// of the user's stands in its place.
	kept []kept
}

// kept says why something was left as the user has it, and what belongs there,
// "" where there is nothing to put in.
type kept struct{ why, snippet string }

// textEdit keeps a marked block.
type textEdit struct {
	style marked.Style
	parts []part
	// head is what a new file begins with.
	head string
}

// part is a piece of a block.
type part struct {
	text string
	// clash reports whether a line of the user's, outside comments, says what
	// the part would say again; wants is what to do by hand if one does. Without
	// it nothing clashes.
	clash func(line string) bool
	wants string
	// stays says that it is kept where it is, and put in nowhere else.
	stays bool
}

// block is a part that is always put in.
func block(text string) []part { return []part{{text: text}} }

func (e textEdit) put(text string, there bool) (change, error) {
	had, _, err := e.style.Get(text)
	if err != nil {
		return change{}, err
	}
	rest, _, err := e.style.Drop(text)
	if err != nil {
		return change{}, err
	}
	var texts []string
	var left []kept
	for _, p := range e.parts {
		switch {
		case p.clashes(rest):
			left = append(left, kept{p.wants, p.text})
		case !p.stays || strings.Contains(had, p.text):
			texts = append(texts, p.text)
		}
	}
	if len(texts) == 0 {
		out, err := e.drop(text)
		out.gone = out.gone || !there
		out.kept = left
		return out, err
	}
	if !there {
		text = e.head
	}
	put, err := e.style.Put(text, strings.Join(texts, "\n\n"))
	if there && text == "" {
		put = "\n" + put // the line break tells it from a file of our own
	}
	return change{text: put, kept: left}, err
}

func (e textEdit) drop(text string) (change, error) {
	rest, was, err := e.style.Drop(text)
	emptyBefore := strings.HasPrefix(text, "\n") || strings.HasPrefix(text, "\r\n")
	return change{text: rest, gone: was && rest == e.head && !(rest == "" && emptyBefore)}, err
}

func (e textEdit) snippet() string {
	var texts []string
	for _, p := range e.parts {
		if !p.stays {
			texts = append(texts, p.text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// clashes reports whether a text says already what the part would say.
func (p part) clashes(text string) bool {
	if p.clash == nil {
		return false
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") && p.clash(line) {
			return true
		}
	}
	return false
}

// jsonEdit keeps entries in lists of a JSON document, and members of objects.
type jsonEdit struct {
	entries []entry
	members []member
	// fresh is a member that a new document gets beside them.
	fresh jsonedit.Member
}

// entry is an element of the list at a path, keys joined by dots.
type entry struct {
	path    string
	element jsonedit.Object
}

// member is a value at a path, keys joined by dots.
type member struct {
	path  string
	value jsonedit.Object
	// out says that it is taken out where it is, instead of put in.
	out bool
}

func (e jsonEdit) put(text string, there bool) (change, error) {
	if there && text == "" {
		text = " " // a document that is there and empty is a fault, and told
	}
	var err error
	for _, en := range e.entries {
		if text, err = en.put(text); err != nil {
			return change{}, err
		}
	}
	out := change{text: text}
	for _, m := range e.members {
		if err := m.put(&out); err != nil {
			return change{}, err
		}
	}
	if !there && e.fresh.Key != "" {
		out.text, err = jsonedit.PutMember(out.text, []string{e.fresh.Key}, e.fresh.Value)
	}
	out.gone = out.text == ""
	return out, err
}

// put gives the document with the entry. One that somebody has edited since stays as
// it is.
func (en entry) put(text string) (string, error) {
	path := strings.Split(en.path, ".")
	if there, err := jsonedit.Has(text, path, isEdited); err != nil || there {
		return text, err
	}
	return jsonedit.Put(text, path, en.element, isOurs)
}

// take takes the entry out of a document. One that runs something else, too, stays.
func (en entry) take(doc *change) (err error) {
	path := strings.Split(en.path, ".")
	if doc.text, err = jsonedit.Take(doc.text, path, isOurs); err != nil {
		return err
	}
	there, err := jsonedit.Has(doc.text, path, isEdited)
	if there {
		doc.kept = append(doc.kept, kept{why: "an entry of `" + en.path + "` runs git plan and something of yours, and stays"})
	}
	return err
}

// put brings a document to where the member wants it.
func (m member) put(doc *change) error {
	if m.out {
		return m.take(doc)
	}
	text, err := jsonedit.PutMember(doc.text, strings.Split(m.path, "."), m.value)
	if errors.Is(err, jsonedit.ErrTaken) {
		doc.kept = append(doc.kept, kept{"there is a `" + m.path + "` of yours, which stays as it is: if it does not run `git plan mcp`, rename it", m.snippet()})
		return nil
	}
	doc.text = text
	return err
}

// take takes the member out of a document.
func (m member) take(doc *change) error {
	text, err := jsonedit.TakeMember(doc.text, strings.Split(m.path, "."), m.value)
	if errors.Is(err, jsonedit.ErrTaken) {
		doc.kept = append(doc.kept, kept{why: "`" + m.path + "` is not as setup writes it, and stays"})
		return nil
	}
	doc.text = text
	return err
}

// snippet is a document that has nothing but the member.
func (m member) snippet() string {
	text, _ := jsonedit.PutMember("", strings.Split(m.path, "."), m.value)
	return strings.TrimSpace(text)
}

func (e jsonEdit) drop(text string) (change, error) {
	if whole, err := e.put("", false); err == nil && text == whole.text {
		return change{gone: true}, nil
	}
	if text == "" {
		return change{}, nil
	}
	out := change{text: text}
	for _, en := range e.entries {
		if err := en.take(&out); err != nil {
			return change{}, err
		}
	}
	for _, m := range e.members {
		if err := m.take(&out); err != nil {
			return change{}, err
		}
	}
	out.gone = out.text == ""
	return out, nil
}

func (e jsonEdit) snippet() string {
	whole, _ := e.put("", false)
	return strings.TrimSpace(whole.text)
}
