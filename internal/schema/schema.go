// Package schema describes JSON documents by JSON Schema, draft 2020-12.
//
// [Of] describes the document that a Go value is in encoding/json, and [Task],
// [Plan], [Signal] and [Gates] what may stand in frontmatter and gates.yaml, by
// the tables that these are read by. So no schema can say what the program does
// not. The package does no I/O.
package schema

import (
	"bytes"
	"encoding/json"
)

// Draft is the dialect that the schemas are written in.
const Draft = "https://json-schema.org/draft/2020-12/schema"

// Node is a schema.
type Node struct {
	Schema      string     `json:"$schema,omitempty"`
	Title       string     `json:"title,omitempty"`
	Description string     `json:"description,omitempty"`
	Ref         string     `json:"$ref,omitempty"`
	Type        any        `json:"type,omitempty"` // a name, or a list of names
	Enum        []string   `json:"enum,omitempty"`
	Pattern     string     `json:"pattern,omitempty"`
	Format      string     `json:"format,omitempty"`
	Minimum     *int       `json:"minimum,omitempty"`
	Maximum     *int       `json:"maximum,omitempty"`
	Items       *Node      `json:"items,omitempty"`
	MinItems    int        `json:"minItems,omitempty"`
	Required    []string   `json:"required,omitempty"`
	Properties  Properties `json:"properties,omitempty"`
	// Patterns are properties by patterns of their names.
	Patterns Properties `json:"patternProperties,omitempty"`
	// Others is what all other properties are: a *Node, false, or nil for
	// anything.
	Others any        `json:"additionalProperties,omitempty"`
	AnyOf  []*Node    `json:"anyOf,omitempty"`
	Defs   Properties `json:"$defs,omitempty"`
}

// Properties are schemas by name, in order.
type Properties []Property

// Property is a schema and the name it goes by.
type Property struct {
	Name string
	Node *Node
}

// MarshalJSON writes the properties as an object, in order.
func (p Properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, q := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(q.Name)
		if err != nil {
			return nil, err
		}
		node, err := json.Marshal(q.Node)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(node)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Get gives the property of a name, or nil.
func (p Properties) Get(name string) *Node {
	for _, q := range p {
		if q.Name == name {
			return q.Node
		}
	}
	return nil
}

// Object is an object with these properties, all of which must be there.
func Object(properties ...Property) *Node {
	n := &Node{Type: "object"}
	return n.With(properties...)
}

// With adds properties that must be there.
func (n *Node) With(properties ...Property) *Node {
	for _, p := range properties {
		n.Required = append(n.Required, p.Name)
	}
	return n.Maybe(properties...)
}

// Maybe adds properties that may be there.
func (n *Node) Maybe(properties ...Property) *Node {
	n.Properties = append(n.Properties, properties...)
	return n
}

// Text is a string.
func Text() *Node { return &Node{Type: "string"} }

// Number is an integer.
func Number() *Node { return &Node{Type: "integer"} }

// Flag is true or false.
func Flag() *Node { return &Node{Type: "boolean"} }

// Anything is any value.
func Anything() *Node { return &Node{} }

// Word is one of several words.
func Word(words ...string) *Node { return &Node{Type: "string", Enum: words} }

// Moment is a time.
func Moment() *Node { return &Node{Type: "string", Format: "date-time"} }

// List is a list of items.
func List(item *Node) *Node { return &Node{Type: "array", Items: item} }

// OrNull allows null beside what n is.
func OrNull(n *Node) *Node { return &Node{AnyOf: []*Node{n, {Type: "null"}}} }

// AnyOf is one of several schemas.
func AnyOf(nodes ...*Node) *Node { return &Node{AnyOf: nodes} }

// Ref refers to a definition of the document.
func Ref(name string) *Node { return &Node{Ref: "#/$defs/" + name} }

// About gives a schema with a description.
func (n *Node) About(text string) *Node {
	out := *n
	out.Description = text
	return &out
}
