package git

import (
	"context"
	"errors"
	"os/exec"
	"testing"
)

// A child that succeeded did, though something that it left running still holds
// its output.
func TestHeldOutputIsNoFailure(t *testing.T) {
	if err := failure(t.Context(), []string{"push"}, &tail{}, exec.ErrWaitDelay); err != nil {
		t.Errorf("the child failed: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := failure(ctx, []string{"push"}, &tail{}, exec.ErrWaitDelay); !errors.Is(err, context.Canceled) {
		t.Errorf("a child that was ended: %v", err)
	}
}
