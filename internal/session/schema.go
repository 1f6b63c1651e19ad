package session

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Schema is what the schemas of tools use of JSON Schema.
type Schema struct {
	Type       any               `json:"type"` // a word, or a list of them
	Properties map[string]Schema `json:"properties"`
	Required   []string          `json:"required"`
	Enum       []string          `json:"enum"`
	Items      *Schema           `json:"items"`
	// Others says whether an object may have other properties. One that may is
	// judged by those who read it.
	Others *bool `json:"additionalProperties"`
}

// Arguments takes the arguments of a call apart, which are a JSON object, and
// gives all that is wrong with their form. No arguments at all stand for an empty
// object, and null for a key that was left out. What words an enum has is not
// looked at.
func (s Schema) Arguments(raw []byte) (map[string]json.RawMessage, []Fault) {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
		raw = []byte("{}")
	}
	var f faults
	args := s.object(&f, "", raw)
	return args, f
}

// object takes an object apart, or gives nil where there is none. A key that is
// there twice is a fault: which of the two was meant is not known.
func (s Schema) object(f *faults, path string, raw json.RawMessage) map[string]json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, _ := dec.Token(); t != json.Delim('{') {
		f.add(path, "not an object: send {...}")
		return nil
	}
	if path != "" {
		path += "."
	}
	out := map[string]json.RawMessage{}
	for dec.More() {
		key, _ := dec.Token()
		var value json.RawMessage
		_ = dec.Decode(&value) // it is valid
		text := key.(string)
		if _, twice := out[text]; twice {
			f.add(path+name(text), "given twice: give it once")
		}
		out[text] = value
	}
	if s.Others == nil || *s.Others {
		return out
	}
	maps.DeleteFunc(out, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
	for _, key := range s.Required {
		if out[key] == nil {
			f.add(path+key, "missing: it is required")
		}
	}
	for _, key := range slices.Sorted(maps.Keys(out)) {
		if p, ok := s.Properties[key]; ok {
			p.value(f, path+key, out[key])
		} else {
			f.add(path+name(key), "%s", s.unknown())
		}
	}
	return out
}

// unknown says what keys there are.
func (s Schema) unknown() string {
	if len(s.Properties) == 0 {
		return "unknown: the tool takes no arguments"
	}
	return "unknown: leave it out; what may stand here is " + strings.Join(slices.Sorted(maps.Keys(s.Properties)), ", ")
}

// value looks at the form of one value.
func (s Schema) value(f *faults, path string, raw json.RawMessage) {
	switch s.Type {
	case "string":
		if json.Unmarshal(raw, new(string)) != nil {
			f.add(path, "not a text: send a string")
		}
	case "boolean":
		if json.Unmarshal(raw, new(bool)) != nil {
			f.add(path, "neither true nor false: send one of these")
		}
	case "object":
		s.object(f, path, raw)
	case "array":
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			f.add(path, "not a list: send [...]")
		}
		for i, one := range list {
			s.Items.value(f, item(path, i), one)
		}
	}
}

// name gives a key of somebody else for a message.
func name(key string) string {
	if len(key) <= 40 && !strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > 0x7e }) {
		return key
	}
	return quote(key)
}
