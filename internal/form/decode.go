package form

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Decoder takes values out of nodes and reports what they should have been.
type Decoder struct {
	Path  string
	Found []diag.Diagnostic

	twice map[diag.Pos]bool // where keys were reported to be set twice
}

// Add reports a finding.
func (d *Decoder) Add(pos diag.Pos, rule, hint, format string, args ...any) {
	d.Found = append(d.Found, diag.Diagnostic{Path: d.Path, Pos: pos, Rule: rule, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// Refused gives what was found, each as an error, sorted by place; it is empty
// where the file can be taken as it is.
func (d *Decoder) Refused() []diag.Diagnostic {
	for i := range d.Found {
		d.Found[i].Severity = diag.Error
	}
	diag.Sort(d.Found)
	return d.Found
}

// Key is one key of an object: whether it must be there, and who takes its
// value. Null stands for a key that is not there.
type Key struct {
	Name     string
	Required bool
	Take     func(n plan.Node)
}

// Object takes the fields of an object, which is called what in messages.
func (d *Decoder) Object(what string, pos diag.Pos, fields []plan.Field, keys []Key) {
	seen := map[string]bool{}
	for _, f := range fields {
		i := slices.IndexFunc(keys, func(k Key) bool { return k.Name == f.Key })
		switch {
		case seen[f.Key]:
			d.repeated(f)
		case i < 0:
			d.unknown(what, f, keys)
		case f.Value.Kind == plan.Null && keys[i].Required:
			d.Add(f.Value.Pos, plan.RuleFrontmatter, "set it", "`%s` of %s must be set", f.Key, what)
		case f.Value.Kind != plan.Null:
			keys[i].Take(f.Value)
		}
		seen[f.Key] = true
	}
	for _, k := range keys {
		if k.Required && !seen[k.Name] {
			d.Add(pos, plan.RuleFrontmatter, "add `"+k.Name+"`", "%s has no `%s`", what, k.Name)
		}
	}
}

// repeated reports a key that is set twice; a reader of YAML may have done so.
func (d *Decoder) repeated(f plan.Field) {
	if d.twice == nil {
		d.twice = map[diag.Pos]bool{}
		for _, x := range d.Found {
			d.twice[x.Pos] = d.twice[x.Pos] || x.Rule == plan.RuleDuplicateField
		}
	}
	if !d.twice[f.KeyPos] {
		d.twice[f.KeyPos] = true
		d.Add(f.KeyPos, plan.RuleDuplicateField, "keep one of them", "the key `%s` is set twice", Short(f.Key))
	}
}

func (d *Decoder) unknown(what string, f plan.Field, keys []Key) {
	var names []string
	for _, k := range keys {
		names = append(names, k.Name)
	}
	if near := plan.Nearest(f.Key, names); near != "" {
		d.Add(f.KeyPos, plan.RuleUnknownField, "rename it `"+near+"`", "%s has no key `%s` (did you mean %q?)", what, Short(f.Key), near)
		return
	}
	d.Add(f.KeyPos, plan.RuleUnknownField, "remove it; the keys are "+strings.Join(names, ", "), "%s has no key `%s`", what, Short(f.Key))
}

// Wrong reports a value of another type than is wanted, such as "a string".
func (d *Decoder) Wrong(name string, n plan.Node, want string) {
	hint := ""
	if want == "a string" && n.Text != "" {
		hint = "quote it: \"" + Short(n.Text) + "\""
	}
	got := n.Kind.String()
	if n.Kind == plan.String {
		got = "`" + Short(n.Text) + "`"
	}
	d.Add(n.Pos, plan.RuleFrontmatter, hint, "`%s` must be %s, not %s", name, want, got)
}

// Text takes a string.
func (d *Decoder) Text(name string, to *string) Key {
	return Key{Name: name, Take: func(n plan.Node) {
		if n.Kind != plan.String {
			d.Wrong(name, n, "a string")
			return
		}
		if err := plan.CheckText(n.Text); err != nil {
			d.Add(n.Pos, plan.RuleEncoding, "", "`%s`: %v", name, err)
			return
		}
		*to = strings.ReplaceAll(n.Text, "\r\n", "\n")
	}}
}

// Line takes a string of one line that is not blank.
func (d *Decoder) Line(name string, to *string) Key {
	k := d.Text(name, to)
	return k.Then(func(n plan.Node) {
		switch {
		case n.Kind != plan.String:
		case strings.TrimSpace(n.Text) == "":
			d.Add(n.Pos, plan.RuleTitleEmpty, "write it, or leave the key out", "`%s` is empty", name)
		case strings.ContainsAny(n.Text, "\n\r"):
			d.Add(n.Pos, plan.RuleFrontmatter, "", "`%s` must be one line", name)
		}
	})
}

// Filled takes a string that is not blank.
func (d *Decoder) Filled(name string, to *string) Key {
	return d.Text(name, to).Then(func(n plan.Node) {
		if n.Kind == plan.String && strings.TrimSpace(n.Text) == "" {
			d.Add(n.Pos, plan.RuleTitleEmpty, "write it", "`%s` is empty", name)
		}
	})
}

// Word takes one of several words.
func (d *Decoder) Word(name string, to *string, words []string) Key {
	return d.Text(name, to).Then(func(n plan.Node) {
		if n.Kind != plan.String || slices.Contains(words, n.Text) {
			return
		}
		hint := ""
		if near := plan.Nearest(n.Text, words); near != "" {
			hint = "write " + near
		}
		d.Add(n.Pos, plan.RuleStatusValue, hint, "`%s` cannot be `%s`; it is one of %s", name, Short(n.Text), strings.Join(words, ", "))
	})
}

// Time takes a time.
func (d *Decoder) Time(name string, to *string) Key {
	return d.Text(name, to).Then(func(n plan.Node) {
		if n.Kind != plan.String {
			return
		}
		if _, err := plan.ParseTime(n.Text); err != nil {
			d.Add(n.Pos, plan.RuleFrontmatter, "", "`%s`: %v", name, err)
		}
	})
}

// Number takes an integer within bounds; most < 0 is none.
func (d *Decoder) Number(name string, to *int, least, most int) Key {
	return Key{Name: name, Take: func(n plan.Node) {
		v, err := strconv.Atoi(n.Text)
		bounds := fmt.Sprintf("an integer from %d", least)
		if most >= 0 {
			bounds += fmt.Sprintf(" to %d", most)
		}
		if n.Kind != plan.Int || err != nil || v < least || most >= 0 && v > most {
			d.Wrong(name, plan.Node{Kind: plan.String, Text: n.Text, Pos: n.Pos}, bounds)
			return
		}
		*to = v
	}}
}

// Texts takes a list of strings.
func (d *Decoder) Texts(name string, to *[]string) Key {
	return Key{Name: name, Take: func(n plan.Node) {
		if n.Kind != plan.List {
			d.Wrong(name, n, "a list")
			return
		}
		*to = make([]string, len(n.Items))
		for i, it := range n.Items {
			d.Text("an item of "+name, &(*to)[i]).Take(it)
		}
	}}
}

// Paths takes a list of paths inside the project.
func (d *Decoder) Paths(name string, to *[]string) Key {
	return d.Texts(name, to).Then(func(n plan.Node) {
		for _, it := range n.Items {
			if why := plan.CheckPath(it.Text); it.Kind == plan.String && why != "" {
				d.Add(it.Pos, plan.RulePathEscape, "name a file by its path from the top of the project", "the path `%s` in `%s` %s", Short(it.Text), name, why)
			}
		}
	})
}

// Then looks at a value once it was taken.
func (k Key) Then(look func(plan.Node)) Key {
	take := k.Take
	k.Take = func(n plan.Node) {
		take(n)
		look(n)
	}
	return k
}

// Must makes a key one that has to be there.
func (k Key) Must() Key {
	k.Required = true
	return k
}

// Optional takes a value that need not be there: to stays nil without it.
func Optional[T any](reader func(*T) Key, to **T) Key {
	var v T
	return reader(&v).Then(func(plan.Node) { *to = &v })
}

// Short cuts text for a message.
func Short(s string) string {
	return diag.Head(strings.ReplaceAll(s, "\n", " "), 60)
}
