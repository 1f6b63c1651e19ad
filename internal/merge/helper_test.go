package merge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// files are a plan's files by path.
type files map[string]string

// base is a plan of two tasks and a container with two.
func base() files {
	return files{
		"plan.md":                   "---\ntitle: Auth\n---\n\nText.\n",
		"tasks/01-one.md":           task("one", ""),
		"tasks/02-two.md":           task("two", "depends_on: [one]\n"),
		"tasks/03-box.md":           task("box", ""),
		"tasks/03-box/01-inside.md": task("inside", ""),
		"tasks/03-box/02-other.md":  task("other", ""),
	}
}

// task is a task file with more frontmatter.
func task(id, fields string) string {
	return "---\nid: " + id + "\n" + fields + "---\n\nDo " + id + ".\n\nThen look.\n\nThen stop.\n"
}

// with gives the files with others in their place; empty ones are removed.
func (f files) with(pairs ...string) files {
	out := maps.Clone(f)
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			delete(out, pairs[i])
		} else {
			out[pairs[i]] = pairs[i+1]
		}
	}
	return out
}

// fields gives a task of the base other frontmatter.
func (f files) fields(id, fields string) files {
	for name, text := range f {
		if strings.Contains(text, "\nid: "+id+"\n") {
			return f.with(name, task(id, fields))
		}
	}
	panic("no task " + id)
}

func (f files) plan() *plan.Plan {
	if f == nil {
		return nil
	}
	data := map[string][]byte{}
	for name, text := range f {
		data[name] = []byte(text)
	}
	return read("auth", "", data)
}

// show tells a plan's files in one text.
func show(p *plan.Plan) string {
	if p == nil {
		return "no plan\n"
	}
	var b strings.Builder
	all := p.Files()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "-- %s --\n%s", name, all[name])
	}
	return b.String()
}

func stringsOf(cs []Conflict) []string {
	out := []string{}
	for _, c := range cs {
		out = append(out, c.String())
	}
	slices.Sort(out)
	return out
}
