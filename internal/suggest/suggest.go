// Package suggest finds work that a project asks for by itself: marks such as
// TODO that somebody left in the code, files without tests where the others
// have some, hints of tasks that lead nowhere. Begin with [Read], which lets git
// look through the files; the finders are functions over what it prints, and
// [New] leaves out what is a task already.
package suggest

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Suggestion is a task that might be worth having.
type Suggestion struct {
	Title string `json:"title"`
	// Type is one of the types that tasks have.
	Type string `json:"type"`
	// Path is relative to the top of the project, or that of a plan's file,
	// and Line counted from 1, or 0 for the file as a whole.
	Path string `json:"path"`
	Line int    `json:"line"`
	// Reason says what was found.
	Reason string `json:"reason"`
}

// MaxTitle is how long a title may become, in characters.
const MaxTitle = 100

// Read finds the marks and the files without tests among the files that git
// tracks in a working tree, leaving out the folders named. It runs git twice
// and stops looking for marks where there are more than anybody reads.
func Read(ctx context.Context, g git.Git, leaveOut ...string) ([]Suggestion, error) {
	paths := []string{"--full-name", "--", ":/"}
	for _, dir := range leaveOut {
		paths = append(paths, ":(exclude,top,literal)"+dir)
	}
	marks, err := readMarks(ctx, g, paths)
	if err != nil {
		return nil, err
	}
	listed, err := g.Read(ctx, append([]string{"ls-files", "-z"}, paths...)...)
	if err != nil {
		return nil, err
	}
	return append(marks, Untested(strings.Split(strings.TrimSuffix(string(listed), "\x00"), "\x00"))...), nil
}

// Hints makes suggestions of what the gate finds about paths in the tasks of a
// stored plan.
func Hints(p *plan.Plan, found []diag.Diagnostic) []Suggestion {
	var out []Suggestion
	for _, d := range found {
		if d.Rule != "path-exists" && d.Rule != "hint-path" {
			continue
		}
		title := "Mend the paths of plan " + p.ID
		for _, t := range p.All() {
			if p.ID+"/"+t.Doc.Path == d.Path {
				title = "Mend the paths in task " + p.ID + "/" + t.ID
			}
		}
		out = append(out, Suggestion{title, "chore", d.Path, d.Pos.Line, d.Message})
	}
	return out
}

// New leaves out what is a task of one of the plans already, by its title or
// because a task names the very line, and what is suggested twice.
func New(found []Suggestion, plans []*plan.Plan) []Suggestion {
	titles, texts := map[string]bool{}, []string{}
	for _, p := range plans {
		for _, t := range p.All() {
			titles[normal(t.Title())] = true
			texts = append(texts, t.Title()+"\n"+t.Doc.Body+"\n"+strings.Join(t.Doc.List("context_hints"), "\n"))
		}
	}
	all := strings.Join(texts, "\n")
	return slices.DeleteFunc(slices.Clone(found), func(s Suggestion) bool {
		key := normal(s.Title)
		if titles[key] || s.Line > 0 && namesLine(all, s.Path+":"+strconv.Itoa(s.Line)) {
			return true
		}
		titles[key] = true
		return false
	})
}

// namesLine reports whether a text names a place in a file, and not only one
// whose name or number goes on.
func namesLine(text, place string) bool {
	for {
		i := strings.Index(text, place)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(place):])
		if !unicode.IsDigit(after) && !isWord(before) && before != '/' && before != '.' && before != '-' {
			return true
		}
		text = text[i+len(place):]
	}
}

// normal makes titles comparable: words in lower case, nothing between them
// but single spaces.
func normal(title string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !isWord(r) }), " ")
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// titled makes a title of any text: one line, printable, not too long.
func titled(text string) string {
	text = strings.Join(strings.Fields(diag.Printable(strings.ToValidUTF8(text, "\ufffd"))), " ")
	word, _, _ := strings.Cut(text, " ")
	if first, size := utf8.DecodeRuneInString(text); !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLower(r) && r != ',' && r != ':' }) {
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	if runes := []rune(text); len(runes) > MaxTitle {
		text = strings.TrimRight(string(runes[:MaxTitle-1]), " ") + "…"
	}
	return text
}
