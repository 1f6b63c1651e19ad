package gitstore

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-plan/git-plan/internal/objectdb"
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
func (s *objects) Engine() string {
	e, err := s.reader(context.Background())
	if err != nil {
		return ""
	}
	return e.name()
}

// read reads one object by the store's engine.
func (s *objects) read(ctx context.Context, name, want string, max int64) ([]byte, error) {
	if o, ok := s.unwritten(name); ok {
		return readUnwritten(o, want, max)
	}
	e, err := s.reader(ctx)
	if err != nil {
		return nil, err
	}
	return e.read(ctx, name, want, max)
}

// reader gives the engine, chosen by the first who asks.
func (s *objects) reader(ctx context.Context) (engine, error) {
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
func (s *objects) choose(ctx context.Context) (engine, error) {
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
	db, err := objectdb.Open(filepath.Join(s.repo.CommonDir, "objects"))
	if err != nil {
		return &s.batch, nil
	}
	return &gogit{repo: s.repo, db: db, git: &s.batch}, nil
}

// objects reads the objects of a repository.
type objects struct {
	repo  *Repo
	batch batch // reads where engine does not

	choosing sync.Mutex
	engine   engine // nil before the first read

	mu      sync.Mutex
	trees   map[string][]Entry
	cached  int        // entries in trees
	pending []*Pending // what is in memory only

	blobs     map[string][]byte // that were read, nil where none are kept
	blobBytes int
}

// Tree gives the entries of a tree, one level, exactly as stored.
func (s *objects) Tree(ctx context.Context, name string) ([]Entry, error) {
	entries, err := s.tree(ctx, name)
	return slices.Clone(entries), err
}

// tree is Tree that shares its result: it must not be changed.
func (s *objects) tree(ctx context.Context, name string) ([]Entry, error) {
	if name == s.repo.EmptyTree() { // git knows it without storing it
		return nil, nil
	}
	s.mu.Lock()
	entries, ok := s.trees[name]
	s.mu.Unlock()
	if ok {
		return entries, nil
	}
	data, err := s.read(ctx, name, "tree", maxTree)
	if err != nil {
		return nil, err
	}
	if entries, err = decodeTree(name, data, s.repo.nameLen()/2); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cached += len(entries); s.cached > treeCacheEntries { // all are forgotten
		clear(s.trees)
		s.cached = len(entries)
	}
	s.trees[name] = entries
	return entries, nil
}

// Blob gives the content of a blob. One of more than max bytes is not read:
// *[TooLargeError]; max <= 0 is no bound.
func (s *objects) Blob(ctx context.Context, name string, max int64) ([]byte, error) {
	s.mu.Lock()
	data, ok := s.blobs[name]
	keeps := s.blobs != nil
	s.mu.Unlock()
	if ok && (max <= 0 || int64(len(data)) <= max) {
		return slices.Clone(data), nil
	}
	data, err := s.read(ctx, name, "blob", max)
	if err == nil && keeps {
		s.keepBlob(name, data)
	}
	return data, err
}

// KeepBlobs keeps blobs that are read in memory until end is called: for a reader of
// many states, which share most of their files.
func (s *objects) KeepBlobs() (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.blobs != nil {
		return func() {}
	}
	s.blobs, s.blobBytes = map[string][]byte{}, 0
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.blobs = nil
	}
}

func (s *objects) keepBlob(name string, data []byte) {
	const most = 16 << 20 // bytes in all, an eighth of it in one
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.blobs == nil || len(data) > most/8 {
		return
	}
	if s.blobBytes += len(data); s.blobBytes > most {
		clear(s.blobs)
		s.blobBytes = len(data)
	}
	s.blobs[name] = slices.Clone(data)
}

// Lookup finds a path, with slashes, in a commit and says whether it is there.
// The path "" is the root folder.
func (s *objects) Lookup(ctx context.Context, commit, path string) (Entry, bool, error) {
	c, err := s.Commit(ctx, commit)
	if err != nil {
		return Entry{}, false, err
	}
	at := Entry{Mode: ModeFolder, Object: c.Tree}
	if path == "" {
		return at, true, nil
	}
	for part := range strings.SplitSeq(path, "/") {
		if !at.IsFolder() {
			return Entry{}, false, nil
		}
		entries, err := s.tree(ctx, at.Object)
		if err != nil {
			return Entry{}, false, err
		}
		i := slices.IndexFunc(entries, func(e Entry) bool { return e.Name == part })
		if i < 0 {
			return Entry{}, false, nil
		}
		at = entries[i]
	}
	return at, true, nil
}
