package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan/diag"
)

// check holds the document's fields and body against what its kind may have.
func (d *Document) check(r *reporter) {
	for i := range d.Fields {
		f := &d.Fields[i]
		if d.Field(f.Key) != f {
			r.add(f.KeyPos, RuleDuplicateField, "keep one of them", "the field `%s` is set twice", shorten(f.Key))
			continue
		}
		r.nestedDuplicates(f.Value)
		if strings.HasPrefix(f.Key, "x-") {
			continue
		}
		spec := specOf(d.kind, f.Key)
		if spec == nil {
			r.unknownField(d.kind, f)
			continue
		}
		if f.Value.Kind != Null {
			r.value(spec, f)
		}
	}
	d.checkRequired(r)
	if d.isEmpty() {
		what := "the body is empty"
		if strings.TrimSpace(d.Body) != "" {
			what = "the body has only comments"
		}
		r.add(diag.Pos{Line: d.fence, Column: 1}, RuleBodyEmpty, "write below the closing `---` what this is about", "%s", what)
	}
}

// isEmpty reports whether the body says nothing: white space and comments do not.
func (d *Document) isEmpty() bool {
	text := strings.TrimSpace(d.Body)
	for strings.HasPrefix(text, "<!--") {
		_, rest, closed := strings.Cut(text, "-->")
		if !closed {
			return true
		}
		text = strings.TrimSpace(rest)
	}
	return text == ""
}

func (d *Document) checkRequired(r *reporter) {
	switch d.kind {
	case planDoc:
		if strings.TrimSpace(d.Text("title")) == "" && !d.wrongType("title") {
			r.add(d.Pos("title"), RuleTitleEmpty, "add `title: …`, a short summary of the plan", "the plan has no title")
		}
	case taskDoc:
		if d.Text("id") == "" && !d.wrongType("id") {
			r.add(d.Pos("id"), RuleIDMissing, "add `id: …`, kebab-case, unique in the plan", "the task has no id")
		}
		if f := d.Field("title"); f != nil && f.Value.Kind == String && strings.TrimSpace(f.Value.Text) == "" {
			r.add(f.Value.Pos, RuleTitleEmpty, "write the title, or leave the field out", "the task's title is empty")
		}
	case signalDoc:
		if !d.Has("level") {
			r.add(d.Pos("level"), RuleEnumValue, "add `level: blocker`, `warning` or `info`", "the signal has no level")
		}
	}
}

// wrongType reports whether the field is set to something that is no string,
// which has a finding of its own.
func (d *Document) wrongType(key string) bool {
	f := d.Field(key)
	return f != nil && f.Value.Kind != Null && f.Value.Kind != String
}

func (r *reporter) nestedDuplicates(n Node) {
	var seen map[string]bool
	for _, f := range n.Fields {
		if seen == nil {
			seen = make(map[string]bool, len(n.Fields))
		}
		if seen[f.Key] {
			r.add(f.KeyPos, RuleDuplicateField, "keep one of them", "the key `%s` is set twice", shorten(f.Key))
		}
		seen[f.Key] = true
		r.nestedDuplicates(f.Value)
	}
	for _, it := range n.Items {
		r.nestedDuplicates(it)
	}
}

func (r *reporter) unknownField(kind docKind, f *Field) {
	var names []string
	for _, s := range specs(kind) {
		names = append(names, s.Name)
	}
	hint := "remove it, or begin its name with `x-`"
	if near := Nearest(f.Key, names); near != "" {
		hint = "rename it `" + near + "`"
	}
	r.add(f.KeyPos, RuleUnknownField, hint,
		"there is no field `%s`%s", shorten(f.Key), DidYouMean(f.Key, names))
}

// value checks one set field.
func (r *reporter) value(spec *FieldSpec, f *Field) {
	v := f.Value
	switch spec.typ {
	case typeList, typePaths:
		r.list(spec, v)
	case typeInt:
		r.integer(spec, v)
	case typeBool:
		if v.Kind != Bool {
			r.wrongType(spec, v, "true or false")
		}
	case typeProgress:
		if v.Kind != Int && v.Kind != String || !isProgress(v.Text) {
			r.wrongType(spec, v, "N or N/M")
		}
	default:
		if v.Kind != String {
			r.wrongType(spec, v, "a string")
			return
		}
		r.str(spec, v)
	}
}

func (r *reporter) wrongType(spec *FieldSpec, v Node, want string) {
	got := v.Kind.String()
	if v.Kind == String {
		got = "`" + shorten(v.Text) + "`"
	}
	r.add(v.Pos, RuleFrontmatter, spec.rightType(v, want), "`%s` must be %s, not %s", spec.Name, want, got)
}

// rightType says how a value of a wrong type is written right, or is "".
func (s *FieldSpec) rightType(v Node, want string) string {
	number := v.Kind == Int || v.Kind == Float
	switch {
	case want == "a string" && number && s.typ == typeTime:
		return "write a time such as 2026-01-31T09:30:00Z, or a date"
	case want == "a string" && number && s.typ == typeDuration:
		return "write the number with its unit, such as 30m, 4h or 2d"
	case want == "a string" && len(s.Values) > 0:
		return "it is one of " + strings.Join(s.Values, ", ")
	case want == "a string" && (number || v.Kind == Bool):
		return "quote it: \"" + v.Text + "\""
	case want == "a list" && v.Kind == String:
		return "write [" + quoteDouble(v.Text) + "]" // which is right in JSON, too
	case want == "an integer" && v.Kind == String && isNumber(v.Text):
		return "leave the quotes out"
	}
	return ""
}

func (r *reporter) list(spec *FieldSpec, v Node) {
	if v.Kind != List {
		r.wrongType(spec, v, "a list")
		return
	}
	for _, it := range v.Items {
		if it.Kind != String {
			hint := "write each item as one string"
			if it.Kind == Int || it.Kind == Float || it.Kind == Bool || it.Kind == Map {
				hint = "quote the item"
			}
			r.add(it.Pos, RuleFrontmatter, hint, "an item of `%s` must be a string, not %s", spec.Name, it.Kind)
			continue
		}
		if spec.typ == typePaths {
			if why := CheckPath(it.Text); why != "" {
				r.add(it.Pos, RulePathEscape, "name a file by its path from the top of the project", "the path `%s` in `%s` %s", shorten(it.Text), spec.Name, why)
			}
		}
	}
}

func (r *reporter) integer(spec *FieldSpec, v Node) {
	if v.Kind != Int {
		r.wrongType(spec, v, "an integer")
		return
	}
	n, ok := v.integer()
	if ok && n >= spec.Min && (spec.Max == 0 || n <= spec.Max) && n <= maxInteger {
		return
	}
	bounds := "at least " + itoa(spec.Min)
	if spec.Max > 0 || n > maxInteger || !ok {
		bounds = itoa(spec.Min) + " to " + itoa(cmp.Or(spec.Max, maxInteger))
	}
	r.add(v.Pos, spec.rule, "", "`%s` must be %s, not %s", spec.Name, bounds, shorten(v.Text))
}

func (r *reporter) str(spec *FieldSpec, v Node) {
	var err error
	switch spec.typ {
	case typeTime:
		_, err = ParseTime(v.Text)
	case typeDuration:
		_, err = ParseDuration(v.Text)
	}
	switch {
	case err != nil:
		r.add(v.Pos, RuleFrontmatter, "", "`%s`: %v", spec.Name, err)
	case spec.typ == typeEnum && !slices.Contains(spec.Values, v.Text):
		r.add(v.Pos, spec.rule, "", "`%s` cannot be `%s`%s; it is one of %s", spec.Name, shorten(v.Text),
			DidYouMean(v.Text, spec.Values), strings.Join(spec.Values, ", "))
	case spec.typ == typeLine && strings.Contains(strings.TrimRight(v.Text, "\n"), "\n"):
		r.add(v.Pos, RuleFrontmatter, "put the rest into the body", "`%s` must be one line", spec.Name)
	case spec.typ == typeID && v.Text != "" && !IsKebab(v.Text):
		r.add(v.Pos, RuleIDFormat, "use lower-case letters, digits and single hyphens: "+slugOr(v.Text, "a-task"),
			"the id `%s` is not kebab-case", shorten(v.Text))
	}
}
