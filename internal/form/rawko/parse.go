package rawko

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strconv"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Parse reads a plan, YAML or JSON, strictly. All findings are errors, with
// their places in the file; where there is one the plan is nil.
func Parse(name string, data []byte) (*Plan, []diag.Diagnostic) {
	fields, found := readFields(name, data)
	d := &decoder{form.Decoder{Path: name, Found: found}}
	p := &Plan{}
	if fields != nil || len(found) == 0 {
		p.pos.version = diag.Pos{Line: 1, Column: 1}
		d.Object("the plan", p.pos.version, fields, d.planKeys(p))
		d.together(p)
	}
	if found := d.Refused(); len(found) > 0 {
		return nil, found
	}
	return p, nil
}

// Detect reports whether a file looks like a plan of this form.
func Detect(name string, data []byte) bool {
	fields, _ := readFields(name, data)
	return form.HasKeys(fields, "steps", "task") &&
		(form.HasKeys(fields, "currentStepIndex") || form.HasKeys(fields, "createdAt") || form.HasKeys(fields, "version"))
}

// decoder reads the parts of a plan.
type decoder struct{ form.Decoder }

func readFields(name string, data []byte) ([]plan.Field, []diag.Diagnostic) {
	if isJSON(name, data) {
		return form.ReadJSON(form.Bounds{Bounds: bounds(), Depth: maxDepth}, name, data)
	}
	return plan.ReadMapping(name, data, bounds())
}

// isJSON tells the two notations apart: YAML may begin with a brace, too.
func isJSON(name string, data []byte) bool {
	switch ext := path.Ext(name); {
	case ext == ".json":
		return true
	case !bytes.HasPrefix(bytes.TrimLeft(plan.Normalize(data), " \t\r\n"), []byte("{")):
		return false
	default:
		return ext != ".yaml" && ext != ".yml" || len(data) <= MaxFile && json.Valid(data)
	}
}

func (d *decoder) planKeys(p *Plan) []form.Key {
	return []form.Key{
		d.Line("id", &p.ID).Then(func(n plan.Node) { p.pos.id = n.Pos }).Must(),
		d.Filled("task", &p.Task).Must(),
		d.Word("status", &p.Status, planStatuses()).Must(),
		d.steps(&p.Steps, &p.pos.steps).Must(),
		d.Number("currentStepIndex", &p.CurrentStepIndex, 0, -1).Then(func(n plan.Node) { p.pos.current = n.Pos }).Must(),
		d.Time("createdAt", &p.CreatedAt).Must(),
		d.Time("updatedAt", &p.UpdatedAt).Must(),
		d.Line("createdBy", &p.CreatedBy).Must(),
		d.Number("version", &p.Version, 1, 1_000_000).Then(func(n plan.Node) { p.pos.version = n.Pos }).Must(),
		form.Optional(func(s *string) form.Key { return d.Line("previousPlanId", s) }, &p.PreviousPlanID),
		form.Optional(d.metadata, &p.Metadata),
	}
}

func (d *decoder) metadata(m *Metadata) form.Key {
	keys := []form.Key{
		form.Optional(func(n *int) form.Key { return d.Number("complexity", n, 1, 10) }, &m.Complexity),
		d.Texts("tags", &m.Tags),
		d.Texts("constraints", &m.Constraints),
		d.Texts("informedByMemories", &m.InformedByMemories),
	}
	return form.Key{Name: "metadata", Take: func(n plan.Node) {
		if n.Kind != plan.Map {
			d.Wrong("metadata", n, "a mapping")
			return
		}
		d.Object("`metadata`", n.Pos, n.Fields, keys)
	}}
}

func (d *decoder) steps(to *[]Step, places *[]diag.Pos) form.Key {
	return form.Key{Name: "steps", Take: func(n plan.Node) {
		if n.Kind != plan.List {
			d.Wrong("steps", n, "a list")
			return
		}
		if len(n.Items) > MaxSteps {
			d.Add(n.Items[MaxSteps].Pos, plan.RuleLimits, "make several plans of it", "a plan holds at most %d steps, not %d", MaxSteps, len(n.Items))
			return
		}
		*to = make([]Step, len(n.Items))
		for i, it := range n.Items {
			*places = append(*places, it.Pos)
			d.step(i, it, len(n.Items), &(*to)[i])
		}
	}}
}

func (d *decoder) step(i int, n plan.Node, count int, s *Step) {
	if n.Kind != plan.Map {
		d.Wrong("a step", n, "a mapping")
		return
	}
	d.Object("step "+strconv.Itoa(i), n.Pos, n.Fields, []form.Key{
		d.Number("index", &s.Index, 0, -1).Then(func(n plan.Node) {
			if n.Kind == plan.Int && s.Index != i {
				d.Add(n.Pos, plan.RuleFrontmatter, "count the steps from 0 in the order of the list", "`index` must be %d, the step's place in the list, not %s", i, form.Short(n.Text))
			}
		}).Must(),
		d.Filled("description", &s.Description).Must(),
		d.Word("status", &s.Status, stepStatuses()).Must(),
		form.Optional(func(v *string) form.Key { return d.Line("suggestedAgent", v) }, &s.SuggestedAgent),
		form.Optional(func(v *string) form.Key { return d.Line("executedBy", v) }, &s.ExecutedBy),
		form.Optional(func(v *string) form.Key { return d.Time("startedAt", v) }, &s.StartedAt),
		form.Optional(func(v *string) form.Key { return d.Time("completedAt", v) }, &s.CompletedAt),
		form.Optional(func(v *string) form.Key { return d.Text("output", v) }, &s.Output),
		form.Optional(func(v *string) form.Key { return d.Text("error", v) }, &s.Error),
		d.Paths("affectedFiles", &s.AffectedFiles),
		d.needs(&s.DependsOn, i, count),
		form.Optional(func(v *string) form.Key { return d.Text("instructions", v) }, &s.Instructions),
		d.Texts("acceptanceCriteria", &s.AcceptanceCriteria),
	})
}

// needs takes the indexes of the steps that one waits for.
func (d *decoder) needs(to *[]int, i, count int) form.Key {
	return form.Key{Name: "dependsOn", Take: func(n plan.Node) {
		if n.Kind != plan.List {
			d.Wrong("dependsOn", n, "a list")
			return
		}
		*to = []int{}
		for _, it := range n.Items {
			v, err := strconv.Atoi(it.Text)
			switch {
			case it.Kind != plan.Int:
				d.Wrong("an item of dependsOn", it, "the index of a step")
			case err != nil || v < 0 || v >= count:
				d.Add(it.Pos, "depends-unknown", "the steps are 0 to "+strconv.Itoa(count-1), "dependsOn names no step %s", form.Short(it.Text))
			case v == i:
				d.Add(it.Pos, "depends-cycle", "leave it out", "step %d waits for itself", i)
			case slices.Contains(*to, v):
				d.Add(it.Pos, plan.RuleDuplicateField, "keep one of them", "dependsOn names step %d twice", v)
			default:
				*to = append(*to, v)
			}
		}
	}}
}

// together looks at what must fit together.
func (d *decoder) together(p *Plan) {
	if p.PreviousPlanID != nil && p.Version == 1 {
		d.Add(p.pos.version, plan.RuleVersion, "number it from 2, or leave `previousPlanId` out", "a plan with a `previousPlanId` is version 2 or later, not 1")
	}
	if p.CurrentStepIndex > len(p.Steps) && p.Steps != nil {
		d.Add(p.pos.current, plan.RuleFrontmatter, "it counts from 0, and is the number of steps when all are complete",
			"`currentStepIndex` is %d and there are %d steps", p.CurrentStepIndex, len(p.Steps))
	}
}
