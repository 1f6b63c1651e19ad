//go:build !unix

package gittest

import "time"

// Spent gives how long work took.
func Spent(work func()) time.Duration {
	began := time.Now()
	work()
	return time.Since(began)
}
