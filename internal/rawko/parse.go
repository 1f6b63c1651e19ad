package rawko

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Parse reads a plan, YAML or JSON, strictly. All findings are errors, with
// their places in the file; where there is one the plan is nil.
func Parse(name string, data []byte) (*Plan, []diag.Diagnostic) {
	fields, found := readFields(name, data)
	d := &decoder{path: name, found: found}
	p := &Plan{}
	if fields != nil || len(found) == 0 {
		p.pos.version = diag.Pos{Line: 1, Column: 1}
		d.object("the plan", p.pos.version, fields, d.planKeys(p))
		d.together(p)
	}
	if len(d.found) > 0 {
		for i := range d.found {
			d.found[i].Severity = diag.Error
		}
		diag.Sort(d.found)
		return nil, d.found
	}
	return p, nil
}

// Detect reports whether a file looks like a plan of this form.
func Detect(name string, data []byte) bool {
	fields, _ := readFields(name, data)
	has := func(key string) bool {
		return slices.ContainsFunc(fields, func(f plan.Field) bool { return f.Key == key })
	}
	return has("steps") && has("task") && (has("currentStepIndex") || has("createdAt") || has("version"))
}

func readFields(name string, data []byte) ([]plan.Field, []diag.Diagnostic) {
	if isJSON(name, data) {
		return readJSON(name, data)
	}
	return plan.ReadMappingWithin(plan.Bounds{Bytes: MaxFile, Keys: maxKeys, Items: maxItems}, name, data)
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

func (d *decoder) planKeys(p *Plan) []key {
	return []key{
		d.line("id", &p.ID).then(func(n plan.Node) { p.pos.id = n.Pos }).must(),
		d.filled("task", &p.Task).must(),
		d.word("status", &p.Status, planStatuses()).must(),
		d.steps(&p.Steps, &p.pos.steps).must(),
		d.number("currentStepIndex", &p.CurrentStepIndex, 0, -1).must(),
		d.time("createdAt", &p.CreatedAt).must(),
		d.time("updatedAt", &p.UpdatedAt).must(),
		d.line("createdBy", &p.CreatedBy).must(),
		d.number("version", &p.Version, 1, 1_000_000).then(func(n plan.Node) { p.pos.version = n.Pos }).must(),
		optional(func(s *string) key { return d.line("previousPlanId", s) }, &p.PreviousPlanID),
		optional(d.metadata, &p.Metadata),
	}
}

func (d *decoder) metadata(m *Metadata) key {
	keys := []key{
		optional(func(n *int) key { return d.number("complexity", n, 1, 10) }, &m.Complexity),
		d.texts("tags", &m.Tags),
		d.texts("constraints", &m.Constraints),
		d.texts("informedByMemories", &m.InformedByMemories),
	}
	return key{name: "metadata", take: func(n plan.Node) {
		if n.Kind != plan.Map {
			d.wrong("metadata", n, "a mapping")
			return
		}
		d.object("`metadata`", n.Pos, n.Fields, keys)
	}}
}

func (d *decoder) steps(to *[]Step, places *[]diag.Pos) key {
	return key{name: "steps", take: func(n plan.Node) {
		if n.Kind != plan.List {
			d.wrong("steps", n, "a list")
			return
		}
		if len(n.Items) > MaxSteps {
			d.add(n.Items[MaxSteps].Pos, plan.RuleLimits, "make several plans of it", "a plan holds at most %d steps, not %d", MaxSteps, len(n.Items))
			return
		}
		*to = make([]Step, len(n.Items))
		for i, it := range n.Items {
			*places = append(*places, it.Pos)
			d.step(i, it, len(n.Items), &(*to)[i])
		}
		d.cycles(*to, *places)
	}}
}

func (d *decoder) step(i int, n plan.Node, count int, s *Step) {
	if n.Kind != plan.Map {
		d.wrong("a step", n, "a mapping")
		return
	}
	d.object("step "+strconv.Itoa(i), n.Pos, n.Fields, []key{
		d.number("index", &s.Index, 0, -1).then(func(n plan.Node) {
			if n.Kind == plan.Int && s.Index != i {
				d.add(n.Pos, plan.RuleFrontmatter, "count the steps from 0 in the order of the list", "`index` must be %d, the step's place in the list, not %s", i, short(n.Text))
			}
		}).must(),
		d.filled("description", &s.Description).must(),
		d.word("status", &s.Status, stepStatuses()).must(),
		optional(func(v *string) key { return d.line("suggestedAgent", v) }, &s.SuggestedAgent),
		optional(func(v *string) key { return d.line("executedBy", v) }, &s.ExecutedBy),
		optional(func(v *string) key { return d.time("startedAt", v) }, &s.StartedAt),
		optional(func(v *string) key { return d.time("completedAt", v) }, &s.CompletedAt),
		optional(func(v *string) key { return d.text("output", v) }, &s.Output),
		optional(func(v *string) key { return d.text("error", v) }, &s.Error),
		d.paths("affectedFiles", &s.AffectedFiles),
		d.needs(&s.DependsOn, i, count),
		optional(func(v *string) key { return d.text("instructions", v) }, &s.Instructions),
		d.texts("acceptanceCriteria", &s.AcceptanceCriteria),
	})
}

// needs takes the indexes of the steps that one waits for.
func (d *decoder) needs(to *[]int, i, count int) key {
	return key{name: "dependsOn", take: func(n plan.Node) {
		if n.Kind != plan.List {
			d.wrong("dependsOn", n, "a list")
			return
		}
		*to = []int{}
		for _, it := range n.Items {
			v, err := strconv.Atoi(it.Text)
			switch {
			case it.Kind != plan.Int:
				d.wrong("an item of dependsOn", it, "the index of a step")
			case err != nil || v < 0 || v >= count:
				d.add(it.Pos, "depends-unknown", "the steps are 0 to "+strconv.Itoa(count-1), "dependsOn names no step %s", short(it.Text))
			case v == i:
				d.add(it.Pos, "depends-cycle", "leave it out", "step %d waits for itself", i)
			case slices.Contains(*to, v):
				d.add(it.Pos, plan.RuleDuplicateField, "keep one of them", "dependsOn names step %d twice", v)
			default:
				*to = append(*to, v)
			}
		}
	}}
}

// cycles reports each cycle of steps that wait for each other, once, at the
// last of them.
func (d *decoder) cycles(steps []Step, places []diag.Pos) {
	const active, finished = 1, 2
	state := make([]int, len(steps))
	var trail []int
	var visit func(i int)
	visit = func(i int) {
		state[i] = active
		trail = append(trail, i)
		for _, to := range steps[i].DependsOn {
			switch state[to] {
			case active:
				cycle := trail[slices.Index(trail, to):]
				d.add(places[slices.Max(cycle)], "depends-cycle", "leave one of these out", "steps wait for each other: %s", arrows(append(slices.Clone(cycle), to)))
			case 0:
				visit(to)
			}
		}
		state[i] = finished
		trail = trail[:len(trail)-1]
	}
	for i := range steps {
		if state[i] == 0 {
			visit(i)
		}
	}
}

func arrows(steps []int) string {
	var words []string
	for _, i := range steps {
		words = append(words, strconv.Itoa(i))
	}
	return strings.Join(words, " -> ")
}

// together looks at what must fit together.
func (d *decoder) together(p *Plan) {
	if p.PreviousPlanID != nil && p.Version == 1 {
		d.add(p.pos.version, plan.RuleVersion, "number it from 2, or leave `previousPlanId` out", "a plan with a `previousPlanId` is version 2 or later, not 1")
	}
	if p.CurrentStepIndex > len(p.Steps) && p.Steps != nil {
		d.add(diag.Pos{Line: 1, Column: 1}, plan.RuleFrontmatter, "it counts from 0, and is the number of steps when all are complete",
			"`currentStepIndex` is %d and there are %d steps", p.CurrentStepIndex, len(p.Steps))
	}
}
