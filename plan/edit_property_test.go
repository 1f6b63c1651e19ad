package plan

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// writeOddly writes a field in one of the ways a person might, with its line
// feed. Not every way can hold every text.
func writeOddly(r *rand.Rand, key, text string) string {
	comment := []string{"", " # note: x", "\t# 'y'"}[r.IntN(3)]
	single := "'" + strings.ReplaceAll(text, "'", "''") + "'"
	switch r.IntN(10) {
	case 0:
		return key + ":  " + emitScalar(text) + comment + "\n"
	case 1:
		return "\"" + key + "\": " + quoteDouble(text) + comment + "\n"
	case 2:
		if !strings.Contains(text, "\n") {
			return key + ": " + single + comment + "\n"
		}
		return key + ":" + comment + "\n  " + quoteDouble(text) + "\n"
	case 3:
		if block, ok := emitLiteral(text); ok {
			return key + ": " + block
		}
		return key + ":" + comment + "\n"
	case 4:
		return key + ": [" + emitFlow(text) + " ,b, 'c' ]" + comment + "\n"
	case 5:
		return key + ": [\n  " + emitFlow(text) + ",\n  b," + strings.ReplaceAll(comment, "\t", " ") + "\n  ]\n"
	case 6:
		return key + ":" + comment + "\n- " + emitItem(text) + comment + "\n# between\n-   b\n"
	case 7:
		return key + ":\n    - " + emitItem(text) + "\n    - |\n      c\n      d\n"
	case 8:
		return key + ": []" + comment + "\n"
	default:
		return key + ": \"a\n# " + strings.NewReplacer(`\`, "", `"`, "", "\n", "", "\r", "").Replace(text) + "\"\n"
	}
}

// Whatever a person's file looks like, an edit of one field leaves the bytes
// of all others, and every comment above them, as they are.
func TestEditLeavesTheRest(t *testing.T) {
	keys := []string{"id", "title", "status", "depends_on", "notes", "result", "started_at", "x-a", "x-b", "agent"}
	texts := seedStrings()
	refused := 0
	const rounds = 2000
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 7))
		r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		chunks, source := map[string]string{}, "---\n"
		for i, key := range keys[:1+r.IntN(6)] {
			above := []string{"", "\n", fmt.Sprintf("# above %d\n", i), "\n#x\n\n"}[r.IntN(4)]
			chunks[key] = writeOddly(r, key, texts[r.IntN(len(texts))])
			source += above + chunks[key]
		}
		source += "---\nbody\n"
		d, _ := parseDocument(taskDoc, "f.md", []byte(source))
		if !d.Readable {
			continue // some texts cannot be written in some ways
		}
		key, text, how := keys[r.IntN(7)], texts[r.IntN(len(texts))], byte(r.IntN(5))
		e, err := edited(d, key, text, how)
		if err != nil {
			refused++
			continue
		}
		for other, chunk := range chunks {
			if other != key && !strings.Contains(e.Source, chunk) {
				t.Fatalf("seed %d: edit %d of `%s` to %q changed `%s`:\n%s\n%s", seed, how, key, text, other, d.Source, e.Source)
			}
		}
		if n := strings.Count(e.Source, "# above"); n != strings.Count(d.Source, "# above") {
			t.Fatalf("seed %d: edit %d of `%s` lost a comment:\n%s\n%s", seed, how, key, d.Source, e.Source)
		}
		if junk := strings.TrimSuffix(e.Source, "---\nbody\n"); how%5 == 4 && len(junk) != len(d.Source)-len("---\nbody\n")-len(chunks[key]) {
			t.Fatalf("seed %d: deleting `%s` left or took too much:\n%s\n%s", seed, key, d.Source, e.Source)
		}
	}
	if refused > rounds/10 {
		t.Errorf("%d of %d edits were refused", refused, rounds)
	}
}
