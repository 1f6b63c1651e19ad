package foreign

import (
	"errors"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// File is one of our files that is made of a part of what was read.
type File struct {
	// Path is the file's path in the plan's folder; where it is empty no file is
	// made.
	Path string
	// Pos is the place of the part.
	Pos diag.Pos
	// Fields are the frontmatter, with the places of what they were read from.
	Fields []plan.Field
	Body   string
	// Places are those of the values by the names of fields, and of the "body".
	Places map[string]diag.Pos
	// Made is the file, once it is composed.
	Made plan.File
}

// Text is the body as it stands in the file.
func (f *File) Text() string {
	if f.Body == "" {
		return ""
	}
	return "\n" + f.Body + "\n"
}

// At gives the place of a key, else that of the part.
func (f *File) At(key string) diag.Pos {
	if pos, ok := f.Places[key]; ok {
		return pos
	}
	return f.Pos
}

// Place gives where a finding about a file belongs, if it is one of these.
func Place(files []*File, path, rule string) (diag.Pos, bool) {
	i := slices.IndexFunc(files, func(f *File) bool { return f.Path == path })
	if i < 0 {
		return diag.Pos{}, false
	}
	return files[i].At(KeyOf(rule)), true
}

// Compose makes the files and gives what is wrong with them, with places in the
// file of that name that they were read from.
func Compose(name string, files []*File) []diag.Diagnostic {
	var found []diag.Diagnostic
	var made []plan.File
	byPath := map[string]*File{}
	for _, f := range files {
		if f.Path == "" || byPath[f.Path] != nil {
			continue
		}
		out, err := plan.Compose(f.Path, f.Fields, f.Text())
		var refused *plan.EditError
		if errors.As(err, &refused) {
			found = append(found, diag.Diagnostic{Path: name, Pos: f.At(refused.Key), Rule: plan.RuleEncoding, Hint: refused.Hint,
				Message: "`" + Short(refused.Key) + "`: " + refused.Reason})
			continue
		}
		f.Made, byPath[f.Path] = out, f
		made = append(made, out)
	}
	p, faults := plan.Read("p", "", made)
	docs := map[string]*plan.Document{}
	for _, d := range p.Documents() {
		docs[d.Path] = d
	}
	for _, x := range faults {
		path := strings.TrimPrefix(x.Path, "p/")
		x.Path, x.Pos = name, byPath[path].placeOf(docs[path], x)
		found = append(found, x)
	}
	return found
}

// placeOf gives where a finding about the file that was made belongs. A finding
// about no single file belongs to the whole.
func (f *File) placeOf(made *plan.Document, x diag.Diagnostic) diag.Pos {
	if f == nil {
		return diag.Pos{Line: 1, Column: 1}
	}
	if made == nil {
		return f.Pos
	}
	for _, g := range made.Fields {
		i := slices.IndexFunc(f.Fields, func(h plan.Field) bool { return h.Key == g.Key })
		if i < 0 {
			continue
		}
		if g.KeyPos == x.Pos {
			return f.Fields[i].KeyPos
		}
		if pos, ok := same(g.Value, f.Fields[i].Value, x.Pos); ok {
			return pos
		}
	}
	return f.At(KeyOf(x.Rule))
}

// same finds a place in one value, and gives that in another that says the
// same.
func same(made, read plan.Node, at diag.Pos) (diag.Pos, bool) {
	if made.Pos == at {
		return read.Pos, true
	}
	for i := range min(len(made.Items), len(read.Items)) {
		if pos, ok := same(made.Items[i], read.Items[i], at); ok {
			return pos, true
		}
	}
	for i := range min(len(made.Fields), len(read.Fields)) {
		if made.Fields[i].KeyPos == at {
			return read.Fields[i].KeyPos, true
		}
		if pos, ok := same(made.Fields[i].Value, read.Fields[i].Value, at); ok {
			return pos, true
		}
	}
	return diag.Pos{}, false
}

// KeyOf gives the key that a rule is about.
func KeyOf(rule string) string {
	switch {
	case strings.HasPrefix(rule, "depends-"):
		return "depends_on"
	case strings.HasPrefix(rule, "id-"):
		return "id"
	case strings.HasPrefix(rule, "title-"):
		return "title"
	case strings.HasPrefix(rule, "type-"):
		return "type"
	case strings.HasPrefix(rule, "hint-"):
		return "context_hints"
	}
	return map[string]string{
		plan.RuleBodyEmpty: "body", plan.RuleVersion: "version", plan.RuleStatusValue: "status", "transition": "status",
		plan.RuleKindValue: "kind", "path-exists": "relevant_file_paths", plan.RuleFilename: "path", "sort-index": "path",
	}[rule]
}
