package planspec

// Progress counts steps by status, those at every depth.
type Progress struct {
	Total   int `json:"total"`
	Done    int `json:"done"`
	Active  int `json:"active"`
	Blocked int `json:"blocked"`
	Pending int `json:"pending"`
	Skipped int `json:"skipped"`
}

// Progress counts the plan's steps.
func (p *Plan) Progress() Progress {
	var c Progress
	p.Walk(func(s *Step) {
		c.Total++
		switch s.Status {
		case Done:
			c.Done++
		case Active:
			c.Active++
		case Blocked:
			c.Blocked++
		case Skipped:
			c.Skipped++
		default:
			c.Pending++
		}
	})
	return c
}

// Converged reports whether nothing is pending or active, and each output
// that a step with children names is produced by a done child.
func (p *Plan) Converged() bool {
	converged := true
	p.Walk(func(s *Step) {
		if s.Status == Pending || s.Status == Active || len(s.Children) > 0 && !s.produced() {
			converged = false
		}
	})
	return converged
}

// produced reports whether done children give all that s names as outputs.
func (s *Step) produced() bool {
	made := map[string]bool{}
	for _, c := range s.Children {
		for _, o := range c.Outputs {
			made[o] = made[o] || c.Status == Done
		}
	}
	for _, o := range s.Outputs {
		if !made[o] {
			return false
		}
	}
	return true
}
