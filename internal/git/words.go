package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// lingering is how long the rest of a child's words is waited for once it has
// ended well. By then it has said what it had to say; but what a hook left
// running, or a connection that ssh keeps, may hold its standard error for hours.
const lingering = time.Second

// words is what a child says on standard error, the end of it at least. Who holds
// that after the child is listened to for as long as this process runs, so that
// it is not ended by what it says later.
type words struct {
	tail
	heard chan struct{} // closed at the end of all words
}

// start starts a child and listens to it.
func start(cmd *exec.Cmd, args []string) (*words, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("run git %s: %w", name(args), err)
	}
	cmd.Stderr = w
	err = cmd.Start()
	_ = w.Close() // the child has its own
	if err != nil {
		_ = r.Close()
		return nil, fmt.Errorf("run git %s: %w", name(args), err)
	}
	said := &words{heard: make(chan struct{})}
	go func() {
		_, _ = io.Copy(&said.tail, r)
		_ = r.Close()
		close(said.heard)
	}()
	return said, nil
}

// wait waits for the end of the child and of its words. Where it failed these say
// why, and are waited for longer; where it was asked to end nobody reads them.
func (w *words) wait(ctx context.Context, cmd *exec.Cmd) error {
	err := cmd.Wait()
	if ctx.Err() != nil {
		return err
	}
	most := lingering
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		most = grace
	}
	patience := time.NewTimer(most)
	defer patience.Stop()
	select {
	case <-w.heard:
	case <-patience.C:
	}
	return err
}
