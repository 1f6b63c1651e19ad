package session

import (
	"fmt"
	"strconv"
	"strings"
)

// nextNumber gives the number of the next step: one more than the highest
// there is, so that none is used twice.
func (v View) nextNumber() int {
	highest := 0
	for _, s := range v.Steps {
		highest = max(highest, number(s.ID))
	}
	return highest + 1
}

// maxDigits bounds the suffix of an id: more steps than memory holds, and few
// enough for any int.
const maxDigits = 9

// number gives the numeric suffix of an id, 0 where it has none. Three digits
// are the least, and only they may begin with a zero.
func number(id string) int {
	digits, ok := strings.CutPrefix(id, "S")
	if !ok || len(digits) < 3 || len(digits) > maxDigits || len(digits) > 3 && digits[0] == '0' || strings.Trim(digits, "0123456789") != "" {
		return 0
	}
	n, _ := strconv.Atoi(digits)
	return n
}

// idOf gives the id with a number: S007, S1000.
func idOf(n int) string { return fmt.Sprintf("S%03d", n) }
