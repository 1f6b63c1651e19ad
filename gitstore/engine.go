package gitstore

import (
	"context"
	"fmt"
	"path/filepath"
)

// The names of the engines, as plan.engine takes them.
const (
	engineGogit  = "gogit"
	engineNative = "native"
)

// engine reads objects. Each implementation gives the same answers: bytes that
// the caller may keep, or *[MissingObjectError] for an object that is not there,
// *[CorruptObjectError] for one that is not what it should be, *[TooLargeError]
// for one of more than max bytes, which is then not read (max <= 0 is no bound),
// and ctx's error. It is safe for concurrent use.
type engine interface {
	// name is one of the names above.
	name() string
	// read gives the content of an object, whose type must be want: "commit",
	// "tree" or "blob".
	read(ctx context.Context, name, want string, max int64) ([]byte, error)
	// close lets go of children, files and memory; a later read may follow.
	close() error
}

// Engine gives the name of what reads objects: "gogit", this process itself, or
// "native", a git child, which serves the repositories that the first does not
// know how to read. The configuration plan.engine=native asks for the second;
// Engine is "" when plan.engine names neither, and then nothing can be read.
func (s *Store) Engine() string {
	e, err := s.reader(context.Background())
	if err != nil {
		return ""
	}
	return e.name()
}

// read reads one object by the store's engine.
func (s *Store) read(ctx context.Context, name, want string, max int64) ([]byte, error) {
	e, err := s.reader(ctx)
	if err != nil {
		return nil, err
	}
	return e.read(ctx, name, want, max)
}

// reader gives the engine, chosen by the first who asks.
func (s *Store) reader(ctx context.Context) (engine, error) {
	s.choosing.Lock()
	defer s.choosing.Unlock()
	if s.engine != nil {
		return s.engine, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// The configuration is kept, so it must not be lost to one who gave up.
	e, err := s.choose(context.WithoutCancel(ctx))
	s.engine = e
	return e, err
}

// choose takes git itself wherever this process might read something else than
// git would. What goes unnoticed here is not read wrongly either: objects are
// checked against their names, and git is asked for what is not found.
func (s *Store) choose(ctx context.Context) (engine, error) {
	config, err := s.repo.Config(ctx)
	if err != nil {
		return &s.batch, nil
	}
	switch wish, _ := config.Get("plan.engine"); wish {
	case "", engineGogit:
	case engineNative:
		return &s.batch, nil
	default:
		return nil, fmt.Errorf("bad config value '%s' for 'plan.engine'; set it to %s or %s", wish, engineGogit, engineNative)
	}
	if s.repo.unusual(config) != "" {
		return &s.batch, nil
	}
	db, err := openObjectDB(filepath.Join(s.repo.CommonDir, "objects"))
	if err != nil {
		return &s.batch, nil
	}
	return &gogit{repo: s.repo, db: db, git: &s.batch}, nil
}
