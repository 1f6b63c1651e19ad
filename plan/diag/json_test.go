package diag

import (
	"encoding/json"
	"strings"
	"testing"
)

// A document stays what it is, and nothing in it can act on a terminal.
func FuzzJSONWriter(f *testing.F) {
	f.Add("plain")
	f.Add("\u009b31m \u202e \u200b \x7f \U000e0041 計画 🎉 \xff \u2028")
	for at := range 17 { // wherever it stands in eight bytes
		f.Add(strings.Repeat("a", at) + "\x7f" + strings.Repeat("b", 9))
		f.Add(strings.Repeat("~", at) + "\u009b" + strings.Repeat("\x7e", 9))
	}
	f.Fuzz(func(t *testing.T, text string) {
		var b strings.Builder
		enc := json.NewEncoder(JSONWriter(&b))
		enc.SetEscapeHTML(false)
		if err := enc.Encode(text); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSuffix(b.String(), "\n"); Printable(got) != got {
			t.Errorf("%q is printed as %q", text, got)
		}
		var back string
		if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back != strings.ToValidUTF8(text, "\uFFFD") && !strings.ContainsRune(back, '\uFFFD') {
			t.Errorf("%q came back as %q: %v", text, back, err)
		}
	})
}
