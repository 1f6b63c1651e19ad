package session

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the snapshots anew")

// snapshot requires that text is what testdata holds under the name.
func snapshot(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, name, text, string(want))
}

func equal(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s is\n%s\nnot\n%s", what, got, want)
	}
}

// says gives anything as JSON.
func says(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(data)
}

// planned gives a session with a plan of steps a, b and so on.
func planned(t *testing.T, steps int) *Session {
	t.Helper()
	var s Session
	in := Input{Tool: ToolSetup, Objective: "Ship it"}
	for i := range steps {
		in.InitialSteps = append(in.InitialSteps, NewPlanStep{Title: string(rune('a' + i%26))})
	}
	do(t, &s, in)
	return &s
}

// do gives an input that must be taken.
func do(t *testing.T, s *Session, in Input) {
	t.Helper()
	next, err := Next(s.plan, in)
	if err != nil {
		t.Fatalf("%+v: %v", in, err)
	}
	s.plan = next
}

// call calls a tool that must take its arguments.
func call(t *testing.T, s *Session, tool, arguments string) Result {
	t.Helper()
	r, err := s.Call(context.Background(), tool, []byte(arguments))
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	return r
}

// refuses requires an error with exactly these words, from a session that it
// leaves as it was.
func refuses(t *testing.T, s *Session, tool, arguments, want string) *ValidationError {
	t.Helper()
	before := says(s.plan)
	r, err := s.Call(context.Background(), tool, []byte(arguments))
	var invalid *ValidationError
	if !errors.As(err, &invalid) {
		t.Fatalf("%s %s: %+v, %v", tool, arguments, r, err)
	}
	equal(t, tool+" "+arguments, strings.TrimPrefix(err.Error(), tool+": "), want)
	if after := says(s.plan); after != before {
		t.Errorf("%s %s is refused, and the plan became %s", tool, arguments, after)
	}
	return invalid
}

// step gives a step of the session's plan.
func step(t *testing.T, s *Session, id string) StepView {
	t.Helper()
	v := s.plan
	if i := v.index(id); i >= 0 {
		return v.Steps[i]
	}
	t.Fatalf("no step %s in %s", id, says(v))
	return StepView{}
}

func text(n int) string { return strings.Repeat("x", n) }
