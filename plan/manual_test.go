package plan

import (
	"os"
	"strings"
	"testing"
)

// The manual of the format names every field, and every word a field allows.
func TestFormatManual(t *testing.T) {
	data, err := os.ReadFile("../docs/format.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(data), "\n## ")
	for i, kind := range []docKind{planDoc, taskDoc, signalDoc} {
		for _, s := range specs(kind) {
			for _, word := range append([]string{s.Name}, s.Values...) {
				if !strings.Contains(parts[i+1], "`"+word+"`") {
					t.Errorf("docs/format.md, %q, does not name `%s`", strings.SplitN(parts[i+1], "\n", 2)[0], word)
				}
			}
		}
	}
}
