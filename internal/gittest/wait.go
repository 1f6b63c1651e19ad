package gittest

import (
	"testing"
	"time"
)

// Hang is how long a test waits for a program before it says that it hangs. It
// is no measure of speed: a busy machine may be a hundred times slower.
const Hang = 5 * time.Minute

// Until waits until holds is true.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(Hang); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
