package rawko

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// decoder takes values out of nodes and reports what they should have been.
type decoder struct {
	path  string
	found []diag.Diagnostic
}

func (d *decoder) add(pos diag.Pos, rule, hint, format string, args ...any) {
	d.found = append(d.found, diag.Diagnostic{Path: d.path, Pos: pos, Rule: rule, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// key is one key of an object: whether it must be there, and who takes its
// value.
type key struct {
	name     string
	required bool
	take     func(n plan.Node)
}

// object takes the fields of an object, which is called what in messages.
func (d *decoder) object(what string, pos diag.Pos, fields []plan.Field, keys []key) {
	seen := map[string]bool{}
	for _, f := range fields {
		i := slices.IndexFunc(keys, func(k key) bool { return k.name == f.Key })
		switch {
		case seen[f.Key]:
			d.repeated(f)
		case i < 0:
			d.unknown(what, f, keys)
		case f.Value.Kind == plan.Null && keys[i].required:
			d.add(f.Value.Pos, plan.RuleFrontmatter, "set it", "`%s` of %s must be set", f.Key, what)
		case f.Value.Kind != plan.Null:
			keys[i].take(f.Value)
		}
		seen[f.Key] = true
	}
	for _, k := range keys {
		if k.required && !seen[k.name] {
			d.add(pos, plan.RuleFrontmatter, "add `"+k.name+"`", "%s has no `%s`", what, k.name)
		}
	}
}

// repeated reports a key that is set twice; a reader of YAML has done so.
func (d *decoder) repeated(f plan.Field) {
	if !slices.ContainsFunc(d.found, func(x diag.Diagnostic) bool { return x.Pos == f.KeyPos && x.Rule == plan.RuleDuplicateField }) {
		d.add(f.KeyPos, plan.RuleDuplicateField, "keep one of them", "the key `%s` is set twice", short(f.Key))
	}
}

func (d *decoder) unknown(what string, f plan.Field, keys []key) {
	var names []string
	for _, k := range keys {
		names = append(names, k.name)
	}
	if near := plan.Nearest(f.Key, names); near != "" {
		d.add(f.KeyPos, plan.RuleUnknownField, "rename it `"+near+"`", "%s has no key `%s` (did you mean %q?)", what, short(f.Key), near)
		return
	}
	d.add(f.KeyPos, plan.RuleUnknownField, "remove it; the keys are "+strings.Join(names, ", "), "%s has no key `%s`", what, short(f.Key))
}

func (d *decoder) wrong(name string, n plan.Node, want string) {
	hint := ""
	if want == "a string" && n.Text != "" {
		hint = "quote it: \"" + short(n.Text) + "\""
	}
	got := n.Kind.String()
	if n.Kind == plan.String {
		got = "`" + short(n.Text) + "`"
	}
	d.add(n.Pos, plan.RuleFrontmatter, hint, "`%s` must be %s, not %s", name, want, got)
}

// text takes a string.
func (d *decoder) text(name string, to *string) key {
	return key{name: name, take: func(n plan.Node) {
		if n.Kind != plan.String {
			d.wrong(name, n, "a string")
			return
		}
		if err := plan.CheckText(n.Text); err != nil {
			d.add(n.Pos, plan.RuleEncoding, "", "`%s`: %v", name, err)
			return
		}
		*to = strings.ReplaceAll(n.Text, "\r\n", "\n")
	}}
}

// line takes a string of one line that is not blank.
func (d *decoder) line(name string, to *string) key {
	k := d.text(name, to)
	return k.then(func(n plan.Node) {
		switch {
		case n.Kind != plan.String:
		case strings.TrimSpace(n.Text) == "":
			d.add(n.Pos, plan.RuleTitleEmpty, "write it, or leave the key out", "`%s` is empty", name)
		case strings.ContainsAny(n.Text, "\n\r"):
			d.add(n.Pos, plan.RuleFrontmatter, "", "`%s` must be one line", name)
		}
	})
}

// filled takes a string that is not blank.
func (d *decoder) filled(name string, to *string) key {
	return d.text(name, to).then(func(n plan.Node) {
		if n.Kind == plan.String && strings.TrimSpace(n.Text) == "" {
			d.add(n.Pos, plan.RuleTitleEmpty, "write it", "`%s` is empty", name)
		}
	})
}

// word takes one of several words.
func (d *decoder) word(name string, to *string, words []string) key {
	return d.text(name, to).then(func(n plan.Node) {
		if n.Kind != plan.String || slices.Contains(words, n.Text) {
			return
		}
		hint := ""
		if near := plan.Nearest(n.Text, words); near != "" {
			hint = "write " + near
		}
		d.add(n.Pos, plan.RuleStatusValue, hint, "`%s` cannot be `%s`; it is one of %s", name, short(n.Text), strings.Join(words, ", "))
	})
}

// time takes a time.
func (d *decoder) time(name string, to *string) key {
	return d.text(name, to).then(func(n plan.Node) {
		if n.Kind != plan.String {
			return
		}
		if _, err := plan.ParseTime(n.Text); err != nil {
			d.add(n.Pos, plan.RuleFrontmatter, "", "`%s`: %v", name, err)
		}
	})
}

// number takes an integer within bounds; most < 0 is none.
func (d *decoder) number(name string, to *int, least, most int) key {
	return key{name: name, take: func(n plan.Node) {
		v, err := strconv.Atoi(n.Text)
		bounds := fmt.Sprintf("an integer from %d", least)
		if most >= 0 {
			bounds += fmt.Sprintf(" to %d", most)
		}
		if n.Kind != plan.Int || err != nil || v < least || most >= 0 && v > most {
			d.wrong(name, plan.Node{Kind: plan.String, Text: n.Text, Pos: n.Pos}, bounds)
			return
		}
		*to = v
	}}
}

// texts takes a list of strings.
func (d *decoder) texts(name string, to *[]string) key {
	return key{name: name, take: func(n plan.Node) {
		if n.Kind != plan.List {
			d.wrong(name, n, "a list")
			return
		}
		*to = make([]string, len(n.Items))
		for i, it := range n.Items {
			d.text("an item of "+name, &(*to)[i]).take(it)
		}
	}}
}

// paths takes a list of paths inside the project.
func (d *decoder) paths(name string, to *[]string) key {
	return d.texts(name, to).then(func(n plan.Node) {
		for _, it := range n.Items {
			if why := plan.CheckPath(it.Text); it.Kind == plan.String && why != "" {
				d.add(it.Pos, plan.RulePathEscape, "name a file by its path from the top of the project", "the path `%s` in `%s` %s", short(it.Text), name, why)
			}
		}
	})
}

// then looks at a value once it was taken.
func (k key) then(look func(plan.Node)) key {
	take := k.take
	k.take = func(n plan.Node) {
		take(n)
		look(n)
	}
	return k
}

func (k key) must() key {
	k.required = true
	return k
}

// optional takes a value that need not be there: to stays nil without it.
func optional[T any](reader func(*T) key, to **T) key {
	var v T
	return reader(&v).then(func(plan.Node) { *to = &v })
}

// short cuts text for a message.
func short(s string) string {
	const most = 60
	s = strings.ReplaceAll(s, "\n", " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
