package plan

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
)

// renamed writes what a renumbering comes to, as "from>to" without tasks/ and
// .md.
func renamed(r Renumbering) string {
	var out []string
	short := strings.NewReplacer("tasks/", "", ".md", "")
	for _, name := range r.Renames {
		out = append(out, short.Replace(name.From)+">"+short.Replace(name.To))
	}
	return strings.Join(out, " ")
}

func TestRenumber(t *testing.T) {
	for name, c := range map[string]struct {
		files, base []string
		want        string
	}{
		"nothing to do":           {[]string{"01-a", "id: a", "03-b", "id: b"}, nil, ""},
		"by id":                   {[]string{"01-x", "id: b", "01-y", "id: a"}, nil, "01-x>02-x"},
		"the base's stays":        {[]string{"01-a", "id: a", "01-b", "id: b"}, []string{"01-b", "id: b"}, "01-a>02-a"},
		"under another name, too": {[]string{"01-a", "id: a", "01-b", "id: b"}, []string{"01-z", "id: b"}, "01-a>02-a"},
		"not from another place":  {[]string{"01-a", "id: a", "01-b", "id: b"}, []string{"02-b", "id: b"}, "01-b>02-b"},
		"later siblings with it":  {[]string{"01-a", "id: a", "01-b", "id: b", "02-c", "id: c", "04-d", "id: d"}, nil, "01-b>02-b 02-c>03-c"},
		"the next that is free": {
			[]string{"01-a", "id: a", "01-b", "id: b", "02-c", "id: c", "03-d", "id: d"}, []string{"01-a", "id: a", "02-c", "id: c", "03-d", "id: d"},
			"01-b>04-b",
		},
		"three": {[]string{"01-a", "id: a", "01-b", "id: b", "01-c", "id: c", "02-d", "id: d"}, nil, "01-b>02-b 01-c>03-c 02-d>04-d"},
		"who waits stays behind": {
			[]string{"01-a", "id: a", "01-b", "id: b", "02-c", "id: c\ndepends_on: [b]", "05-e", "id: e"}, []string{"01-a", "id: a"},
			"01-b>02-b 02-c>03-c",
		},
		"who has room stays": {[]string{"01-a", "id: a", "01-b", "id: b", "05-d", "id: d\ndepends_on: [b]"}, nil, "01-b>02-b"},
		"a child waits": {
			[]string{"01-a", "id: a", "01-b", "id: b", "02-c", "id: c", "02-c/01-d", "id: d\ndepends_on: [b]"}, nil,
			"01-b>02-b 02-c>03-c 02-c/01-d>03-c/01-d",
		},
		"steps in their order": {
			[]string{"01-p", "id: p\nkind: subtask", "01-p/01-a", "id: a", "01-p/02-b", "id: b", "01-p/02-c", "id: c", "01-p/03-d", "id: d"}, nil,
			"01-p/02-c>01-p/03-c 01-p/03-d>01-p/04-d",
		},
		"children go along": {
			[]string{"01-a", "id: a", "01-b", "id: b", "01-b/01-c", "id: c", "01-b/01-d", "id: d"}, nil,
			"01-b>02-b 01-b/01-c>02-b/01-c 01-b/01-d>02-b/02-d",
		},
		"one slug": {
			[]string{"01-x", "id: a", "01-y", "id: y", "02-y", "id: b\ndepends_on: [y]", "03-y", "id: c\ndepends_on: [y]"}, nil,
			"01-y>02-y 02-y>03-y 03-y>04-y",
		},
		"an id twice": {[]string{"01-x", "id: a", "01-y", "id: a"}, []string{"01-x", "id: a"}, "01-y>02-y"},
		"a name that is taken": {
			[]string{"01-a", "id: a", "01-b", "id: b", "tasks/02-No.md", "---\nid: n\n---\nDo it.\n", "tasks/03-b/01-lost.md", "---\nid: l\n---\nDo it.\n"}, nil,
			"01-b>04-b",
		},
		"a file that cannot be read": {[]string{"01-a", "id: a", "tasks/01-b.md", "<<<<<<< ours\n"}, nil, "01-a>02-a"},
	} {
		p, _ := Read("p", "", fileList(c.files...))
		var bases []*Plan
		if c.base != nil {
			bases = []*Plan{nil, build(t, c.base...)}
		}
		got, err := p.Renumber(bases...)
		if err != nil || renamed(got) != c.want {
			t.Errorf("%s: %q, %v; want %q", name, renamed(got), err, c.want)
		}
	}
}

// What an earlier base knows keeps its number before what a later one knows.
func TestRenumberByTheFirstBase(t *testing.T) {
	p := build(t, "01-a", "id: a", "01-b", "id: b")
	published, ours := build(t, "01-b", "id: b"), build(t, "01-a", "id: a")
	if got, err := p.Renumber(published, ours); err != nil || renamed(got) != "01-a>02-a" {
		t.Errorf("%q, %v", renamed(got), err)
	}
	if got, err := p.Renumber(ours, published); err != nil || renamed(got) != "01-b>02-b" {
		t.Errorf("%q, %v", renamed(got), err)
	}
}

func TestRenumberRefusesACrowd(t *testing.T) {
	var files []string
	for i := range MaxSiblings + 1 {
		files = append(files, fmt.Sprintf("%02d-t%d", max(1, i), i), fmt.Sprintf("id: t%d", i))
	}
	var crowded *CrowdedError
	p, _ := Read("p", "", fileList(files...))
	if got, err := p.Renumber(); !errors.As(err, &crowded) || len(got.Renames) > 0 {
		t.Errorf("%q, %v", renamed(got), err)
	}
}

// Whatever the files are: the shifts, made one after the other, write over
// nothing and come to the renames; then no number is there twice, no task has
// another id or parent, and a second time there is nothing to do.
func TestRenumberRandomly(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		files := map[string]string{}
		for i := range 2 + rnd.IntN(12) {
			dir := [...]string{"tasks", "tasks", "tasks/01-a", "tasks/02-b", "tasks/01-a/01-a"}[rnd.IntN(5)]
			name := fmt.Sprintf("%s/%02d-%c.md", dir, 1+rnd.IntN(4), 'a'+rune(rnd.IntN(3)))
			files[name] = fmt.Sprintf("---\nid: t%d\ndepends_on: [t%d]\n---\nDo it.\n", i, rnd.IntN(12))
		}
		read := func(files map[string]string) *Plan {
			var list []File
			for name, text := range files {
				list = append(list, File{Path: name, Data: []byte(text)})
			}
			p, _ := Read("p", "", list)
			return p
		}
		p := read(files)
		got, err := p.Renumber()
		if err != nil {
			t.Fatal(err)
		}
		after := shifted(t, files, got)
		q := read(after)
		again, err := q.Renumber()
		if err != nil || len(again.Renames) > 0 || len(q.All()) != len(p.All()) {
			t.Fatalf("%v became %v: %s, %v", keys(files), keys(after), renamed(again), err)
		}
		seen := map[string]bool{}
		for _, u := range q.All() {
			place := path.Join(u.Dir, fmt.Sprint(u.NN))
			if was := p.Task(u.ID); seen[place] || parentID(was) != parentID(u) {
				t.Fatalf("%v became %v: %s", keys(files), keys(after), u.Doc.Path)
			}
			seen[place] = true
		}
	}
}

// shifted makes the shifts in a set of files.
func shifted(t *testing.T, files map[string]string, r Renumbering) map[string]string {
	t.Helper()
	for _, s := range r.Shifts {
		next := map[string]string{}
		from, to := strings.TrimSuffix(s.From(), ".md"), strings.TrimSuffix(s.To(), ".md")
		for name, text := range files {
			if rest, ok := strings.CutPrefix(name, from); ok && (rest == ".md" || rest[0] == '/') {
				name = to + rest
			}
			if next[name] != "" {
				t.Fatalf("%s is written over: %+v in %v", name, r.Renames, keys(files))
			}
			next[name] = text
		}
		files = next
	}
	for _, name := range r.Renames {
		if files[name.To] == "" {
			t.Fatalf("nothing became %s: %+v", name.To, r.Renames)
		}
	}
	return files
}

func keys(files map[string]string) []string {
	var out []string
	for name := range files {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
