package plan

// seedDocuments gives whole files to begin fuzzing with: those of the tables,
// and some that hold every way to write a value.
func seedDocuments() []string {
	seeds := []string{
		oddFile,
		"---\ntitle:\nabandoned: True\n---\nb\n",
		"---\ntitle: ~ # c\nnotes: # d\n---\nb\n",
		"---\ntags: [a,\n  b, ]\ntitle: |\n  x\n  y\n---\nb\n",
		"---\ntitle: >-\n  x\n  y\ngoal: |+\n  a\n\n---\n\n\nb\n",
		"---\ntitle: a\n  b\ngoal: \"a\n  b\"\n---\nb",
		"---\n  title: x\n  goal: y\n---\nb\n",
		"---\ntitle: x\ntags:\n- a\n-\n- b\n---\nb\n",
		"---\nx-a: {b: 1, c: [1, 2.5, .inf, null]}\nx-b:\n  c:\n    d: e\n---\nb\n",
		"---\n{id: a, notes: [b, \"c\"], x-a: {}}\n---\nb\n",
	}
	for _, c := range append(fenceCases(), guardCases()...) {
		if len(c.data) < 2000 {
			seeds = append(seeds, c.data)
		}
	}
	return seeds
}

// seedStrings gives texts that YAML could read as something else.
func seedStrings() []string {
	return []string{
		"", "a", "a b", "a  b", " a", "a ", "é", "日本", "\u00a0", "\uFEFF", "\u2028", "it's", `"`, `\n`, `a\`, "\t", "a\tb",
		"yes", "No", "on", "y", "null", "~", "True", "NaN", ".nan", ".inf", "-.inf", "1", "+1", "-1", "1.5", ".5", "1e3", "0x1", "0o7", "1_000",
		"1:20", "2026-01-31", "2026-01-31T09:30:00Z", "3/5", "./a/b.go", "a/b_c.go", "../x", "C:x",
		"- a", "-", "--", "---", "...", "?", "? a", ":", "a:", "a: b", ": a", "#", "a #b", "a#b", "!x", "&a", "*a", "%a", "@a", "`a`", "|", ">", "<<", "=",
		"a,b", ",", "[x]", "[", "]", "{", "}", "{a: b}", "[x] done", "[ ] open",
		"a\nb", "a\nb\n", "a\n\n\nb", "a\n  b\nc", "  a\nb", "a \nb", "a\nb ", "\n", "\na", "a\n---\nb", "a\n...\nb", "a\n# b\nc", "a\n- b\nc: d",
	}
}
