// Package words puts counts and lists into messages. [Count] says how many,
// [Few] names the first of many.
package words

import (
	"fmt"
	"strings"
)

// Count gives "1 error", "2 errors".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Few joins names by commas, at most shown of them, and says how many more
// there are.
func Few(names []string, shown int) string {
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}
