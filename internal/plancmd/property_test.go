package plancmd

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/plan"
)

// generator makes plans and commands on them.
type generator struct{ *rand.Rand }

func (g generator) pick(words ...string) string { return words[g.IntN(len(words))] }

// plan makes a plan that passes the gate, as files.
func (g generator) plan(t testing.TB) *plan.Plan {
	t.Helper()
	for {
		var pairs []string
		g.tasks(&pairs, "", 0)
		p := build(t, pairs...)
		if gate(nil, p) == "" {
			return p
		}
	}
}

func (g generator) tasks(pairs *[]string, dir string, depth int) {
	nn := 0
	for range 1 + g.IntN(4) {
		nn += 1 + g.IntN(10)/9 // now and then a gap
		id := fmt.Sprintf("t%d", len(*pairs)/2+1)
		kind := g.pick("reason", "act", "decide", "subtask")
		front := "id: " + id + "\nkind: " + kind
		if g.IntN(3) == 0 {
			front += "\ninputs: [" + g.pick("x", "y") + "]"
		}
		if g.IntN(3) == 0 {
			front += "\noutputs: [" + g.pick("x", "y") + "]"
		}
		if n := len(*pairs) / 2; n > 0 && g.IntN(4) == 0 {
			front += fmt.Sprintf("\ndepends_on: [t%d]", 1+g.IntN(n))
		}
		name := fmt.Sprintf("%s%02d-%s", dir, nn, id)
		*pairs = append(*pairs, name, front)
		if planspec.IsContainer(kind) && depth < 2 {
			g.tasks(pairs, name+"/", depth+1)
		}
	}
}

// command makes a command on a plan, that often can be carried out.
func (g generator) command(p *plan.Plan) string {
	number := "7"
	if all := p.All(); len(all) > 0 && g.IntN(20) > 0 {
		number = all[g.IntN(len(all))].Number()
	}
	step := fmt.Sprintf("%s [%s] New %d", number, g.pick("reason", "act", "decide", "subtask"), g.IntN(1000))
	if g.IntN(3) == 0 {
		step += " → " + g.pick("x", "y")
	}
	if g.IntN(3) == 0 {
		step += "\n> ← " + g.pick("x", "y") + "\n> Detail."
	}
	switch g.IntN(10) {
	case 0, 1:
		return "DONE " + number + " | result"
	case 2:
		return "BLOCKED " + number
	case 3:
		return "SKIP " + number + " | reason"
	case 4, 5:
		return "ADD " + step
	case 6:
		return "ADD " + strings.Replace(step, " ", ".1 ", 1)
	case 7, 8:
		return "REVISE " + step
	}
	return "REPLAN " + number
}

// specOf gives what commands change of a plan's structure.
func specOf(tasks []*plan.Task) (out []*form.Item) {
	for _, t := range tasks {
		it := &form.Item{Number: t.Number(), Children: specOf(t.Children)}
		it.Say("kind", t.Kind)
		it.Say("title", t.Title())
		it.Say("inputs", t.Doc.List("inputs"))
		it.Say("outputs", t.Doc.List("outputs"))
		out = append(out, it)
	}
	return out
}

func structure(steps []*form.Item) string {
	var b strings.Builder
	for _, s := range (&form.Outline{Items: steps}).All() {
		fmt.Fprintf(&b, "%s [%s] %s %v %v\n", s.Number, s.Get("kind"), s.Title(), s.List("inputs"), s.List("outputs"))
	}
	return b.String()
}

// Whatever commands come: a plan that took them is what its files say, has the
// structure that a PlanSpec would have, keeps the ids of the tasks that are still
// there, and breaks no rule but that on cycles, by which the gate refuses it. One
// that refused a command is as it was.
func TestRandomCommands(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(1, 7))}
	taken, cycles := 0, 0
	for range 500 {
		p := g.plan(t)
		before, _ := again(p)
		for range 6 {
			text := "PLAN_CMD: " + g.command(p)
			spec := &form.Outline{Items: specOf(p.Tasks)}
			was, ids := tree(p), titles(p)
			a := apply(t, p, text)
			refused := applySpec(spec, a.Outcomes[0].Command)
			if a.Failed() {
				if tree(p) != was {
					t.Fatalf("%s\nfailed with %v and made of\n%s\n%s", text, a.Outcomes[0].Err, was, tree(p))
				}
				if moved := new(plan.TransitionError); refused == nil && !errors.As(a.Outcomes[0].Err, &moved) {
					t.Fatalf("%s\nfailed with %v in\n%s", text, a.Outcomes[0].Err, was)
				}
				continue
			}
			if got, want := structure(specOf(p.Tasks)), structure(spec.Items); got != want {
				t.Fatalf("%s made of\n%s\n%s\nand of the PlanSpec\n%s", text, was, got, want)
			}
			for id, title := range titles(p) {
				if old, kept := ids[id]; kept && old != title && a.Outcomes[0].Command.Op != planspec.OpRevise {
					t.Fatalf("%s gave %s the title %q, it was %q", text, id, title, old)
				}
			}
			taken++
			switch errs := gate(before, p); {
			case strings.Contains(errs, "depends-cycle"):
				cycles++
			case errs != "":
				t.Fatalf("%s made of\n%s\n%s\nwith %s", text, was, tree(p), errs)
			}
			if q, _ := again(p); tree(q) != tree(p) {
				t.Fatalf("%s made\n%s\nwhose files say\n%s", text, tree(p), tree(q))
			}
			if cycles > 0 && strings.Contains(gate(before, p), "depends-cycle") {
				break // it would not have been stored
			}
		}
	}
	if taken < 1000 || cycles > taken/20 {
		t.Errorf("%d commands were taken, %d made cycles", taken, cycles)
	}
}

func titles(p *plan.Plan) map[string]string {
	out := map[string]string{}
	for _, t := range p.All() {
		out[t.ID] = t.Title()
	}
	return out
}

// Names of data lead nowhere new: where clearing a task made what waits for it
// wait for it, nothing waits for itself.
func TestRandomClear(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(2, 7))}
	for range 500 {
		p := g.plan(t)
		before, _ := again(p)
		c := p.All()[g.IntN(len(p.All()))]
		waited := map[string]bool{}
		for _, u := range p.All() {
			for _, w := range p.WaitsFor(u) {
				if c.IsAncestorOf(w) && !c.IsAncestorOf(u) && u != c {
					waited[u.ID] = true
				}
			}
		}
		if len(c.Children) == 0 {
			continue
		}
		if err := p.Clear(c, by()); err != nil {
			t.Fatal(err)
		}
		if errs := gate(before, p); errs != "" {
			t.Fatalf("clearing %s made of\n%s\n%s\nwith %s", c.ID, tree(before), tree(p), errs)
		}
		for id := range waited {
			u, waits := p.Task(id), false
			for _, w := range p.WaitsFor(u) {
				waits = waits || w == c
			}
			if !waits && !u.IsAncestorOf(c) {
				t.Fatalf("%s does not wait for %s any more:\n%s\n%s", id, c.ID, tree(before), tree(p))
			}
		}
	}
}
