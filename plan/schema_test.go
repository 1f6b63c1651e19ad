package plan

import (
	"slices"
	"testing"
)

// The fields that the tables call required are those without which a file is
// refused.
func TestRequiredFields(t *testing.T) {
	good := map[string]string{"title": "T", "id": "a", "level": "info"}
	for path, fields := range map[string][]FieldSpec{"plan.md": PlanFields(), "tasks/01-a.md": TaskFields(), "signals/s.md": SignalFields()} {
		front := ""
		for _, f := range fields {
			if f.Required {
				front += f.Name + ": " + good[f.Name] + "\n"
			}
		}
		if _, found := Read("p", "", []File{{Path: path, Data: []byte("---\n" + front + "---\n\nText\n")}}); len(found) > 0 {
			t.Errorf("%s: more is required: %v", path, found)
		}
		_, found := Read("p", "", []File{{Path: path, Data: []byte("---\nx-a: 1\n---\n\nText\n")}})
		if required := slices.ContainsFunc(fields, func(f FieldSpec) bool { return f.Required }); len(found) != 1 || !required {
			t.Errorf("%s: without them: %v", path, found)
		}
	}
}
