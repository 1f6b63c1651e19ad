package planner_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/llm"
	"github.com/git-plan/git-plan/internal/planner"
	"github.com/git-plan/git-plan/validate"
)

// story is a model, a gate and a judge that do as they are told: each word is
// what becomes of a draft. "bad" does not pass the gate, "no" is not approved,
// "yes" is, "mute" gets no verdict; "fail" is no draft at all.
type story struct {
	words   []string
	asked   []string // the drafts that questions showed, with the reasons
	said    []string
	current string
}

func (s *story) drafting(judged, required bool) planner.Drafting[string] {
	d := planner.Drafting[string]{
		Ask: func(_ context.Context, question string, accept func(string) error) error {
			s.asked = append(s.asked, question)
			s.current, s.words = s.words[0], s.words[1:]
			if s.current == "fail" {
				return &llm.Error{Reason: "no answer"}
			}
			return accept(fmt.Sprintf(`prose {"draft": %q} prose`, s.current))
		},
		Question: func(before *planner.Refused) string {
			if before == nil {
				return ""
			}
			return before.Draft + " " + strings.Join(before.Why, ",")
		},
		Read: func(object []byte, prose string) (string, error) { return s.current, nil },
		Gate: func(_ context.Context, draft string) ([]string, bool, error) {
			return []string{"fault of " + draft}, draft != "bad", nil
		},
		Required: required,
		Progress: func(what string) { s.said = append(s.said, what) },
	}
	if judged {
		d.Judge = func(_ context.Context, draft string) (validate.Opinion, error) {
			if draft == "mute" {
				return validate.Opinion{}, &llm.Error{Reason: "no verdict"}
			}
			return validate.Opinion{Approved: draft == "yes", Feedback: "feedback on " + draft}, nil
		}
	}
	return d
}

func TestDrafting(t *testing.T) {
	for _, c := range []struct {
		words            string
		judged, required bool
		want             string // what came of it, and how many were asked for
	}{
		{"yes", false, false, "yes unjudged 1"},
		{"bad yes", false, false, "yes unjudged 2"},
		{"bad bad bad", false, false, "none 3: fault of bad"},
		{"fail", false, false, "none 1 failed"},
		{"bad fail", false, false, "none 2 failed: fault of bad"},
		{"yes", true, true, "yes approved 1"},
		{"no no yes", true, true, "yes approved 3"},
		{"no no no", true, true, "none 3: the reviewer did not approve the plan: feedback on no,fault of no"},
		{"no bad no", true, false, "no rejected 3: the reviewer did not approve the plan: feedback on no,fault of no"},
		{"no bad bad", true, false, "no rejected 3: fault of bad"},
		{"no fail", true, false, "no rejected 2 failed: the reviewer did not approve the plan: feedback on no,fault of no"},
		{"no fail", true, true, "none 2 failed: the reviewer did not approve the plan: feedback on no,fault of no"},
		{"mute", true, false, "mute unjudged 1 failed"},
		{"mute", true, true, "none 1 failed"},
		{"no mute", true, false, "no rejected 2 failed: the reviewer did not approve the plan: feedback on no,fault of no"},
		{"bad no yes", true, false, "yes approved 3"},
	} {
		s := &story{words: strings.Fields(c.words)}
		out, err := s.drafting(c.judged, c.required).Run(t.Context())
		if err != nil {
			t.Errorf("%s: %v", c.words, err)
		}
		got := "none"
		if out.OK {
			got = out.Draft + " unjudged"
		}
		if out.OK && out.Verdict != nil {
			got = out.Draft + map[bool]string{true: " approved", false: " rejected"}[out.Verdict.Approved]
		}
		got += fmt.Sprint(" ", len(s.asked))
		if out.Failed != nil {
			got += " failed"
		}
		if len(out.Why) > 0 {
			got += ": " + strings.Join(out.Why, ",")
		}
		if got != c.want {
			t.Errorf("%s (judged %v, required %v): %s, not %s", c.words, c.judged, c.required, got, c.want)
		}
	}
}

// A refinement shows the draft as it was answered, without the prose around it,
// and all that is wrong with it.
func TestDraftingShowsWhatWasRefused(t *testing.T) {
	s := &story{words: []string{"bad", "no", "yes"}}
	if _, err := s.drafting(true, true).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"", `{"draft": "bad"} fault of bad`, `{"draft": "no"} the reviewer did not approve the plan: feedback on no,fault of no`}
	if !slices.Equal(s.asked, want) {
		t.Errorf("%q", s.asked)
	}
	said := []string{"asking the model for a plan (draft 1 of 3)…", "asking the model for a plan (draft 2 of 3)…", "asking the model to judge draft 2…",
		"asking the model for a plan (draft 3 of 3)…", "asking the model to judge draft 3…"}
	if !slices.Equal(s.said, said) {
		t.Errorf("%q", s.said)
	}
}

// Whoever interrupts a question ends the whole, and so does a store that cannot
// be read.
func TestDraftingEndsWithOtherErrors(t *testing.T) {
	s := &story{words: []string{"bad", "yes"}}
	d := s.drafting(true, false)
	d.Ask = func(context.Context, string, func(string) error) error { return context.Canceled }
	if _, err := d.Run(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	d = s.drafting(true, false)
	d.Gate = func(context.Context, string) ([]string, bool, error) { return nil, false, errors.New("disk") }
	if _, err := d.Run(t.Context()); err == nil || err.Error() != "disk" {
		t.Errorf("%v", err)
	}
	d = s.drafting(true, false)
	d.Judge = func(context.Context, string) (validate.Opinion, error) { return validate.Opinion{}, context.Canceled }
	if _, err := d.Run(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
