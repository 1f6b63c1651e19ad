package plan

import (
	"strconv"
	"strings"
)

// NamedValue is a frontmatter field as programs are given it.
type NamedValue struct {
	Name  string
	Value any
}

// Values gives the fields that are set, in canonical order and then x-*
// fields in file order, as plain Go values fit for JSON: strings, integers,
// booleans, lists. Times are RFC 3339 in UTC, progress is text.
func (d *Document) Values() []NamedValue {
	if d == nil {
		return nil
	}
	var out []NamedValue
	for _, spec := range specs(d.kind) {
		if f := d.Field(spec.Name); f != nil && f.Value.Kind != Null {
			out = append(out, NamedValue{spec.Name, spec.plain(f.Value)})
		}
	}
	for i := range d.Fields {
		f := &d.Fields[i]
		if strings.HasPrefix(f.Key, "x-") && d.Field(f.Key) == f {
			out = append(out, NamedValue{f.Key, f.Value.plain()})
		}
	}
	return out
}

// Unknown gives the fields that are set and that no file of the kind has, in file
// order. The gate lets none pass, and a hand may still have written them.
func (d *Document) Unknown() []NamedValue {
	if d == nil {
		return nil
	}
	var out []NamedValue
	for i := range d.Fields {
		f := &d.Fields[i]
		if !strings.HasPrefix(f.Key, "x-") && specOf(d.kind, f.Key) == nil && d.Field(f.Key) == f {
			out = append(out, NamedValue{f.Key, f.Value.plain()})
		}
	}
	return out
}

func (s FieldSpec) plain(v Node) any {
	switch s.typ {
	case typeTime:
		if t, err := ParseTime(v.Text); err == nil {
			return FormatTime(t)
		}
	case typeProgress:
		return v.Text
	}
	return v.plain()
}

// plain turns the node into Go values fit for encoding/json.
func (n Node) plain() any {
	switch n.Kind {
	case List:
		out := make([]any, 0, len(n.Items))
		for _, it := range n.Items {
			out = append(out, it.plain())
		}
		return out
	case Map:
		out := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			out[f.Key] = f.Value.plain()
		}
		return out
	case Null:
		return nil
	default:
		return n.scalar()
	}
}

// scalar gives a number or boolean its Go type; what JSON cannot hold, such
// as an infinity, stays text.
func (n Node) scalar() any {
	switch n.Kind {
	case Bool:
		if v, err := strconv.ParseBool(n.Text); err == nil {
			return v
		}
	case Int:
		if v, ok := parseInteger(n.Text); ok {
			return v
		}
	case Float:
		if v, err := strconv.ParseFloat(n.Text, 64); err == nil && v-v == 0 {
			return v
		}
	}
	return n.Text
}
