package plan

import (
	"reflect"
	"slices"
)

// FieldChange is a field that two files of one kind set differently. The
// values are those of [Document.Values], nil where the field is not set.
type FieldChange struct {
	Name     string
	Old, New any
}

// FieldChanges compares the frontmatter of two files by what it means, in
// canonical order and then by name the x-* fields and those that there are none
// of, which a hand may have written. An empty list means the same as none, and so
// does a value that is the default. Either file may be nil.
func FieldChanges(before, after *Document) []FieldChange {
	var out []FieldChange
	old, now := before.meant(), after.meant()
	for _, name := range fieldNames(before, after) {
		if !reflect.DeepEqual(old[name], now[name]) {
			out = append(out, FieldChange{name, old[name], now[name]})
		}
	}
	return out
}

// fieldNames gives the fields that either of two files may have, in order.
func fieldNames(docs ...*Document) []string {
	var names, free []string
	for _, d := range docs {
		if d == nil {
			continue
		}
		if names == nil {
			for _, s := range specs(d.kind) {
				names = append(names, s.Name)
			}
		}
		for _, f := range d.Fields {
			if specOf(d.kind, f.Key) == nil {
				free = append(free, f.Key)
			}
		}
	}
	slices.Sort(free)
	return append(names, slices.Compact(free)...)
}

// meant gives the values that say something beyond the default.
func (d *Document) meant() map[string]any {
	out := map[string]any{}
	for _, v := range append(d.Values(), d.Unknown()...) {
		list, isList := v.Value.([]any)
		if !(isList && len(list) == 0) && v.Value != nil && !isDefault(v) {
			out[v.Name] = v.Value
		}
	}
	return out
}

func isDefault(v NamedValue) bool {
	switch v.Name {
	case "status":
		return v.Value == string(Pending)
	case "priority":
		return v.Value == "medium"
	case "version":
		return v.Value == int64(1)
	case "max_replans":
		return v.Value == int64(3)
	case "abandoned":
		return v.Value == false
	}
	return false
}
