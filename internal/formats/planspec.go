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
		forms[i].Write = func(w Writing) ([]byte, []string, error) {
			spec, losses := planspec.FromPlan(w.Plan)
			text, more, err := write(spec, w)
			return text, append(losses, more...), err
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
	spec, found := planspec.Read(name, string(data))
	return specPlan(name, data, spec, found)
}

func parseSpecJSON(name string, data []byte) (*Plan, []diag.Diagnostic) {
	spec, found := planspec.ParseJSON(string(data))
	if len(found) == 0 {
		found = planspec.Validate(spec)
	}
	return specPlan(name, data, spec, found)
}

// parseHop reads a HopSpec, which has no goal. What else it has no place for stays as
// it is stored.
func parseHop(name string, data []byte) (*Plan, []diag.Diagnostic) {
	spec, dropped, found := planspec.ReadHop(string(data))
	if errs, _ := diag.Count(found); errs == 0 {
		found = append(found, slices.DeleteFunc(planspec.Validate(spec), func(d diag.Diagnostic) bool { return d.Rule == planspec.RuleGoal })...)
	}
	p, found := specPlan(name, data, spec, found)
	if p != nil {
		p.Dropped, p.complete = dropped, planspec.Complete
	}
	return p, found
}

// specPlan gives what was read, unless there is an error.
func specPlan(name string, data []byte, spec *form.Outline, found []diag.Diagnostic) (*Plan, []diag.Diagnostic) {
	found = located(name, found)
	if errs, _ := diag.Count(found); errs > 0 {
		return nil, found
	}
	p, made := &Plan{IDPos: top(), Spec: spec}, spec
	p.Files = func(onto *plan.Plan) (files []plan.File, losses []string) {
		whole := spec
		if p.complete != nil {
			whole = p.complete(spec, onto)
		}
		made, files, losses = planspec.Files(whole, onto)
		return files, losses
	}
	p.Place = func(file, rule string) diag.Pos { return made.Place(file, rule) }
	p.Check = func() []diag.Diagnostic {
		if spec.Plan.Get("goal") == "" {
			return located(name, []diag.Diagnostic{{Severity: diag.Error, Rule: planspec.RuleGoal, Message: "plan has no goal", Hint: "give it one with --goal"}})
		}
		wrong := planspec.Check(spec)
		bad := func(d diag.Diagnostic) bool { return d.Rule == plan.RuleEncoding }
		if exact := badCharacters(string(data)); slices.ContainsFunc(wrong, bad) && len(exact) > 0 {
			wrong = append(slices.DeleteFunc(wrong, bad), exact...)
		}
		return located(name, wrong)
	}
	return p, found
}

// badCharacters gives the first character of each line that no plan file can
// hold.
func badCharacters(text string) []diag.Diagnostic {
	var found []diag.Diagnostic
	line := 0
	for raw := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line++
		raw = strings.TrimRight(raw, "\r\n")
		bad := strings.IndexFunc(raw, func(c rune) bool { return plan.CheckText(string(c)) != nil })
		if bad < 0 {
			continue
		}
		c, _ := utf8.DecodeRuneInString(raw[bad:])
		found = append(found, diag.Diagnostic{Pos: diag.Pos{Line: line, Column: 1 + utf8.RuneCountInString(raw[:bad])}, Severity: diag.Error, Rule: plan.RuleEncoding,
			Message: strings.TrimSuffix(plan.CheckText(string(c)).Error(), "; leave it out"), Hint: "leave it out"})
	}
	return found
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
