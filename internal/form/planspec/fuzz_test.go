package planspec

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan/diag"
)

// slowest is processor time, far above what any text within the limits may take to
// read, also with the race detector on.
const slowest = 10 * time.Second

const workPlan = `Goal: g
## Steps
1. [x] [act] a → x | made
  > ← i
  > d
2. [>] foo [subtask] b
  2.1. [act] c
  2.2. [subtask] d
    2.2.1. [act] e
3. [decide] f
`

// seeds are texts of plans, the fixtures among them.
func seeds(tb testing.TB) []string {
	out := []string{fixture(tb, "complete.md"), fixture(tb, "fold.md"), fixture(tb, "hop.md"), workPlan,
		"", "prose", "# t\r\n**Goal**: g\r> d\n## Constraints\n- c\n", "1. [act]Text\n01. x\n1. y\n3.1. z\n> ← a b",
		"1. [act] a →b→c,→d \\→ e \\| f | Progress: 1/2 | \\Progress: 3 | Progress: x", "1. n\\[x] [] [docs] a\n2. \\[x]\\|\\→ [act]",
		"\ufeffGoal: \xff\n1. é\xff"}
	g := newGenerator(6)
	for range 20 {
		out = append(out, written(tb, g.plan()))
	}
	return out
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var p *form.Outline
		var found []diag.Diagnostic
		if took := gittest.Spent(func() { p, found = Read("p", text) }); took > slowest {
			t.Fatalf("reading %d bytes took %v", len(text), took)
		}
		placed(t, text, found)
		if Equal(p, &form.Outline{}) && len(found) == 0 {
			t.Fatal("nothing was read, and nothing is told")
		}
		again := written(t, p)
		q, found := Parse(again)
		if len(found) > 0 || !Equal(p, q) {
			t.Fatalf("%q\nis written as\n%q\nand reads with %v as\n%q", text, again, found, written(t, q))
		}
		if _, err := SerializeFolded(p, nil); err != nil {
			t.Error(err)
		}
		data := EncodeJSON(p)
		if q, found = ParseJSON(string(data)); len(found) > 0 || !Equal(p, q) {
			t.Fatalf("%s reads with %v as\n%q", data, found, written(t, q))
		}
	})
}

// placed requires that findings stand in the text and are one line.
func placed(t *testing.T, text string, found []diag.Diagnostic) {
	t.Helper()
	var all []string
	all = append(all, lines(strings.TrimPrefix(text, "\ufeff")+"\n")...) // the end may be a line of its own
	all = append(all, "")
	for _, d := range found {
		if strings.ContainsAny(d.Message+d.Hint, "\r\n") || d.Rule == "" || d.Hint == "" || d.Severity == diag.Off || !utf8.ValidString(d.Message) {
			t.Errorf("finding %+v", d)
		}
		if d.Pos == (diag.Pos{Line: 1, Column: 1}) {
			continue // also stands for the whole of an empty text
		}
		if d.Pos.Line < 1 || d.Pos.Line > len(all) || d.Pos.Column < 1 || d.Pos.Column > utf8.RuneCountInString(all[d.Pos.Line-1])+1 {
			t.Errorf("place %v is not in %q", d.Pos, text)
		}
	}
}

func FuzzCommands(f *testing.F) {
	f.Add(fixture(f, "answer.txt"))
	for _, line := range []string{"ADD 1 [act] n\nADD 2.1 n [decide] x → y\n> ← i\n> \\← d", "REPLAN 2\nADD 2.1 [act] a\\|b", "REPLAN all | x\nREPLAN\nDONE", "DONE 1 | a|b | Progress: 1\nSKIP 2.2.1 | \\|",
		"REVISE 2 [act] x\nREVISE 2 [decide] [x] →a\n>", "EXPAND 1\nCOLLAPSE 2\nADD 5 [act] \xff"} {
		f.Add("PLAN_CMD: " + strings.ReplaceAll(line, "\n", "\nPLAN_CMD: "))
		f.Add("PLAN_CMD: " + line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cmds, found := ParseCommands(text)
		placed(t, text, found)
		for _, c := range cmds {
			if c.Skipped == "" && c.Fault == "" && (!slices.Contains(Ops(), c.Op) || c.StepID != All && !isID(c.StepID)) {
				t.Fatalf("%+v is no command", c)
			}
		}
	})
}

func FuzzHopSpec(f *testing.F) {
	f.Add(fixture(f, "hop.json"))
	f.Add(fixture(f, "plan.json"))
	for _, s := range []string{"", "\r", "[\r\n1\r,", "[", "{}", "[null, 1]", `[{"step_type":"loop","collection":"a","element":"b","condition":"c\nd"}]`, `[{"step_name":"step_1_2","x":1e9}]`, `{"steps":[{"step_id":"1","children":[]}]}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, found := ParseJSON(text)
		placed(t, text, found)
		if _, err := Serialize(p); err == nil {
			if q, found := Parse(written(t, p)); len(found) > 0 || !Equal(p, q) {
				t.Fatalf("%q reads as %q", text, written(t, q))
			}
		}
		p, _, found = ReadHop(text)
		placed(t, text, found)
		data, _, err := WriteHop(p)
		if err != nil {
			if _, ok := err.(*StepError); !ok {
				t.Fatal(err)
			}
			return
		}
		for _, it := range p.All() {
			SetDetail(it, nil) // which it has no place for
		}
		if q, _, found := ReadHop(string(data)); len(found) > 0 || !Equal(p, q) {
			t.Fatalf("%s\nreads with %v as\n%s", data, found, written(t, q))
		}
	})
}
