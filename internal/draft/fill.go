package draft

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Filling is what a thread's folder is being filled with. It is noted before the first
// file is written, so that a folder which was filled in part, by a process that was
// killed, is never taken for a plan that somebody wrote.
type Filling struct {
	// From are the files that the folder held, To those that it is to hold.
	From map[string][]byte `json:"from,omitempty"`
	To   map[string][]byte `json:"to"`
	// Then is the thread once it holds them; it has no ID and no Dir.
	Then Thread `json:"then"`
}

// fill brings a thread's folder from the files that were just read of it to others,
// with which the thread is what then says. Killed at any moment, the next command goes
// on with it; where it fails, the folder is as it was.
func (d *Drafts) fill(s *State, t *Thread, from, to map[string][]byte, then Thread) error {
	if err := d.whole(t); err != nil {
		return err
	}
	if t.follows(then, from) {
		left, err := d.writeFolder(t.Dir, from, to)
		if err == nil {
			t.become(then, left)
		}
		return err
	}
	before, err := d.State()
	if err != nil {
		return err
	}
	if err := d.noteFilling(s, t, from, to, then); err != nil {
		return err
	}
	err = d.finish(t)
	if err == nil {
		return nil
	}
	if _, failed := d.writeFolder(t.Dir, to, from); failed == nil {
		err = errors.Join(err, d.save(before))
	}
	return err
}

// follows reports whether the thread goes on with the plan that it holds, or that a
// commit has just made of it, in a folder with files of it. One that is filled in part
// needs no note then: what it has of the plan as it is stored now is no edit, see
// arrived and hasLanded.
func (t *Thread) follows(then Thread, from map[string][]byte) bool {
	if t.Pending != "" && t.Pending == then.Plan {
		return true
	}
	return t.Plan == then.Plan && t.Base != "" && !t.Cleared && t.Merging == "" && then.Merging == "" && len(from) > 0 && isDir(t.Dir)
}

// noteFilling writes down what the folder is about to be filled with.
func (d *Drafts) noteFilling(s *State, t *Thread, from, to map[string][]byte, then Thread) error {
	then.ID, then.Dir, then.Filling = "", "", nil
	t.Filling = &Filling{From: from, To: to, Then: then}
	return d.save(*s)
}

// finish fills the folder as it was noted. What somebody wrote into it meanwhile stays.
func (d *Drafts) finish(t *Thread) error {
	f := t.Filling
	if f == nil {
		return nil
	}
	left, err := d.writeFolder(t.Dir, f.From, f.To)
	if err == nil {
		t.become(f.Then, left)
	}
	return err
}

// unfilledError is the answer to the use of a thread whose folder is filled in part.
type unfilledError struct {
	thread string
	err    error
}

func (e *unfilledError) Error() string {
	return fmt.Sprintf("the folder of thread %s is filled in part, and cannot be filled: %v", e.thread, e.err)
}

func (e *unfilledError) Unwrap() error { return e.err }

// whole is finish for who is about to use the thread.
func (d *Drafts) whole(t *Thread) error {
	if err := d.finish(t); err != nil {
		return &unfilledError{t.ID, err}
	}
	return nil
}

// ready gets the current thread for who may use another one.
func (d *Drafts) ready(ctx context.Context) error {
	_, err := d.Current(ctx)
	var unfilled *unfilledError
	if errors.As(err, &unfilled) {
		return nil
	}
	return err
}

// become gives the thread what it is with its folder filled. Where files were left
// because somebody wrote them meanwhile, it keeps the base it had, so that their edits
// still meet what changed in the store.
func (t *Thread) become(then Thread, left []string) {
	if len(left) > 0 && t.Base != "" && then.Merging == "" {
		then.Base, then.Was = t.Base, t.Was
	}
	then.ID, then.Dir, then.Filling = t.ID, t.Dir, nil
	*t = then
}

// Finish fills the folders that a process was killed while it filled, where it can.
// Every command that writes does so first; who uses one that is not whole then is told.
func (d *Drafts) Finish(ctx context.Context) error {
	s, err := d.State()
	if err != nil || !s.isFilling() {
		return nil // what is wrong with the state, its reader is told
	}
	return d.change(ctx, func(*State) error { return nil })
}

func (s *State) isFilling() bool {
	return slices.ContainsFunc(s.Threads, func(t Thread) bool { return t.Filling != nil })
}
