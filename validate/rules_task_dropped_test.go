package validate

import "testing"

// A task that is done or in progress goes with its container, or with a new
// version, and not otherwise; one that was in progress may be released first.
func TestTaskDropped(t *testing.T) {
	const found = "plan.md:1:1 task-dropped"
	const done, active = "id: b\nstatus: done", "id: b\nstatus: in_progress"
	two := func(second string) Input { return input("01-a", "id: a", "02-b", second) }
	below := func(second string) Input {
		return input("01-a", "id: a", "01-a/01-b", second, "01-a/02-c", "id: c")
	}
	alone := input("01-a", "id: a")
	for name, c := range map[string]struct {
		in   Input
		want string
	}{
		"done":                           {after(alone, two(done)), found},
		"in progress":                    {after(alone, two(active)), found},
		"pending":                        {after(alone, two("id: b")), ""},
		"failed":                         {after(alone, two("id: b\nstatus: failed")), ""},
		"done, in several steps":         {several(alone, two(done)), found},
		"in progress, in several steps":  {several(alone, two(active)), ""},
		"in progress, by a merge":        {merged(alone, two(active), alone), found},
		"of a container":                 {after(input("01-a", "id: a", "01-a/02-c", "id: c"), below(done)), found},
		"with all of the container":      {after(alone, below(done)), ""},
		"with the container":             {after(input("02-z", "id: z"), below(done)), found},
		"for one in progress":            {after(input("01-a", "id: a\nstatus: in_progress", "01-a/01-d", "id: d"), below(done)), found},
		"for one, in several steps":      {several(input("01-a", "id: a\nstatus: in_progress", "01-a/01-d", "id: d"), below(done)), ""},
		"for others in the container":    {after(input("01-a", "id: a", "01-a/01-d", "id: d"), below(done)), ""},
		"in another place, and it stays": {after(input("01-a", "id: a", "03-b", done), below(done)), ""},
	} {
		equal(t, name, run(c.in, Base), c.want)
	}
}
