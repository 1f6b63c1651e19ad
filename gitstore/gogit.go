package gitstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-plan/git-plan/internal/objectdb"
)

// gogit reads SHA-1 objects in this process, with go-git's types over a reader
// that looks up one object at a time. What it does not find, or finds damaged,
// it asks git for before it says so.
type gogit struct {
	repo *Repo
	db   *objectdb.DB
	git  engine // starts its child when it is first asked
}

func (e *gogit) name() string { return engineGogit }

func (e *gogit) read(ctx context.Context, name, want string, max int64) ([]byte, error) {
	if !e.repo.isName(name) {
		return nil, fmt.Errorf("%q is no object name", name)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	kind, err := plumbing.ParseObjectType(want)
	if err != nil {
		return nil, fmt.Errorf("%q is no object type", want)
	}
	data, err := e.db.Read(plumbing.NewHash(name), kind, max)
	var large *TooLargeError
	if err == nil || errors.As(err, &large) {
		return data, err
	}
	return e.ask(ctx, name, kind, max, err)
}

// ask lets git judge what failed here. Git does not compare what it reads with
// the name, so that is done here, too.
func (e *gogit) ask(ctx context.Context, name string, kind plumbing.ObjectType, max int64, failed error) ([]byte, error) {
	data, err := e.git.read(ctx, name, kind.String(), max)
	var corrupt *CorruptObjectError
	var large *TooLargeError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil && plumbing.ComputeHash(kind, data).String() == name:
		return data, nil
	case err == nil:
		return nil, &CorruptObjectError{name, "its content does not have that name"}
	case errors.Is(failed, objectdb.ErrNotFound) || errors.As(err, &corrupt) || errors.As(err, &large):
		return nil, err
	}
	return nil, &CorruptObjectError{name, failed.Error()}
}

func (e *gogit) close() error {
	return errors.Join(e.db.Close(), e.git.close())
}
