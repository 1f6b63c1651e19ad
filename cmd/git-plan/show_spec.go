package main

import (
	"io"

	"github.com/git-plan/git-plan/internal/planspec"
	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/internal/specmap"
	"github.com/git-plan/git-plan/plan/diag"
)

// showSpec writes a plan as a PlanSpec, in full or folded as the sheet is.
func (c *showCommand) showSpec(w shown, s *render.Sheet, fold bool) error {
	spec := w.spec
	if spec == nil {
		spec = specmap.Spec(w.plan)
		s.Steps.Walk(func(step *planspec.Step) {
			if same := spec.Find(step.ID); same != nil {
				same.Fold = step.Fold
			}
		})
	}
	serialize := planspec.Serialize
	if fold {
		serialize = planspec.SerializeFolded
	}
	text, err := serialize(spec)
	if err == nil {
		_, err = io.WriteString(c.Stdout, diag.PrintableText(text))
	}
	return err
}
