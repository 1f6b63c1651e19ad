package session

// Next gives what a plan says after an input, by what it says before it, which
// stays as it is. It is the only function that makes plans. The error is a
// [*ValidationError], and the plan that comes with it is the one before.
func Next(before View, in Input) (View, error) {
	in, err := Normalize(in)
	if err != nil {
		return before, err
	}
	next, err := in.reduce(before.clone())
	if err != nil {
		return before, err
	}
	return next, nil
}

// Normalize gives an input as it counts, with its texts trimmed, sharing
// nothing with the original. The error, a [*ValidationError], names all that
// is wrong with it; what the plan allows is for [Next] to say.
func Normalize(in Input) (Input, error) {
	var f faults
	out := in.normal(&f)
	return out, f.err(in.Tool())
}

func (in SetupPlan) reduce(View) (View, error) {
	return View{Objective: in.Objective, Status: Active}.with(in.InitialSteps), nil
}

func (in AddStep) reduce(v View) (View, error) {
	if err := needPlan(in, v); err != nil {
		return v, err
	}
	switch v.Status {
	case Completed:
		return v, refused(in, "", ErrNotActive, "the plan is completed, and steps join an active plan only: open a step again with %s, or begin the next plan with %s", ToolMark, ToolSetup)
	case Abandoned:
		return v, refused(in, "", ErrNotActive, "the plan is abandoned, and steps join an active plan only: begin the next plan with %s", ToolSetup)
	}
	return v.with(in.Steps), nil
}

func (in UpdateStep) reduce(v View) (View, error) {
	i, err := find(in, v, in.StepID)
	if err != nil {
		return v, err
	}
	if in.Title != nil {
		v.Steps[i].Title = *in.Title
	}
	if in.Details != nil {
		v.Steps[i].Details = *in.Details
	}
	return v, nil
}

func (in MarkStep) reduce(v View) (View, error) {
	i, err := find(in, v, in.StepID)
	if err != nil {
		return v, err
	}
	v.Steps[i].Status = in.Status
	if in.Note != "" {
		v.Steps[i].Notes = append(v.Steps[i].Notes, in.Note)
	}
	// A step that is opened again opens its plan, too.
	v.Status = Active
	if v.Done() == len(v.Steps) {
		v.Status = Completed
	}
	return v, nil
}

func (in ClearPlan) reduce(v View) (View, error) {
	if err := needPlan(in, v); err != nil {
		return v, err
	}
	return View{Objective: v.Objective, Status: Abandoned}, nil
}

func (in ReadPlan) reduce(v View) (View, error) { return v, needPlan(in, v) }

// with gives the view with steps at its end, numbered on from the highest.
func (v View) with(steps []NewPlanStep) View {
	n := v.nextNumber()
	for i, s := range steps {
		v.Steps = append(v.Steps, StepView{ID: idOf(n + i), Title: s.Title, Details: s.Details, Status: Pending})
	}
	return v
}

func needPlan(in Input, v View) error {
	if v.Status == "" {
		return refused(in, "", ErrNoPlan, "there is no plan: begin one with %s", ToolSetup)
	}
	return nil
}

// find gives the place of the step that an input names.
func find(in Input, v View, id string) (int, error) {
	if err := needPlan(in, v); err != nil {
		return -1, err
	}
	i := v.index(id)
	switch {
	case i >= 0:
		return i, nil
	case len(v.Steps) == 0:
		return -1, refused(in, "step_id", ErrNoStep, "there is no step %s: the plan is %s and has no steps", id, v.Status)
	}
	return -1, refused(in, "step_id", ErrNoStep, "there is no step %s: the plan has %s; %s shows them", id, span(v.Steps), ToolRead)
}
