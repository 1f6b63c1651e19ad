package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/internal/schema"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

// schemasSeen is the variable that names the folder in which a run of the
// program under test notes the schemas that its output was held against.
const schemasSeen = "GIT_PLAN_TEST_SCHEMAS"

// held is an output that is held against the schemas of the command's
// documents.
type held struct {
	args []string
	out  bytes.Buffer
}

// hold lets a run of the program write to w, and keeps what it writes where it
// should be JSON.
func hold(w io.Writer, args []string) (io.Writer, *held) {
	// Who follows watches its standard output, which must be the real one.
	other := slices.ContainsFunc(args, func(a string) bool { return slices.Contains([]string{"-h", "--help", "--follow"}, a) })
	if other || !wantsJSON(args) && !slices.Contains(args, "events") {
		return w, nil
	}
	h := &held{args: args}
	return io.MultiWriter(w, &h.out), h
}

// check gives what is wrong with the output, or "".
func (h *held) check() string {
	if h == nil || h.out.Len() == 0 {
		return ""
	}
	cmd, _, err := newRoot(newApp(Env{Stdout: io.Discard, Stderr: io.Discard})).Find(h.args)
	if err != nil {
		cmd = &cobra.Command{Use: "none"}
	}
	name := strings.TrimPrefix(cmd.CommandPath(), "git plan ")
	if foreignOutput(h.args) {
		return ""
	}
	dec := json.NewDecoder(&h.out)
	for n := 0; ; n++ {
		var doc any
		if err := dec.Decode(&doc); err == io.EOF {
			return ""
		} else if err != nil {
			return "no JSON: " + err.Error()
		}
		if n > 0 && name != "events" {
			return "more than one document"
		}
		if why := h.document(name, doc); why != "" {
			return why
		}
	}
}

// checkSchemasSeen holds that the scripts, where all of them ran, printed a
// document of every schema.
func checkSchemasSeen(t *testing.T, dir string) {
	if t.Failed() || strings.Contains(flag.Lookup("test.run").Value.String(), "/") {
		return
	}
	for _, d := range documents() {
		if _, err := os.Stat(filepath.Join(dir, d.name)); err != nil && len(d.commands) > 0 {
			t.Errorf("no script prints a document of the schema %s", d.name)
		}
	}
}

// foreignOutput reports whether what is printed is in the form of another program,
// whose schema is not ours to give.
func foreignOutput(args []string) bool {
	for _, word := range []string{"agent-hook", "--hook", "sarif"} {
		if slices.Contains(args, word) {
			return true
		}
	}
	return slices.Contains(args, "schema") && slices.ContainsFunc(args, func(a string) bool { return slices.Contains(schemaNames(), a) && a != "schema" })
}

// document holds one document against the schemas of a command and that of
// errors.
func (h *held) document(name string, doc any) string {
	var why []string
	for _, d := range documents() {
		may := slices.ContainsFunc(d.commands, func(c string) bool { return c == name || strings.HasPrefix(name, c+" ") })
		if !may && d.name != "error" {
			continue
		}
		data, err := json.Marshal(d.schema)
		if err != nil {
			return err.Error()
		}
		var s map[string]any
		if err := json.Unmarshal(data, &s); err != nil {
			return err.Error()
		}
		faults := validator{root: s, strict: true}.check("", s, doc)
		if len(faults) == 0 {
			if dir := os.Getenv(schemasSeen); dir != "" {
				_ = os.WriteFile(filepath.Join(dir, d.name), nil, 0o666)
			}
			return ""
		}
		why = append(why, d.name+": "+strings.Join(faults, "; "))
	}
	return name + " prints what no schema describes: " + strings.Join(why, " | ")
}

// validator holds values against the part of JSON Schema that is used here. A
// strict one takes no property that is not described, though the schema does.
type validator struct {
	root   map[string]any
	strict bool
}

func (v validator) check(at string, s map[string]any, doc any) (faults []string) {
	add := func(format string, args ...any) { faults = append(faults, "at "+at+"/ "+fmt.Sprintf(format, args...)) }
	if ref, ok := s["$ref"].(string); ok {
		return v.check(at, v.resolve(ref), doc)
	}
	if options, ok := s["anyOf"].([]any); ok {
		var all []string
		for _, o := range options {
			if faults := v.check(at, o.(map[string]any), doc); len(faults) > 0 {
				all = append(all, faults...)
				continue
			}
			return nil
		}
		return all
	}
	if want, ok := s["type"]; ok && !isOfType(want, doc) {
		add("it is no %v: %.60v", want, doc)
		return faults
	}
	if words, ok := s["enum"].([]any); ok && !slices.Contains(words, doc) {
		add("it is none of %v: %v", words, doc)
	}
	if text, ok := doc.(string); ok {
		if pattern, ok := s["pattern"].(string); ok && !regexp.MustCompile(pattern).MatchString(text) {
			add("it does not match %s: %q", pattern, text)
		}
		if _, err := plan.ParseTime(text); s["format"] == "date-time" && err != nil {
			add("%v", err)
		}
	}
	if n, ok := doc.(float64); ok {
		if least, ok := s["minimum"].(float64); ok && n < least {
			add("%v is less than %v", n, least)
		}
		if most, ok := s["maximum"].(float64); ok && n > most {
			add("%v is more than %v", n, most)
		}
	}
	if list, ok := doc.([]any); ok && s["items"] != nil {
		for i, it := range list {
			faults = append(faults, v.check(fmt.Sprintf("%s/%d", at, i), s["items"].(map[string]any), it)...)
		}
	}
	if object, ok := doc.(map[string]any); ok {
		faults = append(faults, v.object(at, s, object)...)
	}
	return faults
}

func (v validator) object(at string, s, doc map[string]any) (faults []string) {
	for _, name := range list(s["required"]) {
		if _, ok := doc[name.(string)]; !ok {
			faults = append(faults, fmt.Sprintf("at %s/ there is no %s", at, name))
		}
	}
	properties, _ := s["properties"].(map[string]any)
	patterns, _ := s["patternProperties"].(map[string]any)
	for name, value := range doc {
		if p, ok := properties[name]; ok {
			faults = append(faults, v.check(at+"/"+name, p.(map[string]any), value)...)
			continue
		}
		known := false
		for pattern := range patterns {
			known = known || regexp.MustCompile(pattern).MatchString(name)
		}
		others, described := s["additionalProperties"]
		rest, isSchema := others.(map[string]any)
		switch {
		case known:
		case isSchema:
			faults = append(faults, v.check(at+"/"+name, rest, value)...)
		case others == false, v.strict && !described && len(properties) > 0:
			faults = append(faults, fmt.Sprintf("at %s/ there should be no %s", at, name))
		}
	}
	return faults
}

func list(v any) []any { l, _ := v.([]any); return l }

func (v validator) resolve(ref string) map[string]any {
	var at any = v.root
	for part := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		switch x := at.(type) {
		case map[string]any:
			at = x[part]
		case []any:
			at = x[part[0]-'0']
		}
	}
	return at.(map[string]any)
}

func isOfType(want, doc any) bool {
	if names, ok := want.([]any); ok {
		return slices.ContainsFunc(names, func(n any) bool { return isOfType(n, doc) })
	}
	switch x := doc.(type) {
	case string:
		return want == "string"
	case bool:
		return want == "boolean"
	case float64:
		return want == "number" || want == "integer" && x == float64(int64(x))
	case []any:
		return want == "array"
	case map[string]any:
		return want == "object"
	}
	return want == "null"
}

// Every command prints documents that have a schema, or none at all.
func TestSchemasOfCommands(t *testing.T) {
	none := []string{"agent-hook", "man", "help", "explain", "alert run", "hooks run", "completion", "demo", "textconv", "merge-driver", "mcp"}
	var walk func(cmd *cobra.Command, prefix string)
	walk = func(cmd *cobra.Command, prefix string) {
		for _, c := range cmd.Commands() {
			name := strings.TrimSpace(prefix + " " + c.Name())
			if c.HasSubCommands() {
				walk(c, name)
				continue
			}
			described := slices.ContainsFunc(documents(), func(d documentSchema) bool {
				return slices.ContainsFunc(d.commands, func(k string) bool { return k == name || strings.HasPrefix(name, k+" ") })
			})
			if !described && !slices.Contains(none, name) && !c.Hidden && c.Name() != "completion" {
				t.Errorf("%s has no schema: put its document into the table in schemas.go", name)
			}
		}
	}
	walk(newRoot(&app{}), "")
}

// Schemas say of every property what it is, and no name stands twice.
func TestSchemasAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range documents() {
		if seen[d.name] {
			t.Errorf("%s stands twice", d.name)
		}
		seen[d.name] = true
		var walk func(at string, n *schema.Node)
		walk = func(at string, n *schema.Node) {
			names := map[string]bool{}
			for _, p := range n.Properties {
				if p.Node.Description == "" || names[p.Name] {
					t.Errorf("%s/%s has no description, or stands twice", at, p.Name)
				}
				names[p.Name] = true
				walk(at+"/"+p.Name, p.Node)
			}
			for _, o := range n.AnyOf {
				walk(at, o)
			}
			if n.Items != nil {
				walk(at, n.Items)
			}
			for _, p := range n.Defs {
				walk(at, p.Node)
			}
		}
		walk(d.name, d.schema)
	}
}

// What the schema of a payload names, `update` knows, and nothing else.
func TestSchemaOfPayload(t *testing.T) {
	values := map[string]any{"id": 1, "status": "DONE", "type": "feature", "priority": "high", "kind": "act", "final_summary": "s", "commit": strings.Repeat("0", 40), "request": "r-1"}
	fill := func(n *schema.Node) map[string]any {
		out := map[string]any{}
		for _, p := range n.Properties {
			switch {
			case values[p.Name] != nil:
				out[p.Name] = values[p.Name]
			case p.Node.Items != nil || p.Name == "context_hints" || strings.HasSuffix(p.Name, "s") && p.Name != "status":
				out[p.Name] = []string{}
			default:
				out[p.Name] = "text"
			}
		}
		return out
	}
	n := payloadSchema()
	doc := fill(n)
	add, update := n.Properties.Get("add_tasks").Items, n.Properties.Get("update_tasks").Items
	doc["add_tasks"], doc["update_tasks"] = []any{fill(add)}, []any{fill(update)}
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := loop.ParsePayload(data); err != nil || p.Hopeless() {
		t.Errorf("the payload is refused: %v\n%s", err, data)
	}
	// The error names every key there is.
	p, _ := loop.ParsePayload([]byte(`{"update_tasks": [{"qqqqqqqqqqqq": 1}], "add_tasks": [{"qqqqqqqqqqqq": 1}]}`))
	if !p.Hopeless() {
		t.Error("an unknown key is taken")
	}
}

// What the schema of gates.yaml allows, its reader takes.
func TestSchemaOfGates(t *testing.T) {
	n := schema.Gates()
	var b strings.Builder
	for _, p := range n.Properties {
		switch p.Name {
		case "format":
			fmt.Fprintf(&b, "format: %d\n", validate.FormatVersion)
		case "rules":
			b.WriteString("rules:\n")
			for _, r := range p.Node.Properties {
				fmt.Fprintf(&b, "  %s: %s\n", r.Name, r.Node.Enum[0])
			}
		case "lease":
			b.WriteString("lease: 4h\n")
		default:
			fmt.Fprintf(&b, "%s: %s\n", p.Name, p.Node.Enum[len(p.Node.Enum)-1])
		}
	}
	if _, found := validate.ParseGates("gates.yaml", []byte(b.String())); len(found) > 0 {
		t.Errorf("%v\n%s", found, b.String())
	}
}
