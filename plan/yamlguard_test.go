package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan/diag"
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
		{"tab before a key", front("goal: é\n\ttags: [a]"), planDoc, "4:1 frontmatter"},
		{"tab before an item", front("tags:\n  - a\n \t- b"), planDoc, "5:2 frontmatter"},
		{"tab in a quoted text", front("goal: \"a\n\tb\""), planDoc, "4:1 frontmatter"},
		{"each of several", front("goal: !!str g\ntags: [&x a, *x]"), planDoc, "3:7 yaml-unsafe, 4:8 yaml-unsafe, 4:14 yaml-unsafe"},
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
		{"depth 17, mixed", front("x-a:\n" + strings.Repeat("- ", 12) + strings.Repeat("[", 6) + strings.Repeat("]", 6)), planDoc, "4:29 limits"},
		{"257 keys in flow", front("x-a: {" + strings.ReplaceAll(numbered(256), "\n", ", ") + "}"), planDoc, "3:2442 limits"},
		{"a tag on a key", front("!!str goal: y"), planDoc, "3:1 yaml-unsafe"},
		{"a tag on a list", front("tags: !!seq [a]"), planDoc, "3:7 yaml-unsafe"},
		{"a tag on an item", front("tags: [a, !x b]"), planDoc, "3:11 yaml-unsafe"},
		{"a tag of one's own", front("goal: !<tag:example.com,2026:x> y"), planDoc, "3:7 yaml-unsafe"},
		{"binary", front("goal: !!binary aGk="), planDoc, "3:7 yaml-unsafe"},
		{"a class", front("goal: !!python/object/apply:os.system [ls]"), planDoc, "3:7 yaml-unsafe"},
		{"an anchor on a list", front("tags: &t [a]"), planDoc, "3:7 yaml-unsafe"},
		{"an anchor on a mapping", front("x-a: &m\n  b: c"), planDoc, "3:6 yaml-unsafe"},
		{"an anchor on a key", front("&k goal: y"), planDoc, "3:1 yaml-unsafe"},
		{"an alias in a list", front("tags: [*a]"), planDoc, "3:8 yaml-unsafe"},
		{"an alias as a key", front("*a : y"), planDoc, "3:1 yaml-unsafe"},
		{"an alias of itself", front("x-a: &x [*x]"), planDoc, "3:6 yaml-unsafe, 3:10 yaml-unsafe"},
		{"a billion laughs", front("x-a: &a [x,x]\nx-b: &b [*a,*a]\nx-c: [*b,*b]"), planDoc, "3:6 yaml-unsafe, 4:6 yaml-unsafe, 4:10 yaml-unsafe, 4:13 yaml-unsafe, 5:7 yaml-unsafe, 5:10 yaml-unsafe"},
		{"a merge of a list", front("x-a:\n  <<: [{a: 1}, {b: 2}]"), planDoc, "4:3 yaml-unsafe"},
		{"a merge key, quoted", front("x-a:\n  \"<<\": y"), planDoc, ""},
		{"a tag directive", "---\n%TAG ! tag:x,2026:\ntitle: x\n---\nb\n", planDoc, "2:1 yaml-unsafe"},
		{"a document within", front("goal: y\n--- z\ntags: [a]"), planDoc, "4:1 yaml-unsafe"},
		{"the end of a document within", front("goal: y\n...\ntags: [a]"), planDoc, "4:1 yaml-unsafe"},
		{"fences in a literal", front("goal: |\n  a\n ---\n  b"), planDoc, "5:1 frontmatter"},
		{"the same key twice", front("goal: a\ngoal: b"), planDoc, "4:1 duplicate-field"},
		{"the same key, quoted", front("goal: a\n\"goal\": b"), planDoc, "4:1 duplicate-field"},
		{"the same key, escaped", front("goal: a\n\"g\\x6fal\": b"), planDoc, "4:1 duplicate-field"},
		{"the same key within", front("x-a: {b: 1, b: 2}"), planDoc, "3:13 duplicate-field"},
		{"a key of two words", front("my goal: y"), planDoc, "3:1 unknown-field"},
		{"a key in another case", front("Goal: y"), planDoc, "3:1 unknown-field"},
		{"a key of letters that look alike", front("g\u043eal: y"), planDoc, "3:1 unknown-field"},
		{"a key that is a number", front("1: y"), planDoc, "3:1 unknown-field"},
		{"a key that is null", front("null: y"), planDoc, "3:1 unknown-field"},
		{"a key that is true", front("true: y"), planDoc, "3:1 unknown-field"},
		{"a key that is a list", front("[a]: y"), planDoc, "3:4 frontmatter"},
		{"a key that is a mapping", front("{a: b}: y"), planDoc, "3:7 frontmatter"},
		{"an empty key", front("\"\": y"), planDoc, "3:1 unknown-field"},
		{"a key with a line end", front("\"go\\nal\": y"), planDoc, "3:1 unknown-field"},
		{"a number for text", front("goal: 12"), planDoc, "3:7 frontmatter"},
		{"a date for text", front("goal: 2026-01-01"), planDoc, ""},
		{"yes for text", front("goal: yes"), planDoc, ""},
		{"null for text", front("goal: null"), planDoc, ""},
		{"nothing for text", front("goal:"), planDoc, ""},
		{"a list for text", front("goal: [a]"), planDoc, "3:7 frontmatter"},
		{"a mapping for text", front("goal: {a: b}"), planDoc, "3:7 frontmatter"},
		{"text for a list", front("tags: a"), planDoc, "3:7 frontmatter"},
		{"a mapping for a list", front("tags: {a: b}"), planDoc, "3:7 frontmatter"},
		{"a list in a list", front("tags: [a, [b]]"), planDoc, "3:11 frontmatter"},
		{"numbers in a list", front("tags: [1, 2.5, true, null]"), planDoc, "3:8 frontmatter, 3:11 frontmatter, 3:16 frontmatter, 3:22 frontmatter"},
		{"an empty item", front("tags: [a, , b]"), planDoc, "3:11 frontmatter"},
		{"a comma at the end", front("tags: [a,]"), planDoc, ""},
		{"text for a number", front("complexity: high"), planDoc, "3:13 frontmatter"},
		{"a number in quotes", front("complexity: \"3\""), planDoc, "3:13 frontmatter"},
		{"a hexadecimal number", front("complexity: 0x3"), planDoc, ""},
		{"an octal number", front("complexity: 010"), planDoc, ""},
		{"a fraction", front("complexity: 3.0"), planDoc, "3:13 frontmatter"},
		{"a number with an exponent", front("complexity: 1e0"), planDoc, "3:13 frontmatter"},
		{"a number with underscores", front("max_replans: 1_0"), planDoc, ""},
		{"a number without bounds", front("max_replans: 99999999999999999999999"), planDoc, "3:14 frontmatter"},
		{"not a number", front("complexity: .nan"), planDoc, "3:13 frontmatter"},
		{"infinite", front("max_replans: .inf"), planDoc, "3:14 frontmatter"},
		{"below zero", front("max_replans: -1"), planDoc, "3:14 enum-value"},
		{"a number of base 60", front("max_replans: 1:30"), planDoc, "3:14 frontmatter"},
		{"yes for true", front("abandoned: yes"), planDoc, "3:12 frontmatter"},
		{"TRUE for true", front("abandoned: TRUE"), planDoc, ""},
		{"a time that is none", front("created_at: 2026-13-40"), planDoc, "3:13 frontmatter"},
		{"a folded text", front("goal: >-\n  a\n  b"), planDoc, ""},
		{"a literal with an indicator of its indent", front("goal: |2\n    a"), planDoc, ""},
		{"a literal with a bad indicator", front("goal: |99\n  a"), planDoc, "3:7 frontmatter"},
		{"a literal that is not indented", front("goal: |\na"), planDoc, "4:1 frontmatter"},
		{"a literal at the end", front("goal: |"), planDoc, ""},
		{"a quote that goes on", front("goal: \"a\\\n  b\""), planDoc, ""},
		{"a bad escape", front("goal: \"\\q\""), planDoc, "3:7 frontmatter"},
		{"an escaped NUL", front("goal: \"\\0\""), planDoc, ""},
		{"an escaped ESC", front("goal: \"\\e[31m\""), planDoc, ""},
		{"an escaped direction", front("goal: \"\\u202e\""), planDoc, ""},
		{"half of a surrogate pair", front("goal: \"\\ud800\""), planDoc, "3:7 frontmatter"},
		{"a surrogate pair", front("goal: \"\\ud83d\\ude00\""), planDoc, ""},
		{"beyond Unicode", front("goal: \"\\U00110000\""), planDoc, ""},
		{"a NUL", front("goal: a\x00b"), planDoc, "3:8 encoding"},
		{"a DEL", front("goal: a\x7fb"), planDoc, "3:8 encoding"},
		{"a control character of Latin-1", front("goal: a\u0085b"), planDoc, "3:8 encoding"},
		{"a line separator", front("goal: a\u2028b"), planDoc, ""},
		{"a byte order mark within", front("goal: a\uFEFFb"), planDoc, ""},
		{"no UTF-8", front("goal: a\xc3("), planDoc, "3:8 encoding"},
		{"a long form of a slash", front("goal: a\xc0\xaf"), planDoc, "3:8 encoding"},
		{"a surrogate in UTF-8", front("goal: a\xed\xa0\x80"), planDoc, "3:8 encoding"},
		{"a backquote", front("goal: `x`"), planDoc, "3:7 frontmatter"},
		{"a per cent sign", front("goal: %x"), planDoc, "3:7 yaml-unsafe"},
		{"a hash within", front("goal: a#b # c"), planDoc, ""},
		{"a closing bracket alone", front("tags: ]"), planDoc, "3:7 frontmatter"},
		{"brackets crossed", front("x-a: [{]}"), planDoc, "3:8 frontmatter"},
		{"an indent that falls back halfway", front("x-a:\n    b: c\n  d: e"), planDoc, "5:3 frontmatter"},
		{"a list that falls back", front("tags:\n  - a\n - b"), planDoc, "5:2 frontmatter"},
		{"a list and a mapping", front("x-a:\n  - b\n  c: d"), planDoc, "5:3 frontmatter"},
		{"a carriage return within", front("goal: a\rb"), planDoc, "3:8 encoding"},
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
			var found []diag.Diagnostic
			if took := gittest.Spent(func() { _, found = parseDocument(planDoc, "f.md", []byte(fenced(front))) }); took > slowest {
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
