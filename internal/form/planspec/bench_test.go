package planspec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// largePlan is a plan of 5,000 steps as models write them.
func largePlan() string {
	var b strings.Builder
	b.WriteString("# Plan: large\nGoal: measure\nConstraints:\n- quick\n## Steps\n")
	for i := 1; i <= 500; i++ {
		fmt.Fprintf(&b, "%d. [subtask] Work through part %d of the material → part_%d | Progress: 4/9\n", i, i, i)
		for j := 1; j <= 9; j++ {
			fmt.Fprintf(&b, "  %d.%d. [x] [act] Read section %d, compare it with what is known → notes_%d_%d | done, 3 findings\n", i, j, j, i, j)
			fmt.Fprintf(&b, "    > ← part_%d\n    > Keep what contradicts → list it first\n", i)
		}
	}
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	text := largePlan()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if p, found := Parse(text); len(p.Items) != 500 || len(found) > 0 {
			b.Fatal(found)
		}
	}
}

func BenchmarkSerialize(b *testing.B) {
	text := largePlan()
	p := parse(b, text)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if written(b, p) != text {
			b.Fatal("written otherwise")
		}
	}
}

// Texts made to be slow are not. Were one read in time that grows as the
// square of its length, this would take minutes.
func TestHostile(t *testing.T) {
	fill := func(unit string) string { return strings.Repeat(unit, (1<<20)/len(unit)) }
	deep := strings.Repeat("1.", 1400)
	var chain strings.Builder
	for i := 2; i <= len(deep); i += 2 {
		chain.WriteString(deep[:i] + "\n")
	}
	texts := map[string]string{
		"one long line": fill("x"), "arrows": "1. [act] a" + fill("→"), "arrows and commas": "1. [act] " + fill("→,a"), "bars": "1. [act] " + fill("|"),
		"backslashes": "1. [act] " + fill("\\"), "escaped arrows": "1. [act] " + fill("\\→"), "escaped bars": "1. " + fill("\\|"), "brackets": "1. " + fill("["),
		"one deep number": fill("1."), "deep numbers": chain.String(), "orphans": fill("1.1.1.1.1.1.\n"), "digits": fill("1") + ".", "steps": fill("1.\n"),
		"bodies": "1.\n" + fill(">\n"), "inputs": "1.\n> ←" + fill("a,"), "progress": "1. " + fill("|Progress:1"), "spaces": "1. " + fill(" ") + "x", "line ends": fill("\r"),
		"invalid": fill("\xff"), "invalid lines": fill("\xff\n"), "leads": "1. " + fill("\\") + "[x]", "titles": fill("# \n"),
	}
	for name, text := range texts {
		took := gittest.Spent(func() { readHostile(t, name, text) })
		if took > slowest {
			t.Errorf("%s took %v", name, took)
		}
		t.Logf("%s: %v", name, took)
	}
}

func readHostile(t *testing.T, name, text string) {
	t.Helper()
	p, found := Read("p", text)
	if _, err := Serialize(p); err != nil && !strings.Contains(err.Error(), "over the limit") {
		t.Errorf("%s: %v", name, err)
	}
	for _, d := range found {
		if len(d.Message) > 600 || len(d.Hint) > 600 {
			t.Fatalf("%s: a message of %d bytes", name, len(d.Message)+len(d.Hint))
		}
	}
}

// So are the commands and the JSON.
func TestHostileOthers(t *testing.T) {
	if took := gittest.Spent(func() { readOthers(t) }); took > slowest {
		t.Errorf("took %v", took)
	} else {
		t.Log(took)
	}
}

func readOthers(t *testing.T) {
	t.Helper()
	commands(t, strings.Repeat("PLAN_CMD: ADD 1 [act] a\n", MaxCommands))
	commands(t, "PLAN_CMD: ADD 1 [act] a"+strings.Repeat("→", 1<<20))
	commands(t, "PLAN_CMD: ADD 1 [act] a\n"+strings.Repeat("> ← a\n", 1<<18))
	commands(t, "PLAN_CMD: DONE 1 "+strings.Repeat("|a", 1<<20))
	for _, text := range []string{strings.Repeat(`{"steps":[`, 1<<18), `[` + strings.Repeat(`{"children":[`, 5000), `{"title":"` + strings.Repeat(`\u0041`, 1<<19) + `"}`,
		`[` + strings.Repeat(`{},`, 1<<19) + `{}]`, strings.Repeat("\n", 1<<21), `{` + strings.Repeat(`"a":1,`, 1<<19) + `"b":1}`} {
		ParseJSON(text)
		ReadHop(text)
	}
}
