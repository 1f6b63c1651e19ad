package validate

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

const rulesDir = "../testdata/rules"

// elsewhere are the rules that one plan's files are not enough to judge by.
func elsewhere() []string { return []string{RuleJudge, RuleUnrelatedHistory} }

// fixture is a folder of testdata/rules: a plan that breaks the rule, and
// nearly the same plan that does not.
//
// Its world.txt, if any, has a directive a line. `gate strict`, `rule R S` and
// `path P` say how it is judged and what the project has; without a path nothing
// is known of the project. `evidence L` sets the level of that
// rule, and `other ID P` is an unfinished plan that names the path. `bad …` and `ok …` make what a checkout cannot hold
// well, see [fixture.make].
type fixture struct {
	rule   string
	gate   Gate
	gates  Gates
	paths  []string
	others [][2]string // plan, path
	parent *plan.Plan
	sides  map[string][]plan.File
}

func loadFixture(t testing.TB, rule string) fixture {
	t.Helper()
	dir := filepath.Join(rulesDir, rule)
	f := fixture{rule: rule, gates: DefaultGates(), sides: map[string][]plan.File{}}
	for _, side := range []string{"bad", "ok"} {
		f.sides[side] = folder(t, filepath.Join(dir, side))
	}
	if base := folder(t, filepath.Join(dir, "base")); base != nil {
		p, _ := plan.Read("base", "", base)
		f.parent = p
	}
	world, err := os.ReadFile(filepath.Join(dir, "world.txt"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(world)) {
		if err := f.directive(strings.TrimSuffix(line, "\n")); err != nil {
			t.Fatalf("%s/world.txt: %q: %v", dir, line, err)
		}
	}
	return f
}

func (f *fixture) directive(line string) error {
	words := strings.SplitN(line, " ", 4)
	switch {
	case len(words) == 2 && words[0] == "gate":
		f.gate = ParseGate(words[1])
	case len(words) == 2 && words[0] == "path":
		f.paths = append(f.paths, words[1])
	case len(words) == 3 && words[0] == "rule":
		s, ok := diag.ParseSeverity(words[2])
		f.gates.Rules = map[string]diag.Severity{words[1]: s}
		if !ok {
			return fmt.Errorf("no severity")
		}
	case len(words) == 2 && words[0] == "evidence":
		f.gates.Evidence = Level(slices.Index([]string{"off", "advisory", "required"}, words[1]))
	case len(words) == 3 && words[0] == "other":
		f.others = append(f.others, [2]string{words[1], words[2]})
	case len(words) >= 3 && f.sides[words[0]] != nil:
		return f.make(words[0], words[1], words[2], strings.Join(words[3:], ""))
	default:
		return fmt.Errorf("unknown directive")
	}
	return nil
}

// make follows a recipe for one side: the mode of a file (executable,
// symlink); its size without its content; its text as a quoted string; a
// field nested so many levels deep; so many keys; frontmatter of so many
// bytes; so many tasks in a folder; or so many below each other.
func (f *fixture) make(side, recipe, name, arg string) error {
	i := slices.IndexFunc(f.sides[side], func(g plan.File) bool { return g.Path == name })
	if i < 0 {
		f.sides[side] = append(f.sides[side], plan.File{Path: name})
		i = len(f.sides[side]) - 1
	}
	file := &f.sides[side][i]
	n, _ := strconv.Atoi(arg) // what is no number makes a fixture that fails
	id := "id: " + path.Base(name)[3:len(path.Base(name))-len(path.Ext(name))] + "\n"
	front := ""
	switch recipe {
	case "executable":
		file.Mode = plan.Executable
	case "symlink":
		file.Mode, file.Data = plan.Symlink, nil
	case "size":
		file.Size, file.Data = int64(n), nil
	case "text":
		text, err := strconv.Unquote(arg)
		file.Data = []byte(text)
		return err
	case "nested":
		front = "x-deep: " + strings.Repeat("[", n) + strings.Repeat("]", n) + "\n"
	case "keys":
		for k := range n {
			front += fmt.Sprintf("x-%d: k\n", k)
		}
	case "frontmatter":
		front = "x-long: " + strings.Repeat("long ", n/5) + "end\n"
	case "children", "levels":
		f.sides[side] = slices.Delete(f.sides[side], i, i+1)
		if recipe == "levels" {
			f.levels(side, name, n)
		} else {
			f.children(side, name, n)
		}
	default:
		return fmt.Errorf("unknown recipe")
	}
	if front != "" {
		file.Data = []byte("---\n" + id + front + "---\nDo it.\n")
	}
	return nil
}

func (f *fixture) task(side, name, id string) {
	f.sides[side] = append(f.sides[side], plan.File{Path: name + ".md", Data: []byte("---\nid: " + id + "\n---\nDo it.\n")})
}

func (f *fixture) children(side, dir string, n int) {
	f.task(side, dir, "many")
	for i := range n {
		f.task(side, fmt.Sprintf("%s/%02d-part", dir, i), fmt.Sprintf("part-%d", i))
	}
}

// levels makes n tasks, each below the one before.
func (f *fixture) levels(side, name string, n int) {
	for i := range n {
		f.task(side, name, fmt.Sprintf("level-%d", i+1))
		name += fmt.Sprintf("/01-level-%d", i+2)
	}
}

// judge gives the findings of one side, its paths beginning with the side.
func (f fixture) judge(side string) []diag.Diagnostic {
	if f.rule == RuleGateConfig {
		_, found := ParseGates(side+"/gates.yaml", f.sides[side][0].Data)
		diag.Sort(found)
		return found
	}
	in := Input{Parent: f.parent}
	in.Plan, in.Found = plan.Read(side, "", f.sides[side])
	if f.paths != nil {
		in.Exists = project(f.paths...)
	}
	if f.others != nil {
		in.Others = f.naming
	}
	return Run(in, f.gates, f.gate)
}

func (f fixture) naming(path string) []string {
	var ids []string
	for _, o := range f.others {
		if o[1] == path {
			ids = append(ids, o[0])
		}
	}
	return ids
}

func TestRuleFixtures(t *testing.T) {
	for _, r := range Rules() {
		if slices.Contains(elsewhere(), r.ID) {
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			f := loadFixture(t, r.ID)
			bad, ok := f.judge("bad"), f.judge("ok")
			golden(t, filepath.Join(rulesDir, r.ID, "bad.out"), lines(bad))
			if !hasRule(bad, r.ID) {
				t.Errorf("the bad plan does not break the rule:\n%s", lines(bad))
			}
			if len(ok) > 0 {
				t.Errorf("the ok plan has findings:\n%s", lines(ok))
			}
			checkFindings(t, append(bad, ok...))
		})
	}
}

// checkFindings holds findings against what all of them must be.
func checkFindings(t testing.TB, found []diag.Diagnostic) {
	t.Helper()
	for _, d := range found {
		switch {
		case !d.Pos.IsValid() || d.Pos.Column < 1:
			t.Errorf("no valid place: %s", d)
		case d.Severity == diag.Off || d.Path == "" || d.Message == "":
			t.Errorf("incomplete: %s", d)
		case strings.ContainsAny(d.Message, "\r\n"):
			t.Errorf("more than one line: %q", d.String())
		}
		if _, ok := Find(d.Rule); !ok {
			t.Errorf("no such rule: %s", d)
		}
	}
}

// A folder without a rule is a fixture that nothing runs.
func TestFixturesHaveRules(t *testing.T) {
	dirs, err := os.ReadDir(rulesDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		r, ok := Find(d.Name())
		if d.IsDir() && (!ok || slices.Contains(elsewhere(), r.ID)) {
			t.Errorf("%s is the fixture of no rule that is checked", d.Name())
		}
	}
}

// The rules that reading checks must be in the table, else their findings have
// no weight and are lost.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		if seen[r.ID] || r.Doc == "" || r.Fix == "" {
			t.Errorf("the row of %q is a second one or lacks its text", r.ID)
		}
		seen[r.ID] = true
	}
	for _, id := range []string{
		plan.RulePlanMissing, plan.RuleFrontmatter, plan.RuleEncoding, plan.RuleYAMLUnsafe, plan.RuleUnknownField,
		plan.RuleDuplicateField, plan.RuleLimits, plan.RuleTitleEmpty, plan.RuleBodyEmpty, plan.RuleFilename,
		plan.RuleFileMode, plan.RuleIDMissing, plan.RuleIDFormat, plan.RuleStatusValue, plan.RuleKindValue,
		plan.RuleTypeValue, plan.RuleEnumValue, plan.RuleContainer, plan.RulePathEscape, plan.RuleVersion, plan.RuleStrayFile,
	} {
		if !seen[id] {
			t.Errorf("rule %s of package plan is not in the table", id)
		}
	}
}
