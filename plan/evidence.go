package plan

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Evidence is one entry of a task's evidence that git plan can read: a commit
// of the code, or a check of it that passed. Entries of other forms are notes
// of a person.
type Evidence struct {
	// Commit is the object name of a commit, and Patch its patch id, which a
	// rebase keeps; Patch may be empty.
	Commit, Patch string
	// Signal names a check that passed at At, on the commit Code with its files
	// as in Tree. Both may be empty.
	Signal, Code, Tree string
	At                 time.Time
}

// none stands in an entry for what could not be told.
const none = "-"

// ParseEvidence reads an entry; ok is false for one of another form.
func ParseEvidence(s string) (e Evidence, ok bool) {
	words := strings.Fields(s)
	if len(words) == 0 {
		return e, false
	}
	if name, found := strings.CutPrefix(words[0], "commit:"); found {
		e.Commit = name
		if len(words) > 1 {
			e.Patch, _ = strings.CutPrefix(words[1], "patch:")
		}
		return e, isHex(name)
	}
	name, found := strings.CutPrefix(words[0], "signal:")
	if !found || len(words) != 4 || !IsSignalID(name) {
		return e, false
	}
	at, err := ParseTime(words[3])
	e = Evidence{Signal: name, Code: named(words[1]), Tree: named(words[2]), At: at}
	return e, err == nil
}

func named(s string) string {
	if s == none {
		return ""
	}
	return s
}

func isHex(s string) bool { return s != "" && strings.Trim(s, "0123456789abcdef") == "" }

// String gives the entry as it is stored.
func (e Evidence) String() string {
	if e.Signal != "" {
		return "signal:" + e.Signal + " " + cmp.Or(e.Code, none) + " " + cmp.Or(e.Tree, none) + " " + FormatTime(e.At)
	}
	if e.Patch == "" {
		return "commit:" + e.Commit
	}
	return "commit:" + e.Commit + " patch:" + e.Patch
}

// Evidence gives the entries of the task that can be read.
func (t *Task) Evidence() []Evidence {
	var out []Evidence
	for _, s := range t.Doc.List("evidence") {
		if e, ok := ParseEvidence(s); ok {
			out = append(out, e)
		}
	}
	return out
}

// Began is when work on the task began, zero where that is not known.
func (t *Task) Began() time.Time {
	at, err := ParseTime(t.Doc.Text("started_at"))
	if err != nil {
		return time.Time{}
	}
	return at
}

// Passed reports whether the entry is a check that passed once the task had
// begun.
func (e Evidence) Passed(t *Task) bool { return e.Signal != "" && !e.At.Before(t.Began()) }

// Attest adds an entry to the evidence of a task of the plan. Of a check only
// the last time it passed is kept, and nothing changes where it had passed on
// the same files since the task began.
func (p *Plan) Attest(t *Task, e Evidence) error {
	list := t.Doc.List("evidence")
	same := func(s string) bool {
		old, ok := ParseEvidence(s)
		return ok && old.Signal == e.Signal && old.Commit == e.Commit
	}
	for _, s := range list {
		if old, _ := ParseEvidence(s); same(s) && (e.Signal == "" || old.Code == e.Code && old.Tree == e.Tree && old.Passed(t)) {
			return nil
		}
	}
	list = append(slices.DeleteFunc(slices.Clone(list), same), e.String())
	doc, err := t.Doc.Set("evidence", Value(list))
	if err == nil {
		t.refresh(doc)
	}
	return err
}
