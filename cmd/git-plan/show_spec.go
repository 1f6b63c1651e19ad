package main

import (
	"github.com/git-plan/git-plan/internal/planspec"
	"github.com/git-plan/git-plan/internal/render"
)

// showSpec writes a plan as a PlanSpec, in full or folded as the sheet is.
func (a *app) showSpec(w shown, s *render.Sheet, fold bool) error {
	serialize := planspec.Serialize
	if fold {
		serialize = planspec.SerializeFolded
	}
	text, err := serialize(w.spec)
	if err == nil {
		_, err = a.Stdout.Write([]byte(text))
	}
	return err
}
