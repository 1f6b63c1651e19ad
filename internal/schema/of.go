package schema

import (
	"cmp"
	_ "embed"
	"reflect"
	"regexp"
	"strings"
	"sync"
)

// Words are the values that the types of words may have, as text in JSON.
type Words map[reflect.Type][]string

//go:embed properties.txt
var properties string

// meanings reads what properties mean, by name.
var meanings = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(properties) {
		if name, meaning, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			out[name] = meaning
		}
	}
	return out
})

var capital = regexp.MustCompile("[A-Z]")

// Meaning says what a property of a document is. One that has the name of a field
// of files, in the spelling of JSON perhaps, is what the field is.
func Meaning(document, name string) string {
	field := capital.ReplaceAllStringFunc(name, func(s string) string { return "_" + strings.ToLower(s) })
	m := meanings()
	return cmp.Or(m[document+"."+name], m[name], m[field], m["file."+field])
}

// Maker makes schemas of Go values.
type Maker struct {
	Words Words
	// Instead are schemas for properties whose Go type says too little, by the
	// name of the document and of the property, as in "next.task", or by the name
	// of the property alone.
	Instead map[string]func() *Node
}

// Of describes the document v under a name: what encoding/json makes of a value
// of its type. Lists are never null in our documents.
func (m Maker) Of(name string, v any) *Node { return m.typeOf(name, reflect.TypeOf(v)) }

func (m Maker) typeOf(name string, t reflect.Type) *Node {
	if words := m.Words[t]; words != nil {
		return Word(words...)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return m.typeOf(name, t.Elem())
	case reflect.Struct:
		n := &Node{Type: "object"}
		m.fields(name, n, t)
		return n
	case reflect.Slice:
		return List(m.typeOf(name, t.Elem()))
	case reflect.Array:
		n := List(m.typeOf(name, t.Elem()))
		n.MinItems = t.Len()
		return n
	case reflect.Map:
		return &Node{Type: "object", Others: m.typeOf(name, t.Elem())}
	case reflect.String:
		return Text()
	case reflect.Bool:
		return Flag()
	case reflect.Int, reflect.Int64:
		return Number()
	}
	return Anything()
}

// fields adds the fields of a struct, those of embedded ones among them.
func (m Maker) fields(name string, n *Node, t reflect.Type) {
	for f := range fieldsOf(t) {
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && tag == "":
			embedded := f.Type
			if embedded.Kind() == reflect.Pointer {
				embedded = embedded.Elem()
			}
			m.fields(name, n, embedded)
			continue
		case tag == "-" || !f.IsExported():
			continue
		}
		tag = cmp.Or(tag, f.Name)
		node := m.property(name, tag, f.Type)
		if options == "" && f.Type.Kind() == reflect.Pointer {
			node = OrNull(node)
		}
		node = node.About(Meaning(name, tag))
		if options == "" {
			n.With(Property{tag, node})
		} else {
			n.Maybe(Property{tag, node})
		}
	}
}

func (m Maker) property(name, tag string, t reflect.Type) *Node {
	for _, key := range []string{name + "." + tag, tag} {
		if instead := m.Instead[key]; instead != nil {
			return instead()
		}
	}
	return m.typeOf(name, t)
}

func fieldsOf(t reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}
