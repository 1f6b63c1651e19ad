package plancmd

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

func sample(t testing.TB) *plan.Plan {
	return build(t,
		"01-get", "id: get\nkind: act\noutputs: [raw]",
		"02-clean", "id: clean\nkind: subtask",
		"02-clean/01-rules", "id: rules\nkind: reason\ninputs: [raw]\noutputs: [rules]",
		"02-clean/02-run", "id: run\nkind: act",
		"03-pick", "id: pick\nkind: decide",
		"03-pick/01-yes", "id: yes\nkind: act",
		"03-pick/02-no", "id: no\nkind: act",
		"04-tell", "id: tell\nkind: act\ndepends_on: [rules, run]",
	)
}

func TestApply(t *testing.T) {
	cases := []struct{ name, text, outcomes, tree string }{
		{"statuses", `PLAN_CMD: DONE 1 | 10K rows
PLAN_CMD: BLOCKED 2.1 | no disk
PLAN_CMD: SKIP 4 | not wanted
PLAN_CMD: DONE 3.1`,
			"DONE 1: applied\nBLOCKED 2.1: applied\nSKIP 4: applied\nDONE 3.1: applied\n",
			`1 get done act outputs=raw | 10K rows
2 clean in_progress subtask
2.1 rules blocked reason inputs=raw outputs=rules | no disk
2.2 run pending act
3 pick done decide
3.1 yes done act
3.2 no skipped act
4 tell skipped act depends_on=rules,run | not wanted
`},
		{"a step added in the middle, named by its new neighbours' numbers", `PLAN_CMD: ADD 2.2 [act] Look twice → looks
> ← rules
> Both times.
PLAN_CMD: DONE 2.3 | ran
PLAN_CMD: ADD 1 [reason] Begin`,
			"ADD 2.2: applied\nDONE 2.3: applied\nADD 1: applied\n",
			`1 begin pending reason 'Begin'
2 get pending act outputs=raw
3 clean in_progress subtask
3.1 rules pending reason inputs=raw outputs=rules
3.2 look-twice pending act 'Look twice' inputs=rules outputs=looks
3.3 run done act | ran
4 pick pending decide
4.1 yes pending act
4.2 no pending act
5 tell pending act depends_on=rules,run
`},
		{"a subtree emptied and filled", `PLAN_CMD: REPLAN 2 | wrong rules
PLAN_CMD: ADD 2.1 [act] Do it at once
PLAN_CMD: REPLAN all | no
PLAN_CMD: REPLAN
PLAN_CMD: SING 1
PLAN_CMD: COLLAPSE 3`,
			"REPLAN 2: applied\nADD 2.1: applied\nREPLAN ALL: deferred\nREPLAN : skipped\nSING : skipped\nCOLLAPSE 3: applied\n",
			`1 get pending act outputs=raw
2 clean pending subtask
2.1 do-it-at-once pending act 'Do it at once'
3 pick pending decide
3.1 yes pending act
3.2 no pending act
4 tell pending act depends_on=clean
`},
		{"revised", `PLAN_CMD: REVISE 2.1 [act] Other rules → r1, r2
> ← raw, more
> With care.
PLAN_CMD: REVISE 2 [decide] Which?
PLAN_CMD: REVISE 1 fetch [act] get`,
			"REVISE 2.1: applied\nREVISE 2: applied\nREVISE 1: applied\n",
			`1 get pending act outputs=raw
2 clean pending decide 'Which?'
2.1 rules pending act 'Other rules' inputs=raw,more outputs=r1,r2
2.2 run pending act
3 pick pending decide
3.1 yes pending act
3.2 no pending act
4 tell pending act depends_on=rules,run
`},
	}
	for _, c := range cases {
		p := sample(t)
		a := apply(t, p, c.text)
		equal(t, c.name, told(a.Outcomes), c.outcomes)
		equal(t, c.name+", the plan", tree(p), c.tree)
		equal(t, c.name+", the gate", gate(sample(t), p), "")
	}
}

// What a command says of why is kept where no task tells it.
func TestReasons(t *testing.T) {
	a := apply(t, sample(t), "PLAN_CMD: REPLAN 2 | wrong rules\nPLAN_CMD: REPLAN ALL | all wrong\nPLAN_CMD: DONE 1 | fine")
	equal(t, "reasons", strings.Join(a.Reasons, "\n"), "REPLAN 2: wrong rules\nREPLAN ALL: all wrong")
}

// A body that says no more than the title follows it, any other stays.
func TestReviseBody(t *testing.T) {
	p := sample(t)
	apply(t, p, "PLAN_CMD: REVISE 1 [act] Fetch")
	equal(t, "without detail", p.Task("get").Doc.Body, "\nFetch\n")
	doc, err := p.Task("run").Doc.WithBody("\nLine.\nOther.\n")
	if err != nil {
		t.Fatal(err)
	}
	p.Replace(p.Task("run"), doc)
	apply(t, p, "PLAN_CMD: REVISE 2.2 [act] Go")
	equal(t, "with detail", p.Task("run").Doc.Body, "\nLine.\nOther.\n")
	apply(t, p, "PLAN_CMD: REVISE 2.2 [act]\n> New.")
	equal(t, "with new detail", p.Task("run").Title()+p.Task("run").Doc.Body, "Step 2.2\nNew.\n")
}

func TestApplyFails(t *testing.T) {
	cases := map[string]string{
		"DONE 9":                 "step 9 not found: use the number of a step of the plan",
		"DONE get":               `DONE names no step, but "get": write its number, such as 2.1`,
		"BLOCKED 4 | x":          "task `tell` is held by you until 2026-01-02T04:00:00Z: take another with `git plan next --claim`, wait until then, or act for its holder with --agent",
		"ADD 1.1 [act] x":        "step 1 (get): type 'act' cannot have children; make it a subtask with REVISE first, or choose another place",
		"ADD 2.4 [act] x":        "no step can be added at 2.4: the first place is 2.1, the last 2.3",
		"ADD 9.1 [act] x":        "step 9 not found: use the number of a step of the plan",
		"ADD 2.1 [LLM] x":        "step 2.1: invalid type 'LLM'; write one of [reason], [act], [decide], [subtask] before the description",
		"REVISE 2 [act] x":       "step 2 (clean): type 'act' cannot have children; make it a subtask with REVISE first, or choose another place",
		"REVISE 1 anchor [act] ": "step 1 (anchor): duplicate name, first seen at step 2.2",
		"REPLAN 1 | x":           "step 1 (get): type 'act' cannot have children; make it a subtask with REVISE first, or choose another place",
		"ADD 3.1 [act] x":        "task `pick` cannot become pending: it is decided, as `yes` is done; reopen that first",
		"ADD 1 [act] a\x07":      "the step cannot be stored so: the control character U+0007",
		"BLOCKED 1 | a\x07":      "the step cannot be stored so: the text holds what no plan file can: the control character U+0007; leave it out",
		"EXPAND 7":               "step 7 not found: use the number of a step of the plan",
	}
	for command, want := range cases {
		p := sample(t)
		for _, f := range [][3]string{
			{"run", "step_name", "anchor"}, {"yes", "status", "done"},
			{"tell", "status", "in_progress"}, {"tell", "executed_by", "you"}, {"tell", "lease_until", "2026-01-02T04:00:00Z"},
		} {
			doc, err := p.Task(f[0]).Doc.Set(f[1], plan.Value(f[2]))
			if err != nil {
				t.Fatal(err)
			}
			p.Replace(p.Task(f[0]), doc)
		}
		before := tree(p)
		a := apply(t, p, "PLAN_CMD: "+command)
		if !a.Failed() || a.Outcomes[0].Err == nil {
			t.Errorf("%s: %s", command, told(a.Outcomes))
			continue
		}
		equal(t, command, a.Outcomes[0].Err.Error(), want)
		equal(t, command+" changes nothing", tree(p), before)
	}
}

// Commands after one that failed are carried out, so that every fault is told.
func TestEveryFault(t *testing.T) {
	a := apply(t, sample(t), "PLAN_CMD: DONE 8\nPLAN_CMD: DONE 1\nPLAN_CMD: DONE 9")
	equal(t, "outcomes", told(a.Outcomes), "DONE 8: failed: step 8 not found: use the number of a step of the plan\nDONE 1: applied\n"+
		"DONE 9: failed: step 9 not found: use the number of a step of the plan\n")
}

func TestBlame(t *testing.T) {
	p := sample(t)
	a := apply(t, p, "PLAN_CMD: DONE 1\nPLAN_CMD: ADD 2 [act] New")
	for file, want := range map[string]int{"p/tasks/01-get.md": 0, "p/tasks/02-new.md": 1, "p/tasks/05-tell.md": -1, "p/plan.md": -1} {
		if got := a.Blame(diag.Diagnostic{Path: file}); got != want {
			t.Errorf("%s is blamed on %d, want %d", file, got, want)
		}
	}
}

func TestReplaceChildren(t *testing.T) {
	spec, found := planspec.Parse(`1. [x] [act] First → one | did it
  > A detail.
2. [subtask] Second
  2.1. [>] inner [reason] Think | Progress: 1/3
3. [act]
`)
	if len(found) > 0 {
		t.Fatal(found)
	}
	p := sample(t)
	if err := ReplaceChildren(p, p.Task("clean"), spec.Items, by()); err != nil {
		t.Fatal(err)
	}
	equal(t, "the plan", tree(p), `1 get pending act outputs=raw
2 clean in_progress subtask
2.1 first done act 'First' outputs=one | did it
2.2 second pending subtask 'Second'
2.2.1 inner in_progress reason 'Think'
2.3 step-2-3 pending act 'Step 2.3'
3 pick pending decide
3.1 yes pending act
3.2 no pending act
4 tell pending act depends_on=clean
`)
	equal(t, "the gate", gate(sample(t), p), "")
	files := tree(p)
	if err := ReplaceChildren(p, p.Task("clean"), spec.Items, by()); err != nil {
		t.Fatal(err)
	}
	equal(t, "once more", tree(p), files)
	if err := ReplaceChildren(p, p.Task("get"), spec.Items, by()); err == nil || !strings.Contains(err.Error(), "cannot have children") {
		t.Errorf("below a leaf: %v", err)
	}
	if err := ReplaceChildren(p, p.Task("pick"), spec.Items, by()); err == nil || !strings.Contains(err.Error(), "duplicate name, first seen at step 2.2.1") {
		t.Errorf("with a name that is taken: %v", err)
	}
}

// A step without a description is called by its number, whatever that becomes.
func TestUnnamed(t *testing.T) {
	p := sample(t)
	a := apply(t, p, "PLAN_CMD: ADD 3 [subtask]\nPLAN_CMD: ADD 3.1 [act]\nPLAN_CMD: ADD 1 [act] New\nPLAN_CMD: ADD 5 [act] Step 5")
	equal(t, "outcomes", told(a.Outcomes), "ADD 3: applied\nADD 3.1: applied\nADD 1: applied\nADD 5: applied\n")
	spec := planspec.Of(p)
	equal(t, "titles", p.Task("step-3").Title()+", "+p.Task("step-3-1").Title(), "Step 4, Step 4.1")
	equal(t, "descriptions", spec.Find("4").Title()+spec.Find("4.1").Title()+spec.Find("5").Title(), "Step 5")
	equal(t, "the gate", gate(sample(t), p), "")
}

// What is said of a step while others below it are open is told, and stops no other
// command unless that is asked for.
func TestOpenContainer(t *testing.T) {
	p, strict := sample(t), sample(t)
	const text = "PLAN_CMD: DONE 2 | all\nPLAN_CMD: BLOCKED 3\nPLAN_CMD: DONE 1"
	a := apply(t, p, text)
	equal(t, "outcomes", told(a.Outcomes), "DONE 2: skipped: task `clean` cannot become done: its status follows the tasks below it; report those\n"+
		"BLOCKED 3: skipped: task `pick` cannot become blocked: its status follows the tasks below it; report those\nDONE 1: applied\n")
	if a.Failed() || p.Task("get").Status != plan.Done {
		t.Error("the other command is not carried out")
	}
	cmds, _ := planspec.ParseCommands(text)
	if !Apply(strict, cmds, by(), true).Failed() {
		t.Error("strict, nothing failed")
	}
}

// A plan that is to be made again may be replanned: a signal says so.
func TestReplanAll(t *testing.T) {
	p := sample(t)
	apply(t, p, "PLAN_CMD: REPLAN ALL | goal misunderstood")
	if s := p.Signal(plan.ReplanSignal); s == nil || s.Message() != "goal misunderstood" {
		t.Errorf("the signal is %v", s)
	}
	equal(t, "the gate", gate(sample(t), p), "")
}

// Where numbers have gaps, those before the new one stay.
func TestAddInGaps(t *testing.T) {
	for command, want := range map[string]string{"ADD 2 [act] n": "1 2 5 9", "ADD 5 [act] n": "1 5 6 10", "ADD 10 [act] n": "1 5 9 10", "ADD 1 [act] n": "1 2 6 10"} {
		p := build(t, "01-a", "id: a\nkind: act", "05-b", "id: b\nkind: act", "09-c", "id: c\nkind: act")
		apply(t, p, "PLAN_CMD: "+command)
		var numbers []string
		for _, task := range p.All() {
			numbers = append(numbers, task.Number())
		}
		equal(t, command, strings.Join(numbers, " "), want)
	}
}
