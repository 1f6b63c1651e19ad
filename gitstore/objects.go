package gitstore

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/objectdb"
)

// commitObject is what a commit is made of.
type commitObject struct {
	tree              string
	parents           []string
	author, committer Ident
	message           string
	sign              bool
}

// encode writes the commit as git stores it.
func (c commitObject) encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "tree %s\n", c.tree)
	for _, p := range c.parents {
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	fmt.Fprintf(&b, "author %s\ncommitter %s\n\n%s", c.author, c.committer, c.message)
	return b.Bytes()
}

// newWriter gives a writer for one change.
func (s *Store) newWriter(ctx context.Context) *packWriter {
	return &packWriter{ctx: ctx, store: s, types: map[string]string{}}
}

// keepFrom is the number of objects from which a pack is kept as it is. Smaller
// ones are unpacked, as git's own fetch does, or there would be thousands.
const keepFrom = 100

// packWriter encodes objects itself and hands them to git as one pack. After a flush
// that succeeded all that were added are in the repository. It is for one goroutine.
type packWriter struct {
	ctx     context.Context
	store   *Store
	pending []objectdb.Object
	loose   []objectdb.Object // written, each into a file of its own
	types   map[string]string // of all that were added, by name
	keeps   []string          // .keep files to remove once a ref names the objects
	ready   *git.Process      // an unpack-objects that waits for a pack, or nil
}

// unpack starts the command that takes a small pack.
func (w *packWriter) unpack() (*git.Process, error) {
	return w.store.repo.Git.Start(w.ctx, w.store.repo.durable(w.ctx, "unpack-objects", "-q")...)
}

// commit adds a commit. Git makes what it has to sign, and needs the tree for that.
func (w *packWriter) commit(c commitObject) (string, error) {
	if !c.sign {
		return w.add("commit", c.encode()), nil
	}
	if err := w.flush(); err != nil {
		return "", err
	}
	name, err := w.store.repo.commitTree(w.ctx, c)
	if err == nil {
		w.types[name] = "commit"
		w.loose = append(w.loose, objectdb.Object{Name: name, Kind: "commit"})
	}
	return name, err
}

// add names an object and keeps it for the next pack, once.
func (w *packWriter) add(kind string, data []byte) string {
	name := w.store.repo.objectName(kind, data)
	if _, known := w.types[name]; !known {
		w.types[name] = kind
		w.pending = append(w.pending, objectdb.Object{Name: name, Kind: kind, Data: data})
	}
	return name
}

// flush streams the pending objects to git as one pack. Git compresses anew what
// it unpacks.
func (w *packWriter) flush() error {
	if len(w.pending) == 0 {
		return nil
	}
	if len(w.pending) >= keepFrom || w.store.repo.isCollecting() {
		if err := w.keepPack(w.pending); err != nil {
			return err
		}
		w.pending = nil
		return nil
	}
	child, err := w.ready, error(nil)
	if w.ready = nil; child == nil {
		child, err = w.unpack()
	}
	if err != nil {
		return err
	}
	if _, err := w.stream(child, w.pending, zlib.NoCompression); err != nil {
		return err
	}
	w.loose, w.pending = append(w.loose, w.pending...), nil
	return nil
}

// stream gives objects to a child as one pack, and returns what it answers.
func (w *packWriter) stream(child *git.Process, objects []objectdb.Object, level int) (string, error) {
	failed := objectdb.WritePack(child.Stdin, w.store.repo.newHash(), objects, level)
	_ = child.Stdin.Close()
	answer, _ := io.ReadAll(child.Stdout)
	err := child.Close()
	// Some versions of git pass over an object whose folder a gc took away in the
	// same moment: they say so, and report success.
	if said := child.Stderr(); err == nil && strings.Contains(said, "unable to write file") {
		err = &git.Error{Args: []string{"unpack-objects"}, Stderr: said}
	}
	if err != nil { // git's reason explains a broken pipe
		return "", asSwept(fmt.Errorf("write objects: %w", asReadOnly(w.store.repo.objectDir(), err)))
	}
	if failed != nil {
		return "", fmt.Errorf("write objects: %w", failed)
	}
	return string(answer), nil
}

// isCollecting reports whether `git gc` is at work on the repository. Git says so
// by a file. One that was killed may leave it behind, which costs us a pack a
// commit until the next one.
func (r *Repo) isCollecting() bool {
	for _, name := range []string{"gc.pid", "gc.pid.lock"} {
		if _, err := os.Lstat(filepath.Join(r.CommonDir, name)); err == nil {
			return true
		}
	}
	return false
}

// secure packs what lies in files of its own, where a gc is at work: it may have
// looked for what is in use before we wrote, and then takes away what we wrote,
// at once with --prune=now. It takes away no packs that came after it began, and
// none with a .keep file, however long it has been at work.
func (w *packWriter) secure() error {
	if len(w.loose) == 0 || !w.store.repo.isCollecting() {
		return nil
	}
	for i, o := range w.loose {
		if o.Kind != "commit" || o.Data != nil {
			continue
		}
		data, err := w.store.repo.Git.Read(w.ctx, "cat-file", o.Kind, o.Name)
		if err != nil || w.store.repo.objectName(o.Kind, data) != o.Name {
			return &retryError{errors.Join(&MissingObjectError{Name: o.Name}, err)}
		}
		w.loose[i].Data = data
	}
	if err := w.keepPack(w.loose); err != nil {
		return err
	}
	w.loose = nil
	return nil
}

// keepPack puts objects into the repository as one pack, which nobody takes away
// before [packWriter.close].
func (w *packWriter) keepPack(objects []objectdb.Object) error {
	child, err := w.store.repo.Git.Start(w.ctx, w.store.repo.durable(w.ctx, "index-pack", "--stdin", fmt.Sprint("--keep=", keepMessage, os.Getpid()))...)
	if err != nil {
		return err
	}
	answer, err := w.stream(child, objects, zlib.DefaultCompression)
	if err != nil {
		return err
	}
	if hash, ok := strings.CutPrefix(answer, "keep\t"); ok {
		w.keeps = append(w.keeps, filepath.Join(w.store.repo.objectDir(), "pack", "pack-"+strings.TrimSpace(hash)+".keep"))
	}
	return nil
}

// close lets go of what protects the objects until a ref names them.
func (w *packWriter) close() {
	if w.ready != nil {
		w.ready.Kill()
		_ = w.ready.Close()
	}
	for _, path := range w.keeps {
		_ = os.Remove(path) // a pack that stays kept costs space only
	}
	w.keeps = nil
}

// newHash gives the hash that objects are named by.
func (r *Repo) newHash() hash.Hash {
	if r.ObjectFormat == "sha256" {
		return sha256.New()
	}
	return sha1.New()
}

// objectName gives the name of an object with this content.
func (r *Repo) objectName(kind string, data []byte) string {
	sum := r.newHash()
	fmt.Fprintf(sum, "%s %d\x00", kind, len(data))
	sum.Write(data)
	return hex.EncodeToString(sum.Sum(nil))
}

// commitTree lets git make a commit, signed if it asks for that. The tree and
// the parents must be in the repository.
func (r *Repo) commitTree(ctx context.Context, c commitObject) (string, error) {
	args := r.durable(ctx, "-c", "i18n.commitEncoding=UTF-8", "commit-tree")
	if c.sign {
		args = append(args, "-S")
	} else {
		args = append(args, "--no-gpg-sign")
	}
	for _, p := range c.parents {
		args = append(args, "-p", p)
	}
	g := r.Git.WithEnv(
		"GIT_AUTHOR_NAME="+c.author.Name, "GIT_AUTHOR_EMAIL="+c.author.Email, "GIT_AUTHOR_DATE=@"+c.author.date(),
		"GIT_COMMITTER_NAME="+c.committer.Name, "GIT_COMMITTER_EMAIL="+c.committer.Email, "GIT_COMMITTER_DATE=@"+c.committer.date(),
	)
	out, err := g.Write(ctx, strings.NewReader(c.message), append(args, c.tree)...)
	if err != nil {
		return "", asSwept(fmt.Errorf("make the commit: %w", err))
	}
	return strings.TrimSpace(string(out)), nil
}
