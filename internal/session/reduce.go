package session

// Next gives what a plan says after an input, by what it says before it, which
// stays as it is. It is the only function that makes plans. The error is a
// [*ValidationError], and the plan that comes with it is the one before.
func Next(before View, in Input) (View, error) {
	in, err := in.normal()
	if err != nil {
		return before, err
	}
	v := before.clone()
	switch {
	case in.Tool == ToolSetup:
		return View{Objective: in.Objective, Status: Active, Steps: []StepView{}}.with(in.InitialSteps), nil
	case !v.Exists():
		return before, refused(in, "", ErrNotFound, "there is no plan: begin one with %s", ToolSetup)
	case in.Tool == ToolClear:
		return View{Objective: v.Objective, Status: Abandoned, Steps: []StepView{}}, nil
	case in.Tool == ToolAdd && v.Status == Completed:
		return before, refused(in, "", ErrNotActive, "the plan is completed, and steps join an active plan only: open a step again with %s, or begin the next plan with %s", ToolMark, ToolSetup)
	case in.Tool == ToolAdd && v.Status == Abandoned:
		return before, refused(in, "", ErrNotActive, "the plan is abandoned, and steps join an active plan only: begin the next plan with %s", ToolSetup)
	case in.Tool == ToolAdd:
		return v.with(in.Steps), nil
	case in.Tool == ToolUpdate || in.Tool == ToolMark:
		i := v.index(in.StepID)
		if i < 0 {
			return before, noStep(in, v)
		}
		v.Steps[i].change(in)
	}
	if in.Tool == ToolMark { // a step that is opened again opens its plan, too
		v.Status = Active
		if v.Done() == len(v.Steps) {
			v.Status = Completed
		}
	}
	return v, nil
}

// change rewords the step, or says where it stands.
func (s *StepView) change(in Input) {
	if in.Title != nil {
		s.Title = *in.Title
	}
	if in.Details != nil {
		s.Details = *in.Details
	}
	if in.Status != "" {
		s.Status = in.Status
	}
	if in.Note != "" {
		s.Notes = append(s.Notes, in.Note)
	}
}

// with gives the view with steps at its end, numbered on from the highest.
func (v View) with(steps []NewPlanStep) View {
	n := v.nextNumber()
	for i, s := range steps {
		v.Steps = append(v.Steps, StepView{ID: idOf(n + i), Title: s.Title, Details: s.Details, Status: Pending})
	}
	return v
}

// noStep refuses an input that names a step that is not there.
func noStep(in Input, v View) error {
	if len(v.Steps) == 0 {
		return refused(in, "step_id", ErrNotFound, "there is no step %s: the plan is %s and has no steps", in.StepID, v.Status)
	}
	return refused(in, "step_id", ErrNotFound, "there is no step %s: the plan has %s; %s shows them", in.StepID, span(v.Steps), ToolRead)
}
