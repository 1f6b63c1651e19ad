package validate

import (
	"fmt"
	"strings"
	"testing"
)

// versioned is a plan of that version, with more lines of frontmatter.
func versioned(version string, more ...string) Input {
	front := "title: T\nversion: " + version + "\n" + strings.Join(more, "\n")
	return input("plan.md", "---\n"+strings.TrimSuffix(front, "\n")+"\n---\nB.\n", "01-a", "id: a")
}

func TestVersion(t *testing.T) {
	v := func(n int, more ...string) Input { return versioned(fmt.Sprint(n), more...) }
	must := func(in Input, version int) Input {
		in.Version = version
		return in
	}
	for name, c := range map[string]struct {
		in   Input
		want string
	}{
		"a new thread":                  {must(v(1), 1), ""},
		"a new thread that says none":   {must(input("01-a", "id: a"), 1), ""},
		"a new thread at 2":             {must(v(2), 1), "the version is 2 and must be 1"},
		"a thread at its base":          {must(v(3), 3), ""},
		"a thread past its base":        {must(v(4), 3), "the version is 4 and must be 3"},
		"a thread behind its base":      {must(v(2), 3), "the version is 2 and must be 3"},
		"a thread that lost it":         {must(input("01-a", "id: a"), 2), "the version is 1 and must be 2"},
		"a thread, whatever was before": {must(after(v(2), v(5)), 2), ""},

		"the same":                      {after(v(2), v(2)), ""},
		"one more":                      {after(v(2), v(1)), ""},
		"several at once":               {after(v(4), v(1)), ""},
		"fell":                          {after(v(1), v(2)), "the version fell from 2 to 1"},
		"past the limit":                {after(v(5), v(4)), "version 5 is past the limit of 3 replans"},
		"at the limit":                  {after(v(4), v(3)), ""},
		"past a limit of its own":       {after(v(3, "max_replans: 1"), v(2, "max_replans: 1")), "version 3 is past the limit of 1 replans"},
		"past it already":               {after(v(5, "max_replans: 1"), v(5)), ""},
		"the limit raised with it":      {after(v(3, "max_replans: 5"), v(2, "max_replans: 1")), ""},
		"no replans at all":             {after(v(2, "max_replans: 0"), v(1, "max_replans: 0")), "version 2 is past the limit of 0 replans"},
		"a new plan on the ref":         {after(v(2)), ""},
		"a merge that fell":             {merged(v(2), v(3), v(2)), "the version fell from 3 to 2"},
		"a merge that rises":            {merged(v(3), v(1), v(3)), ""},
		"a range that fell":             {several(v(2), v(3)), "the version fell from 3 to 2"},
		"a range that rises":            {several(v(4), v(1)), ""},
		"no version":                    {must(versioned("0"), 1), "`version` must be at least 1, not 0"},
		"a version that is no number":   {must(versioned("two"), 3), "`version` must be an integer, not `two`"},
		"a plan.md that cannot be read": {must(input("plan.md", "x\n"), 2), "the file does not begin with frontmatter"},
	} {
		found := Run(c.in, DefaultGates(), Base)
		got := ""
		for _, d := range found {
			got += d.Message + "\n"
		}
		equal(t, name, got, c.want)
	}
}
