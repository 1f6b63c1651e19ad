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
	var n [5]int
	p.Walk(func(s *Step) { n[s.Status]++ })
	return Progress{n[Pending] + n[Active] + n[Done] + n[Blocked] + n[Skipped], n[Done], n[Active], n[Blocked], n[Pending], n[Skipped]}
}
