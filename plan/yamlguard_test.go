package plan

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func guardCases() []documentCase {
	front := func(s string) string { return "---\ntitle: x\n" + s + "\n---\nb\n" }
	nested := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%sx-%d:\n", strings.Repeat(" ", i), i)
		}
		return b.String() + strings.Repeat(" ", n) + "v"
	}
	return []documentCase{
		{"tag without value", front("tags: !x"), planDoc, "3:7 yaml-unsafe"},
		{"tag", front("goal: !!str 1"), planDoc, "3:7 yaml-unsafe"},
		{"anchor", front("goal: &a y"), planDoc, "3:7 yaml-unsafe"},
		{"alias", front("goal: *a"), planDoc, "3:7 yaml-unsafe"},
		{"merge key", front("x-a:\n  <<: {b: 1}"), planDoc, "4:3 yaml-unsafe"},
		{"merge key in flow", front("x-a: {<<: {b: 1}}"), planDoc, "3:7 yaml-unsafe"},
		{"directive", "---\n%YAML 1.2\ntitle: x\n---\nb\n", planDoc, "2:1 yaml-unsafe"},
		{"the same, quoted", front("goal: '!x &a *a << %YAML'"), planDoc, ""},
		{"explicit key", front("? goal\n: y"), planDoc, "3:1 frontmatter"},
		{"explicit keys, deep", front(strings.Repeat("? ", 20000)), planDoc, "3:3 frontmatter"},
		{"reserved character", front("goal: @x"), planDoc, "3:7 frontmatter"},
		{"two values", front("goal: a: b"), planDoc, "3:7 frontmatter"},
		{"tab for an indent", front("x-a:\n\tb: c"), planDoc, "4:1 frontmatter"},
		{"open quote", front("goal: \"a"), planDoc, "3:7 frontmatter"},
		{"open bracket", front("tags: [a"), planDoc, "3:7 frontmatter"},
		{"no colon", front("goal"), planDoc, "3:1 frontmatter"},
		{"no key", front(": y"), planDoc, "2:8 frontmatter"},
		{"64 KiB of frontmatter", front("goal: " + strings.Repeat("a", maxYAML)), planDoc, "2:1 limits"},
		{"200 KB of [", front("tags: " + strings.Repeat("[", 200_000)), planDoc, "2:1 limits"},
		{"20 KB of [", front("tags: " + strings.Repeat("[", 20_000)), planDoc, "3:22 limits"},
		{"20 KB of {", front("tags: " + strings.Repeat("{", 20_000)), planDoc, "3:22 limits"},
		{"20 KB of -", front("tags:\n" + strings.Repeat("- ", 10_000)), planDoc, "4:33 limits"},
		{"300 keys", front(numbered(300)), planDoc, "258:6 limits"},
		{"256 keys", front(numbered(255)), planDoc, ""},
		{"depth 16, block", front(nested(15) + ": w"), planDoc, ""},
		{"depth 17, block", front(nested(16) + ": w"), planDoc, "19:18 limits"},
		{"depth 16, flow", front("x-a: " + strings.Repeat("[", 15) + strings.Repeat("]", 15)), planDoc, ""},
		{"depth 17, flow", front("x-a: " + strings.Repeat("[", 16) + strings.Repeat("]", 16)), planDoc, "3:21 limits"},
	}
}

// numbered gives n keys, one a line.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "x-%d: a\n", i)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func TestYAMLGuard(t *testing.T) { runDocuments(t, guardCases()) }

// What is within the limits must be quick to read, and what is beyond them
// quick to refuse.
func TestYAMLIsBounded(t *testing.T) {
	fill := func(head, unit, tail string) string { return head + strings.Repeat(unit, 60_000/len(unit)) + tail }
	for name, front := range map[string]string{
		"flow list":       fill("tags: [", "a,", "]"),
		"flow list, é":    fill("tags: [é", "a,", "]"),
		"empty lists":     fill("x-a: [", "[],", "]"),
		"empty mappings":  fill("x-a: [", "{},", "]"),
		"block list":      fill("tags:\n", "- a\n", ""),
		"empty items":     fill("tags:\n", "-\n", ""),
		"lines":           fill("goal: a\n", " a\n", ""),
		"quoted lines":    fill("goal: \"a\n", " a\n", "\""),
		"literal":         fill("goal: |\n", "  a\n", ""),
		"comments":        fill("", "# a\n", ""),
		"open brackets":   fill("", "[", ""),
		"question marks":  fill("", "? ", ""),
		"colons":          fill("goal: ", ":", ""),
		"nested, in turn": fill("x-a:\n", "- - - a\n", ""),
		"exclamations":    fill("goal: ", "!", ""),
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			_, found := parseDocument(planDoc, "f.md", []byte(fenced(front)))
			if took := time.Since(began); took > slowest {
				t.Errorf("took %v", took)
			}
			for _, d := range found {
				if len(d.Message) > 400 {
					t.Errorf("a message of %d bytes: %.80s…", len(d.Message), d.Message)
				}
			}
		})
	}
}
