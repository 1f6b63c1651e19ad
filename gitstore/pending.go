package gitstore

import (
	"bytes"
	"context"
	"maps"

	"github.com/git-plan/git-plan/internal/objectdb"
)

// Pending makes commits in memory. Until they are written they can be read through
// the store like all others, by this process alone. Close it; it is for one
// goroutine.
type Pending struct {
	update *update
	build  *builder
	trees  map[string]string // of the commits that were made
	named  map[string]string // what they took over, with the types it must have

	objects map[string]objectdb.Object // that are not written, guarded by the store's mu
	bytes   int
}

// maxPending bounds the bytes that are kept in memory.
const maxPending = 32 << 20

// Pending begins to make commits.
func (s *Store) Pending(ctx context.Context) *Pending {
	out := s.newWriter(ctx)
	p := &Pending{
		update: &update{ctx: ctx, store: s, who: s.repo.askIdentities(ctx)},
		build:  &builder{ctx: ctx, store: s, out: out, fresh: map[string][]Entry{}},
		trees:  map[string]string{}, named: map[string]string{}, objects: map[string]objectdb.Object{},
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending = append(s.pending, p)
	return p
}

// Make makes a commit whose parents and base are commits of the store, pending ones
// too, and gives its name.
func (p *Pending) Make(c Change) (string, error) {
	maps.Copy(p.named, namedObjects(p.update.store.repo, c))
	object, err := p.update.commitObject(p.build, c, "", p.trees)
	if err != nil {
		return "", err
	}
	out := p.build.out
	name, err := out.commit(object)
	if err != nil {
		return "", err
	}
	p.trees[name] = object.tree
	if object.sign { // for which all of it was written
		p.forget()
	}
	p.keep(out.pending)
	if p.bytes > maxPending {
		err = p.flush()
	}
	return name, err
}

// keep shows the store what is not written yet.
func (p *Pending) keep(unwritten []objectdb.Object) {
	mu := &p.update.store.mu
	mu.Lock()
	defer mu.Unlock()
	for _, o := range unwritten[len(p.objects):] {
		p.objects[o.Name] = o
		p.bytes += len(o.Data)
	}
}

// Write puts all commits into the repository, and makes sure that what they took
// over from others is there.
func (p *Pending) Write() error {
	if err := p.flush(); err != nil {
		return err
	}
	return p.update.store.repo.checkObjects(p.update.ctx, p.named)
}

func (p *Pending) flush() error {
	if err := p.build.out.flush(); err != nil {
		return err
	}
	p.forget()
	return nil
}

// forget takes from the store what is written, or not wanted.
func (p *Pending) forget() {
	mu := &p.update.store.mu
	mu.Lock()
	defer mu.Unlock()
	clear(p.objects)
	p.bytes = 0
}

// Close drops what was not written, and lets go of what protects the rest until a
// ref names it.
func (p *Pending) Close() {
	p.build.out.close()
	p.forget()
	s := p.update.store
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, other := range s.pending {
		if other == p {
			s.pending = append(s.pending[:i:i], s.pending[i+1:]...)
			return
		}
	}
}

// unwritten gives an object that is in memory only.
func (s *objects) unwritten(name string) (objectdb.Object, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.pending {
		if o, ok := p.objects[name]; ok {
			return o, true
		}
	}
	return objectdb.Object{}, false
}

// readUnwritten is the answer of an engine about an object in memory.
func readUnwritten(o objectdb.Object, want string, max int64) ([]byte, error) {
	switch size := int64(len(o.Data)); {
	case o.Kind != want:
		return nil, &CorruptObjectError{o.Name, "it is a " + o.Kind + ", not a " + want}
	case max > 0 && size > max:
		return nil, &TooLargeError{Name: o.Name, Size: size, Max: max}
	}
	return bytes.Clone(o.Data), nil
}
