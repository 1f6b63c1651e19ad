package gittest

import (
	"testing"
	"time"
)

// Linear requires that work which is four times as much takes no more than what
// grows with it, whatever the machine is busy with: a look at all pairs would
// take sixteen times as long. prepare gives the work for a size and is not
// counted; each size is tried a few times, and the best time counts.
func Linear(t *testing.T, what string, size int, prepare func(size int) (work func())) {
	t.Helper()
	small, large := best(prepare, size/4), best(prepare, size)
	const factor, slack = 12, 20 * time.Millisecond
	if large > factor*small+slack {
		t.Errorf("%s: %v for %d, and %v for %d", what, small, size/4, large, size)
	} else {
		t.Logf("%s: %v for %d, and %v for %d", what, small, size/4, large, size)
	}
}

func best(prepare func(int) func(), size int) time.Duration {
	least := time.Duration(0)
	for range 3 {
		if took := Spent(prepare(size)); least == 0 || took < least {
			least = took
		}
	}
	return least
}
