//go:build !unix

package run

import "context"

// Become runs the program to its end, where none can take the place of another,
// and gives its exit status. It returns a *[StartError] if it could not be run.
func (c Command) Become(ctx context.Context) (int, error) {
	result, err := c.Run(ctx)
	return result.Status, err
}
