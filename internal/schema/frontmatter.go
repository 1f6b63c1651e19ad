package schema

import (
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

// Plan describes the frontmatter of plan.md.
func Plan() *Node { return frontmatter("Frontmatter of plan.md", plan.PlanFields()) }

// Task describes the frontmatter of a task's file.
func Task() *Node {
	return frontmatter("Frontmatter of a task, tasks/**/NN-slug.md", plan.TaskFields())
}

// Signal describes the frontmatter of a signal's file.
func Signal() *Node {
	return frontmatter("Frontmatter of a signal, signals/<id>.md", plan.SignalFields())
}

func frontmatter(title string, fields []plan.FieldSpec) *Node {
	n := &Node{Schema: Draft, Title: title, Type: "object", Others: false, Patterns: own()}
	for _, f := range fields {
		p := Property{f.Name, orNothing(value(f).About(meanings()["file."+f.Name]))}
		if f.Required {
			n.With(Property{f.Name, value(f).About(meanings()["file."+f.Name])})
		} else {
			n.Maybe(p)
		}
	}
	return n
}

// own are the fields that are the user's own.
func own() Properties { return Properties{{"^x-", Anything().About("a field of your own")}} }

// orNothing allows a field to be there without a value.
func orNothing(n *Node) *Node {
	out := *n
	if len(out.Enum) > 0 {
		return AnyOf(Word(out.Enum...), &Node{Type: "null"}).About(out.Description)
	}
	switch t := out.Type.(type) {
	case string:
		out.Type = []string{t, "null"}
	case []string:
		out.Type = append([]string{}, append(t, "null")...)
	}
	return &out
}

// value describes what a field may hold in a file.
func value(f plan.FieldSpec) *Node {
	switch f.Type() {
	case "line":
		return &Node{Type: "string", Pattern: `^[^\n]*$`}
	case "id":
		return &Node{Type: "string", Pattern: `^[a-z0-9]+(-[a-z0-9]+)*$`}
	case "list", "paths":
		return List(Text())
	case "integer":
		n := Number()
		n.Minimum = &f.Min
		if f.Max > 0 {
			n.Maximum = &f.Max
		}
		return n
	case "boolean":
		return Flag()
	case "time":
		return &Node{Type: "string", Pattern: `^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2}))?$`}
	case "duration":
		return &Node{Type: "string", Pattern: `^([0-9]+(\.[0-9]+)?[wdhms])+$`}
	case "enum":
		return Word(f.Values...)
	case "progress":
		return &Node{Type: []string{"string", "integer"}, Pattern: `^0*[0-9]{1,9}(/0*[0-9]{1,9})?$`}
	}
	return Text()
}

// Fields gives the fields of a kind of file as documents have them: those that
// are set, with times in full and progress as text.
func Fields(n *Node, fields []plan.FieldSpec, except ...string) *Node {
	skip := map[string]bool{}
	for _, name := range except {
		skip[name] = true
	}
	for _, f := range fields {
		v := value(f)
		switch f.Type() {
		case "time":
			v = Moment()
		case "progress":
			v.Type = "string"
		}
		if !skip[f.Name] {
			n.Maybe(Property{f.Name, v.About(meanings()["file."+f.Name])})
		}
	}
	n.Patterns = own()
	return n
}

// Gates describes gates.yaml.
func Gates() *Node {
	levels := []string{"off", "advisory", "required"}
	first, newest := 1, validate.FormatVersion
	rules := &Node{Type: "object", Others: false}
	for _, r := range validate.Rules() {
		switch {
		case r.ID == "judge" || r.ID == validate.RuleEvidence: // set by keys of their own
		case r.Fixed():
			rules.Maybe(Property{r.ID, Word("error").About(r.Doc)})
		default:
			rules.Maybe(Property{r.ID, Word("error", "warning", "off").About(r.Doc)})
		}
	}
	n := &Node{Schema: Draft, Title: "The store's gate, gates.yaml", Type: "object", Others: false}
	return n.Maybe(
		Property{"format", (&Node{Type: "integer", Minimum: &first, Maximum: &newest}).About("of this file")},
		Property{"gate", Word("base", "strict").About("the gate that every plan has to pass")},
		Property{"rules", rules.About("how severe a rule is, where that is not what the gate says")},
		Property{"judge", Word(levels...).About("whether a model has to approve of a plan")},
		Property{"evidence", Word(levels...).About("whether a task needs something to show for it to become done")},
		Property{"lease", (&Node{Type: "string", Pattern: `^([0-9]+(\.[0-9]+)?[wdhms])+$`}).About("how long a claim lasts, such as 4h")},
		Property{"publish", Word("auto", "manual").About("whether each change is pushed as it is made; needs format 2")},
	)
}
