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
