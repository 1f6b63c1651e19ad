package loop

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/plan"
)

// noon is when these tests happen.
func noon() time.Time { return time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC) }

// files gives the files of a plan from pairs of a path and a text. A text that
// does not begin with a fence is frontmatter.
func files(pairs ...string) []plan.File {
	out := []plan.File{{Path: "plan.md", Data: []byte("---\ntitle: Log in\ngoal: Users log in\n---\n\nWhy.\n")}}
	for i := 0; i < len(pairs); i += 2 {
		text := pairs[i+1]
		if !strings.HasPrefix(text, "---") {
			text = "---\n" + text + "\n---\n\nDo it.\n"
		}
		if pairs[i] == "plan.md" {
			out = out[1:]
		}
		out = append(out, plan.File{Path: pairs[i], Data: []byte(text)})
	}
	return out
}

func read(t testing.TB, pairs ...string) *plan.Plan {
	t.Helper()
	p, found := plan.Read("auth", "", files(pairs...))
	if len(found) > 0 {
		t.Fatalf("%v", found)
	}
	return p
}

// many makes n tasks with this frontmatter beside id and title.
func many(n int, front string) []string {
	var out []string
	for i := 1; i <= n; i++ {
		out = append(out, fmt.Sprintf("tasks/%02d-task-%d.md", i, i), fmt.Sprintf("id: task-%d\ntitle: Make the part with the number %d\n%s", i, i, front))
	}
	return out
}

func encode(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// on applies a payload to a plan.
func on(t testing.TB, p *plan.Plan, payload string) (*run, error) {
	t.Helper()
	parsed, err := ParsePayload([]byte(payload))
	if err != nil {
		return nil, err
	}
	u := &Update{Payload: parsed, Agent: "a1", at: noon(), lease: time.Hour, readPlan: plan.Read}
	r := newRun(u, p)
	r.apply()
	return r, nil
}
