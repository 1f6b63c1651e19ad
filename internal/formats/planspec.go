package formats

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// specForms are PlanSpec as text and as JSON, and HopSpec, which is read and
// written by way of it.
func specForms() []Format {
	forms := []Format{
		{Name: "planspec", Extensions: []string{".md"}, Detect: looksLikeSpec, Parse: parseSpec, WriteSpec: writeSpec},
		{Name: "planspec-json", Extensions: []string{".json"}, Detect: looksLike("{", `"step_id"`), Parse: parseSpecJSON, WriteSpec: writeSpecJSON},
		{Name: "hopspec", Extensions: []string{".json"}, Detect: looksLike("[", `"step_type"`), Parse: parseHop, WriteSpec: writeHop},
	}
	for i := range forms {
		write := forms[i].WriteSpec
		forms[i].Write = func(w Writing) ([]byte, []string) {
			spec, losses := planspec.FromPlan(w.Plan)
			text, more, _ := write(spec, w)
			return text, append(losses, more...)
		}
		forms[i].Refuses = func(w Writing) error {
			_, _, err := write(planspec.Of(w.Plan), w)
			return err
		}
	}
	return forms
}

func looksLikeSpec(_ string, data []byte) bool {
	if trimmed := bytes.TrimSpace(data); bytes.HasPrefix(trimmed, []byte("{")) || bytes.HasPrefix(trimmed, []byte("---")) {
		return false
	}
	step, _ := regexp.Match(`(?m)^[ \t]*\d+(\.\d+)*\.[ \t]*\[`, data)
	return step || bytes.Contains(data, []byte("## Steps"))
}

// looksLike knows JSON by how it begins and by a key.
func looksLike(begin, key string) func(string, []byte) bool {
	return func(_ string, data []byte) bool {
		return bytes.HasPrefix(bytes.TrimSpace(data), []byte(begin)) && bytes.Contains(data, []byte(key))
	}
}

func parseSpec(name string, data []byte) (*Plan, []diag.Diagnostic) {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return parseSpecJSON(name, data) // its other notation
	}
	text := string(data)
	spec, found := planspec.Read(name, text)
	return specPlan(name, spec, found, func() []diag.Diagnostic {
		wrong := planspec.Check(spec)
		bad := func(d diag.Diagnostic) bool { return d.Rule == plan.RuleEncoding }
		if exact := badCharacters(text); slices.ContainsFunc(wrong, bad) && len(exact) > 0 {
			wrong = append(slices.DeleteFunc(wrong, bad), exact...)
		}
		return wrong
	})
}

// badCharacters gives the first character of each line that no plan file can
// hold.
func badCharacters(text string) []diag.Diagnostic {
	var found []diag.Diagnostic
	line := 0
	for raw := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line++
		raw = strings.TrimRight(raw, "\r\n")
		if plan.CheckText(raw) == nil {
			continue
		}
		for i, c := range raw {
			if err := plan.CheckText(string(c)); err != nil {
				found = append(found, diag.Diagnostic{Pos: diag.Pos{Line: line, Column: 1 + utf8.RuneCountInString(raw[:i])},
					Severity: diag.Error, Rule: plan.RuleEncoding, Message: strings.TrimSuffix(err.Error(), "; leave it out"), Hint: "leave it out"})
				break
			}
		}
	}
	return found
}

func parseSpecJSON(name string, data []byte) (*Plan, []diag.Diagnostic) {
	spec, found := planspec.ParseJSON(string(data))
	if len(found) == 0 {
		found = planspec.Validate(spec)
	}
	return specPlan(name, spec, found, func() []diag.Diagnostic { return planspec.Check(spec) })
}

func parseHop(name string, data []byte) (*Plan, []diag.Diagnostic) {
	spec, dropped, found := planspec.ReadHop(string(data))
	if !hasError(found) {
		found = append(found, slices.DeleteFunc(planspec.Validate(spec), func(d diag.Diagnostic) bool { return d.Rule == planspec.RuleGoal })...)
	}
	p, found := specPlan(name, spec, found, func() []diag.Diagnostic { return planspec.Check(spec) })
	if p != nil {
		p.Dropped = dropped
		outline := spec
		p.Files = func(onto *plan.Plan) ([]plan.File, []string) {
			outline = planspec.Complete(spec, onto)
			return planspec.Files(outline, onto)
		}
		p.Place = func(file, _ string) diag.Pos { return planspec.Place(outline, file) }
	}
	return p, found
}

// specPlan gives what was read, unless there is an error.
func specPlan(name string, spec *form.Outline, found []diag.Diagnostic, check func() []diag.Diagnostic) (*Plan, []diag.Diagnostic) {
	found = located(name, found)
	if hasError(found) {
		return nil, found
	}
	return &Plan{
		IDPos: top(), Spec: spec,
		Files: func(onto *plan.Plan) ([]plan.File, []string) { return planspec.Files(spec, onto) },
		Place: func(file, _ string) diag.Pos { return planspec.Place(spec, file) },
		Check: func() []diag.Diagnostic {
			if spec.Plan.Get("goal") == "" {
				return located(name, []diag.Diagnostic{{Severity: diag.Error, Rule: planspec.RuleGoal, Message: "plan has no goal", Hint: "give it one with --goal"}})
			}
			return located(name, check())
		},
	}, found
}

// located names the file in findings, and gives a place to those without.
func located(name string, found []diag.Diagnostic) []diag.Diagnostic {
	for i := range found {
		found[i].Path = name
		if found[i].Pos.Line == 0 {
			found[i].Pos = top()
		}
	}
	diag.Sort(found)
	return found
}

func hasError(found []diag.Diagnostic) bool {
	return slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
}

func writeSpec(spec *form.Outline, w Writing) ([]byte, []string, error) {
	if w.JSON {
		return writeSpecJSON(spec, w)
	}
	text, err := planspec.Serialize(spec)
	if w.Fold {
		text, err = planspec.SerializeFolded(spec, nil)
	}
	return []byte(text), nil, err
}

func writeSpecJSON(spec *form.Outline, _ Writing) ([]byte, []string, error) {
	return planspec.EncodeJSON(spec), nil, nil
}

func writeHop(spec *form.Outline, _ Writing) ([]byte, []string, error) {
	return planspec.WriteHop(spec)
}
