package gitstore

import (
	"bufio"
	"strings"
	"testing"
)

// FuzzCommit reads anything as a commit. What is read has names of objects, and
// an identity is written as it would be read again.
func FuzzCommit(f *testing.F) {
	const who = "author A <a@x> 1 +0000\ncommitter Zoë <z> b> -1 -9999\n"
	name := strings.Repeat("a", 40)
	f.Add("tree " + name + "\nparent " + name + "\n" + who + "\nsubject\n\nbody\n")
	f.Add("tree " + name + "\n" + who + "gpgsig x\n y\nencoding \xff\n\n\x00")
	f.Add("tree ../x\ntree " + name + "\n\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, data string) {
		c, err := decodeCommit(name, data)
		if err != nil {
			return
		}
		if len(c.Tree) != len(name) || strings.Trim(c.Tree, "0123456789abcdef") != "" || !strings.HasPrefix(data, "tree "+c.Tree) || !strings.HasSuffix(data, c.Message) {
			t.Fatalf("%q is read as %+v", data, c)
		}
		for _, id := range []Ident{c.Author, c.Committer} {
			clean, err := id.clean()
			if err != nil {
				continue
			}
			if again := parseIdent(clean.String()); again.Name != clean.Name || again.Email != clean.Email || again.date() != clean.date() {
				t.Errorf("%q is read as %+v, not %+v", clean.String(), again, clean)
			}
		}
	})
}

// FuzzDiffTree reads anything as the answer of git diff-tree.
func FuzzDiffTree(f *testing.F) {
	f.Add("c\x00:100644 100644 11 22 M\x00a\nb\x00d\x00")
	f.Add("c\x00d\x00:040000 000000 11 00 D\x00x\x00")
	f.Add(":1 2 3 4 5\x00")
	f.Fuzz(func(t *testing.T, answer string) {
		steps := []Step{{Commit: "c"}, {Commit: "d"}}
		all, err := readDifferences(bufio.NewReader(strings.NewReader(answer)), steps)
		if err == nil && len(all) != len(steps) {
			t.Fatalf("%q is read as %v", answer, all)
		}
	})
}

// FuzzConfig reads anything as git's list of settings.
func FuzzConfig(f *testing.F) {
	f.Add("local\x00core.bare\ntrue\x00global\x00user.name\nA\nB\x00", "core.bare")
	f.Add("local\x00Remote.Ä.URL\x00", "remote.Ä.url")
	f.Fuzz(func(t *testing.T, list, key string) {
		c := parseConfig(list)
		value, ok := c.Get(key)
		if all := c.All(key); ok != (len(all) > 0) || ok && all[len(all)-1] != value {
			t.Fatalf("%q is %q, %v among %q", key, value, ok, all)
		}
		_, _ = c.Bool(key, true)
	})
}
