package merge

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

const gatesFile = "gates.yaml"

// settings are the values of a gates.yaml, those of rules as "rules <id>".
type settings map[string]plan.Node

// settingsOf reads a gates.yaml; ok is false where that cannot be done.
func settingsOf(text string) (s settings, ok bool) {
	fields, found := plan.ReadMapping(gatesFile, []byte(text), plan.Bounds{})
	if len(found) > 0 {
		return nil, false
	}
	s = settings{}
	for _, f := range fields {
		switch {
		case f.Value.Kind == plan.Map && f.Key == "rules":
			for _, r := range f.Value.Fields {
				s[ruleKey+r.Key] = r.Value
			}
		case f.Value.Kind != plan.Null:
			s[f.Key] = f.Value
		}
	}
	return s, true
}

const ruleKey = "rules "

// gates merges gates.yaml by key; of two values the stricter wins.
func (m *merger) gates(base, ours, theirs string) string {
	b, okB := settingsOf(base)
	o, okO := settingsOf(ours)
	t, okT := settingsOf(theirs)
	if !okB || !okO || !okT {
		return m.textFile(gatesFile, base, ours, theirs)
	}
	want := settings{}
	for _, key := range settingKeys(b, o, t) {
		if v, ok := m.setting(key, b, o, t); ok {
			want[key] = v
		}
	}
	if text := mergeText(base, ours, theirs, Ours); text.clean && means(text.text, want) {
		return text.text
	}
	if text := withLines(theirs, ours, want); means(text, want) {
		return text
	}
	return withLines("", "", want)
}

func settingKeys(all ...settings) []string {
	var keys []string
	for _, s := range all {
		for key := range s {
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	// The top level first, in the order of the manual.
	order := []string{"format", "gate", "judge", "evidence", "lease", "publish"}
	slices.SortFunc(keys, func(a, b string) int {
		x, y := slices.Index(order, a), slices.Index(order, b)
		if x < 0 || y < 0 {
			return cmp.Or(cmp.Compare(y, x), cmp.Compare(a, b))
		}
		return x - y
	})
	return keys
}

// setting merges one key; ok is false where it is not set.
func (m *merger) setting(key string, b, o, t settings) (v plan.Node, ok bool) {
	bv, ov, tv := get(b, key), get(o, key), get(t, key)
	switch {
	case same(ov, tv), same(bv, tv):
		return o[key], ov != nil
	case same(bv, ov):
		return t[key], tv != nil
	}
	side, decided := stricter(key, ov, tv)
	if !decided {
		side = m.settle(Conflict{Field: gatesFile + " " + strings.TrimPrefix(key, ruleKey), Ours: text(ov), Theirs: text(tv)})
	}
	if side == Ours {
		return o[key], ov != nil
	}
	return t[key], tv != nil
}

func get(s settings, key string) *plan.Node {
	if v, ok := s[key]; ok {
		return &v
	}
	return nil
}

// stricter gives the side that asks for more. A rule that is not set weighs
// what its gate says, which is at least off and at most error; a shorter
// lease is the stricter.
func stricter(key string, o, t *plan.Node) (Side, bool) {
	x, y := strictness(key, o), strictness(key, t)
	switch {
	case x < 0 || y < 0 || x == y:
		return Neither, false
	case strings.HasPrefix(key, ruleKey) && (o == nil && text(t) == "warning" || t == nil && text(o) == "warning"):
		return Neither, false
	case x > y:
		return Ours, true
	}
	return Theirs, true
}

// strictness ranks a value of a key; it is negative where that cannot be told.
func strictness(key string, v *plan.Node) int64 {
	word := text(v)
	rank := func(words ...string) int64 { return int64(slices.Index(words, word)) }
	switch {
	case strings.HasPrefix(key, ruleKey):
		return rank("off", "", "warning", "error")
	case key == "lease" && v == nil:
		return int64(math.MaxInt64 - validate.DefaultLease)
	case v == nil:
		return 0
	case key == "gate":
		return rank("base", "strict")
	case key == "judge", key == "evidence":
		return rank("off", "advisory", "required")
	case key == "format":
		return rank("1", "2", "3", "4", "5", "6", "7", "8", "9")
	case key == "lease":
		if d, err := plan.ParseDuration(word); err == nil {
			return int64(math.MaxInt64 - d)
		}
	}
	return -1
}

// SetGates gives a gates.yaml with values of keys at its top level; the rest stays.
// ok is false where the file cannot be read or edited so.
func SetGates(text string, values map[string]string) (_ string, ok bool) {
	want, ok := settingsOf(text)
	if !ok {
		return "", false
	}
	for key, value := range values {
		kind := plan.String
		if strings.Trim(value, "0123456789") == "" {
			kind = plan.Int
		}
		want[key] = plan.Node{Kind: kind, Text: value}
	}
	text = withLines(text, "", want)
	return text, means(text, want)
}

// means reports whether a gates.yaml says just that.
func means(text string, want settings) bool {
	got, ok := settingsOf(text)
	if !ok || len(got) != len(want) {
		return false
	}
	for key, v := range want {
		if w := get(got, key); w == nil || !w.Equal(v) {
			return false
		}
	}
	return true
}

// withLines gives a gates.yaml the values that are wanted. Where another file has
// one its line is taken, comment and all. It is for plain lines; the caller looks at
// what came out.
func withLines(text, other string, want settings) string {
	have, _ := settingsOf(text)
	there, _ := settingsOf(other)
	all, others := lines(ended(text)), lines(ended(other))
	lastRule := 0
	for key, v := range have {
		if strings.HasPrefix(key, ruleKey) {
			lastRule = max(lastRule, v.Pos.Line)
		}
	}
	var added, rules []string
	for _, key := range settingKeys(have, want) {
		old, v := get(have, key), get(want, key)
		name, isRule := strings.CutPrefix(key, ruleKey)
		line := ""
		if o := get(there, key); v != nil && same(o, v) {
			line = strings.TrimLeft(others[o.Pos.Line-1], " ")
		} else if v != nil {
			line = name + ": " + v.Text + "\n"
		}
		switch {
		case same(old, v):
		case old != nil && v == nil:
			all[old.Pos.Line-1] = ""
		case old != nil:
			all[old.Pos.Line-1] = indentOf(all[old.Pos.Line-1]) + line
		case isRule:
			rules = append(rules, line)
		default:
			added = append(added, line)
		}
	}
	return strings.Join(insertRules(all, lastRule, rules), "") + strings.Join(added, "")
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " "))] }

// insertRules puts lines behind the last rule, or below a new key.
func insertRules(all []string, lastRule int, rules []string) []string {
	if len(rules) == 0 {
		return all
	}
	indent := "  "
	if lastRule == 0 {
		all, lastRule = append(all, "rules:\n"), len(all)+1
	} else if line := all[lastRule-1]; line != "" {
		indent = indentOf(line)
	}
	for i := range rules {
		rules[i] = indent + rules[i]
	}
	return slices.Insert(all, lastRule, rules...)
}
