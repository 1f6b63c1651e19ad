package session

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// generator makes inputs, some of them wrong.
type generator struct {
	*rand.Rand
}

func newGenerator(seed uint64) generator { return generator{rand.New(rand.NewPCG(seed, seed))} }

func (g generator) input() Input {
	switch g.IntN(12) {
	case 0:
		if g.IntN(4) > 0 {
			return Input{Tool: ToolRead}
		}
		return Input{Tool: ToolSetup, Objective: g.text(MaxObjective), InitialSteps: g.steps()}
	case 1:
		if g.IntN(4) > 0 {
			return Input{Tool: ToolRead}
		}
		return Input{Tool: ToolClear}
	case 2, 3, 4:
		return Input{Tool: ToolAdd, Steps: g.steps()}
	case 5, 6:
		return Input{Tool: ToolUpdate, StepID: g.id(), Title: g.maybe(MaxTitle), Details: g.maybe(MaxText)}
	default:
		return Input{Tool: ToolMark, StepID: g.id(), Status: g.status(), Note: g.text(MaxText)}
	}
}

func (g generator) steps() []NewPlanStep {
	steps := make([]NewPlanStep, g.IntN(4))
	for i := range steps {
		steps[i] = NewPlanStep{Title: g.text(MaxTitle), Details: g.text(MaxText)}
	}
	return steps
}

func (g generator) id() string {
	if g.IntN(10) == 0 {
		return []string{"", "S1", "s001", "S0001", " S002\n", "S999999999"}[g.IntN(6)]
	}
	return idOf(1 + g.IntN(8))
}

func (g generator) status() StepStatus {
	if g.IntN(20) == 0 {
		return "DONE"
	}
	if g.IntN(2) == 0 {
		return Done
	}
	return StepStatuses()[g.IntN(4)]
}

func (g generator) maybe(most int) *string {
	if g.IntN(3) == 0 {
		return nil
	}
	return new(g.text(most))
}

// text is fit as a rule, and often at a border.
func (g generator) text(most int) string {
	switch g.IntN(24) {
	case 0:
		return ""
	case 1:
		return " \t\r\n"
	case 2:
		return text(most) + "\n"
	case 3:
		return text(most + 1)
	case 4:
		return "caf\u00e9\x00\xff"[:4+g.IntN(3)]
	case 5:
		return "a\nb"
	default:
		return strings.Repeat(" ", g.IntN(2)) + text(1+g.IntN(8))
	}
}

// Whatever is asked for, in whatever order, a plan is as plans are, and a
// refusal changes nothing.
func TestPropertyReducersKeepInvariants(t *testing.T) {
	taken, refused := 0, map[error]int{}
	for seed := range uint64(400) {
		g := newGenerator(seed)
		var p View
		for range 60 {
			in := g.input()
			next, err := Next(p, in)
			if err != nil {
				var invalid *ValidationError
				if !errors.As(err, &invalid) || len(invalid.Faults) == 0 || says(next) != says(p) {
					t.Fatalf("%s: %v, and %s became %s", says(in), err, says(p), says(next))
				}
				refused[invalid.Cause]++
				continue
			}
			taken++
			if fault := broken(next); fault != "" {
				t.Fatalf("%T %s makes %s: %s", in, says(in), says(next), fault)
			}
			if fault := wrongStep(p, next, in); fault != "" {
				t.Fatalf("%T %s makes %s of %s: %s", in, says(in), says(next), says(p), fault)
			}
			p = next
		}
	}
	for _, cause := range []error{nil, ErrNotFound, ErrNotActive} {
		if refused[cause] == 0 || taken == 0 {
			t.Errorf("%d were taken, and none refused for %v", taken, cause)
		}
	}
}

// broken says what is wrong with a plan.
func broken(v View) string {
	done, last := 0, 0
	for _, s := range v.Steps {
		n := number(s.ID)
		fits := fit(s.Title, 1, MaxTitle) && fit(s.Details, 0, MaxText)
		for _, note := range s.Notes {
			fits = fits && fit(note, 1, MaxText)
		}
		if n <= last || idOf(n) != s.ID || !fits {
			return "step " + says(s)
		}
		last = n
		if s.Status == Done {
			done++
		}
	}
	whole := len(v.Steps) > 0 && done == len(v.Steps)
	switch {
	case !fit(v.Objective, 1, MaxObjective):
		return "objective"
	case whole != (v.Status == Completed), v.Status == Abandoned && len(v.Steps) > 0, v.Status == "":
		return "status"
	case last != len(v.Steps):
		return "a number is left out"
	}
	return ""
}

func fit(text string, least, most int) bool {
	return trim(text) == text && len(text) >= least && len(text) <= most && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}

// wrongStep says what a step of the way changed that it must not.
func wrongStep(old, now View, in Input) string {
	if in.Tool == ToolSetup {
		return ""
	}
	if now.Objective != old.Objective {
		return "the objective changed"
	}
	for i := range min(len(old.Steps), len(now.Steps)) {
		a, b := old.Steps[i], now.Steps[i]
		reworded, marked := in.Tool == ToolUpdate, in.Tool == ToolMark
		if a.ID != b.ID || (a.Title != b.Title || a.Details != b.Details) && !reworded || a.Status != b.Status && !marked ||
			len(b.Notes) < len(a.Notes) || len(b.Notes) > len(a.Notes) && !marked {
			return "step " + a.ID
		}
	}
	switch in.Tool {
	case ToolClear:
		return ""
	case ToolAdd:
		if len(now.Steps) != len(old.Steps)+len(in.Steps) {
			return "the count of steps"
		}
	default:
		if len(now.Steps) != len(old.Steps) {
			return "the count of steps"
		}
	}
	return ""
}

// A snapshot says for ever what it said at first, whatever comes after it,
// from it, or through what was given out.
func TestPropertySnapshotsNeverChange(t *testing.T) {
	for seed := range uint64(100) {
		g := newGenerator(1000 + seed)
		snapshots, texts := []View{{}}, []string{says(View{})}
		for range 80 {
			from := snapshots[g.IntN(len(snapshots))] // also an old one: histories may fork
			next, err := Next(from, g.input())
			if err != nil {
				continue
			}
			snapshots, texts = append(snapshots, next), append(texts, says(next))
			spoil(from.clone())
			spoil(next.clone())
		}
		for i, p := range snapshots {
			equal(t, "snapshot", says(p), texts[i])
		}
	}
}

// What is normal stays as it is when it is judged again.
func TestPropertyNormalizeTwice(t *testing.T) {
	g := newGenerator(7)
	for range 20_000 {
		in, err := g.input().normal()
		if err != nil {
			continue
		}
		again, err := in.normal()
		if err != nil || says(again) != says(in) {
			t.Fatalf("%s becomes %s, %v", says(in), says(again), err)
		}
	}
}

// An input that is normal, written as JSON, reads as itself: the results of
// the tools are fit to be sent again.
func TestPropertyInputsReadBack(t *testing.T) {
	g := newGenerator(8)
	for range 20_000 {
		in, err := g.input().normal()
		if err != nil {
			continue
		}
		again, err := Decode(in.Tool, []byte(says(in)))
		if err != nil || says(again) != says(in) {
			t.Fatalf("%s reads as %s, %v", says(in), says(again), err)
		}
	}
}
