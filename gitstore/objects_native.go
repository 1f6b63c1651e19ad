package gitstore

import (
	"bytes"
	"fmt"
	"strings"
)

// nativeWriter makes each object with a plumbing command of its own. It is slow
// and works wherever git does.
type nativeWriter struct{ *packWriter }

func (w *nativeWriter) expect() {}

func (w *nativeWriter) blob(data []byte) (string, error) {
	return w.run("blob", data, "hash-object", "-w", "--stdin")
}

// tree writes the folder as it is. mktree would refuse to carry along some of
// the entries that a hostile neighbour may have put there.
func (w *nativeWriter) tree(entries []Entry) (string, error) {
	data, err := encodeTree(entries)
	if err != nil {
		return "", err
	}
	return w.run("tree", data, "hash-object", "-t", "tree", "--literally", "-w", "--stdin")
}

func (w *nativeWriter) commit(c commitObject) (string, error) { return w.commitTree(c) }

// run makes one object of the given type from standard input.
func (w *nativeWriter) run(kind string, stdin []byte, args ...string) (string, error) {
	out, err := w.store.repo.Git.Write(w.ctx, bytes.NewReader(stdin), w.store.repo.durable(w.ctx, args...)...)
	if err != nil {
		return "", asSwept(fmt.Errorf("write a %s: %w", kind, asReadOnly("the object directory", err)))
	}
	name := strings.TrimSpace(string(out))
	w.types[name] = kind
	w.loose = append(w.loose, newObject{name, kind, stdin})
	return name, nil
}

// kind gives the type of the object the entry names.
func (e Entry) kind() string {
	switch e.Mode & 0o170000 {
	case ModeFolder:
		return "tree"
	case ModeSubmodule:
		return "commit"
	}
	return "blob"
}
