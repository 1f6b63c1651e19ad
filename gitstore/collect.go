package gitstore

import (
	"compress/zlib"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

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
		if o.kind != "commit" || o.data != nil {
			continue
		}
		data, err := w.store.repo.Git.Read(w.ctx, "cat-file", o.kind, o.name)
		if err != nil || w.store.repo.objectName(o.kind, data) != o.name {
			return &retryError{errors.Join(&MissingObjectError{Name: o.name}, err)}
		}
		w.loose[i].data = data
	}
	if err := w.keepPack(w.loose); err != nil {
		return err
	}
	w.loose = nil
	return nil
}

// keepPack puts objects into the repository as one pack, which nobody takes away
// before [packWriter.close].
func (w *packWriter) keepPack(objects []newObject) error {
	child, err := w.store.repo.Git.Start(w.ctx, w.store.repo.durable(w.ctx, "index-pack", "--stdin", fmt.Sprintf("--keep=git-plan %d", os.Getpid()))...)
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
