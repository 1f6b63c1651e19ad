package session

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// slowest is processor time, far above what any call may take.
const slowest = 5 * time.Second

// FuzzCall gives a session lines of "tool arguments", whatever they are.
func FuzzCall(f *testing.F) {
	f.Add(endToEnd)
	for _, arguments := range []string{``, `null`, `{}`, `[]`, `{"steps":[]}`, `{"steps":[null,{"title":"x","title":"y"}]}`, `{"objective":"\ud800"}`,
		`{"step_id":"S001","status":"done","note":"\u0000"}`, `{"objective":{"objective":{}}}`, `{"a":1,"a":2}`, "{\"objective\":\"\xff\"}", `{"objective":1e999}`,
		strings.Repeat("[", 40), `{"initial_steps":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`} {
		f.Add(ToolSetup + ` {"objective":"o","initial_steps":[{"title":"t"}]}` + "\n" + ToolAdd + " " + arguments + "\n" + ToolMark + " " + arguments +
			"\n" + ToolUpdate + " " + arguments + "\n" + ToolSetup + " " + arguments + "\n" + ToolRead + " " + arguments + "\n" + ToolClear + " " + arguments)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s Session
		took := gittest.Spent(func() {
			for line := range strings.SplitSeq(text, "\n") {
				tool, arguments, _ := strings.Cut(line, " ")
				judgeCall(t, &s, tool, arguments)
			}
		})
		if took > slowest {
			t.Fatalf("%d bytes took %v", len(text), took)
		}
	})
}

// judgeCall makes a call and judges what came of it.
func judgeCall(t *testing.T, s *Session, tool, arguments string) {
	t.Helper()
	before := says(s.plan)
	r, err := s.Call(context.Background(), tool, []byte(arguments))
	after := says(s.plan)
	if err != nil {
		var invalid *ValidationError
		if !errors.As(err, &invalid) || len(invalid.Faults) == 0 || after != before {
			t.Fatalf("%s %q: %v, and %s became %s", tool, arguments, err, before, after)
		}
		if !plain(err.Error()) || len(err.Error()) > 40*shownFaults*20 {
			t.Fatalf("%s %q: %q", tool, arguments, err)
		}
		return
	}
	if !plain(r.Message) || !json.Valid([]byte(says(r.Plan))) {
		t.Fatalf("%s %q: %q, %s", tool, arguments, r.Message, says(r.Plan))
	}
	if fault := broken(s.plan); fault != "" {
		t.Fatalf("%s %q makes %s: %s", tool, arguments, after, fault)
	}
	if tool == ToolRead && after != before {
		t.Fatalf("reading makes %s of %s", after, before)
	}
}

// plain reports whether a text is one line of ASCII.
func plain(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}
