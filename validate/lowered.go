package validate

import "fmt"

// Lowered tells, a phrase each, in what g asks for less than before did.
func (g Gates) Lowered(before Gates) []string {
	var out []string
	if g.Gate < before.Gate {
		out = append(out, fmt.Sprintf("gate from %s to %s", before.Gate, g.Gate))
	}
	for _, r := range Rules() {
		for _, gate := range []Gate{Base, Strict} {
			old, now := before.Severity(r, max(gate, before.Gate)), g.Severity(r, max(gate, before.Gate, g.Gate))
			if now < old {
				out = append(out, fmt.Sprintf("rule %s from %s to %s", r.ID, old, now))
				break
			}
		}
	}
	return out
}
