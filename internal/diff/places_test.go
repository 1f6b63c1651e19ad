package diff

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/plan"
)

// rowOf makes a plan of the named tasks, numbered from one; a name after a
// slash is a task of the container before it.
func rowOf(names string) *plan.Plan {
	var pairs []string
	n, k, container := 0, 0, ""
	for _, name := range strings.Fields(names) {
		if of, child, ok := strings.Cut(name, "/"); ok {
			k++
			pairs = append(pairs, fmt.Sprintf("%s/%02d-%s", container, k, child), "id: "+of+child)
			continue
		}
		n, k = n+1, 0
		container = fmt.Sprintf("%02d-%s", n, name)
		pairs = append(pairs, container, "id: "+name)
	}
	return files(pairs...)
}

// A task that another one pushed to another number did not move.
func TestRenumbered(t *testing.T) {
	cases := []struct{ name, before, after, shown, renumbered, summary string }{
		{"a task came in front", "a b c", "x a b c", "+x", "3 tasks only renumbered: 1-3 are 2-4", "1 task added, 3 renumbered"},
		{"a task went", "x a b c", "a b c", "-x", "3 tasks only renumbered: 2-4 are 1-3", "1 task dropped, 3 renumbered"},
		{"two came", "a b c d", "a x b c y d", "+x +y", "3 tasks only renumbered: 2-3 are 3-4, 4 is 6", "2 tasks added, 3 renumbered"},
		{"one moved to the end", "x a b c", "a b c x", ">x", "3 tasks only renumbered: 2-4 are 1-3", "1 task moved, 3 renumbered"},
		{"one moved to the front", "a b c x", "x a b c", ">x", "3 tasks only renumbered: 1-3 are 2-4", "1 task moved, 3 renumbered"},
		{"two changed places around a third", "a b c", "c b a", ">c >a", "", "2 tasks moved"},
		{"those in a container go with it", "a c c/1 c/2 d", "x a c c/1 c/2 d", "+x", "3 tasks only renumbered: 1-3 are 2-4", "1 task added, 3 renumbered"},
		{"one came into a container", "c c/1 c/2 d", "c c/9 c/1 c/2 d", "+c9", "2 tasks only renumbered: 1.1-1.2 are 1.2-1.3", "1 task added, 2 renumbered"},
		{"one left its container", "c c/1 c/2", "c1 c c/2", ">c1", "2 tasks only renumbered: 1 is 2, 1.2 is 2.1", "1 task moved, 2 renumbered"},
		{"nothing", "a b", "a b", "", "", "no difference"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := compare(rowOf(c.before), rowOf(c.after))
			equal(t, "summary", r.Summary(), c.summary)
			if r.Empty() {
				return
			}
			var got []string
			for _, task := range shown(&r.Plans[0]) {
				got = append(got, map[Change]string{Added: "+", Removed: "-", Moved: ">"}[task.Change]+task.ID)
			}
			equal(t, "shown", strings.Join(got, " "), c.shown)
			equal(t, "renumbered", renumbered(&r.Plans[0]), c.renumbered)
			if text, _ := graph.MermaidChanges(r.Plans[0].After, changes(&r.Plans[0])); strings.Contains(text, " moved\n") != strings.Contains(c.shown, ">") {
				t.Errorf("the picture marks others as moved:\n%s", text)
			}
		})
	}
}

// A run of numbers is told as one where nothing else stands in it.
func TestRenumberedAroundOthers(t *testing.T) {
	kept := []string{"20-b", "id: b"}
	r := compare(files(append(kept, "10-a", "id: a", "30-c", "id: c")...), files(append(kept, "11-a", "id: a", "31-c", "id: c")...))
	equal(t, "around one that kept its number", renumbered(&r.Plans[0]), "2 tasks only renumbered: 10 is 11, 30 is 31")
	r = compare(files("02-a", "id: a", "03-b", "id: b", "04-c", "id: c"), files("01-a", "id: a", "03-c", "id: c"))
	equal(t, "around one that went", renumbered(&r.Plans[0]), "2 tasks only renumbered: 2 is 1, 4 is 3")
}

// A task that has another number and other content is told of as changed only.
func TestRenumberedAndChanged(t *testing.T) {
	r := compare(files("01-a", "id: a"), files("01-x", "id: x", "02-a", "id: a\nagent: z"))
	equal(t, "summary", r.Summary(), "1 task added, 1 renumbered, 1 edited")
	equal(t, "renumbered", renumbered(&r.Plans[0]), "")
	equal(t, "shown", shown(&r.Plans[0])[1].ID, "a")
}

// The picture of a large plan says that it is not the whole plan.
func TestLegend(t *testing.T) {
	var before, after []string
	for i := range 40 {
		name, front := fmt.Sprintf("%02d-a", i+1), fmt.Sprintf("id: a%d", i)
		before = append(before, name, front)
		if i < 2 {
			front += "\nagent: z"
		}
		after = append(after, name, front)
	}
	p := &compare(files(before...), files(after...)).Plans[0]
	_, legend := graph.MermaidChanges(p.After, changes(p))
	equal(t, "legend", legend, "yellow: changed; 2 of 40 tasks are drawn, those that changed first")
}
