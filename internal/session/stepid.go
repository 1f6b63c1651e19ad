package session

import (
	"fmt"
	"regexp"
	"strconv"
)

// stepID is the form of a step's id. Nine digits are more than memory holds,
// and few enough for any int.
var stepID = regexp.MustCompile(`^S([0-9]{3}|[1-9][0-9]{3,8})$`)

// nextNumber gives the number of the next step: one more than the highest
// there is, so that none is used twice.
func (v View) nextNumber() int {
	highest := 0
	for _, s := range v.Steps {
		highest = max(highest, number(s.ID))
	}
	return highest + 1
}

// number gives the numeric suffix of an id, 0 where it has none.
func number(id string) int {
	m := stepID.FindStringSubmatch(id)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1]) // nine digits at most
	return n
}

// idOf gives the id with a number: S007, S1000.
func idOf(n int) string { return fmt.Sprintf("S%03d", n) }
