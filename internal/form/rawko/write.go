package rawko

import (
	"regexp"
	"strings"
	"sync"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// JSON writes the plan as one JSON object, indented.
func (p *Plan) JSON() []byte { return form.JSON(p) }

// YAML writes the plan as YAML that every version of it reads alike: words are
// plain, all other text is quoted.
func (p *Plan) YAML() []byte { return yamlOf(p) }

// YAML writes the file.
func (t CurrentTask) YAML() []byte { return yamlOf(t) }

// yamlOf writes what v is in JSON as YAML, so that one table of keys serves both.
func yamlOf(v any) []byte {
	fields, err := form.Fields(v)
	if err != nil {
		panic("rawko: " + err.Error()) // it has just been written
	}
	var b strings.Builder
	writeFields(&b, fields, "")
	return []byte(b.String())
}

func writeFields(b *strings.Builder, fields []plan.Field, indent string) {
	for _, f := range fields {
		b.WriteString(indent + f.Key + ":")
		writeValue(b, f.Value, indent)
	}
}

func writeValue(b *strings.Builder, n plan.Node, indent string) {
	switch {
	case n.Kind == plan.Map && len(n.Fields) > 0:
		b.WriteString("\n")
		writeFields(b, n.Fields, indent+"  ")
	case n.Kind == plan.Map:
		b.WriteString(" {}\n")
	case n.Kind == plan.List && (len(n.Items) == 0 || n.Items[0].Kind == plan.Int):
		b.WriteString(" " + flow(n.Items) + "\n")
	case n.Kind == plan.List:
		b.WriteString("\n")
		for _, it := range n.Items {
			writeItem(b, it, indent+"  ")
		}
	default:
		b.WriteString(" " + scalar(n) + "\n")
	}
}

func writeItem(b *strings.Builder, n plan.Node, indent string) {
	if n.Kind != plan.Map {
		b.WriteString(indent + "- " + scalar(n) + "\n")
		return
	}
	var item strings.Builder
	writeFields(&item, n.Fields, indent+"  ")
	b.WriteString(indent + "- " + strings.TrimPrefix(item.String(), indent+"  "))
}

func flow(items []plan.Node) string {
	var words []string
	for _, it := range items {
		words = append(words, it.Text)
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// plainWord is text that stands for itself without quotes in any YAML.
var plainWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_./-]*$`) })

func scalar(n plan.Node) string {
	if n.Kind != plan.String || plainWord().MatchString(n.Text) && !isKeyword(n.Text) {
		return n.Text
	}
	return `"` + diag.Printable(escapes.Replace(n.Text)) + `"` // which escapes as YAML does
}

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)

func isKeyword(s string) bool {
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return true
	}
	return false
}
