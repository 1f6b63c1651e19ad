package gitstore

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// replaceRefs is where git keeps refs that make one object stand for another.
const replaceRefs = "refs/replace/"

// unusual gives what keeps this process from reading the objects by itself, or
// "" where they lie as git has always laid them.
func (r *Repo) unusual(config *Config) string {
	if r.ObjectFormat != "sha1" {
		return "its objects have " + r.ObjectFormat + " names"
	}
	for _, key := range []string{
		"GIT_QUARANTINE_PATH", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_REPLACE_REF_BASE",
		"GIT_REFERENCE_BACKEND", // then refs, those that replace objects too, are not where mayReplace looks
	} {
		if r.Git.Getenv(key) != "" {
			return key + " is set"
		}
	}
	for _, key := range config.Keys("extensions.") {
		if value, _ := config.Get(key); !isHarmless(key, value) {
			return key + " is set"
		}
	}
	for _, key := range config.Keys("remote.") {
		if strings.HasSuffix(key, ".promisor") || strings.HasSuffix(key, ".partialclonefilter") {
			return key + " is set"
		}
	}
	if r.mayReplace() {
		return "it has refs below " + replaceRefs
	}
	return ""
}

// isHarmless reports whether an extension of the repository's format leaves
// objects, and the refs that may replace them, where they always were.
func isHarmless(key, value string) bool {
	switch strings.TrimPrefix(key, "extensions.") {
	case "noop", "noop-v1", "preciousobjects", "worktreeconfig", "relativeworktrees":
		return true
	case "objectformat":
		return value == "sha1"
	case "refstorage":
		return value == "files"
	}
	return false
}

// mayReplace reports whether one object may stand for another, also when that
// cannot be told.
func (r *Repo) mayReplace() bool {
	entries, err := os.ReadDir(filepath.Join(r.CommonDir, filepath.FromSlash(replaceRefs)))
	if len(entries) > 0 || err != nil && !os.IsNotExist(err) {
		return true
	}
	file, err := os.Open(filepath.Join(r.CommonDir, "packed-refs"))
	if err != nil {
		return !os.IsNotExist(err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return true
	}
	found, err := packedReplace(file, info.Size())
	return found || err != nil
}

const (
	// refWindow is how much of packed-refs is looked through for a ref, once it
	// is known to be there if anywhere.
	refWindow = 8 << 10
	// refProbe must hold a whole line after a cut one to compare with it.
	refProbe = 1 << 10
)

// packedReplace reports whether packed-refs has a ref below refs/replace/. The
// file may list 100,000 refs: where it says that it is sorted it is halved
// until a small part is left.
func packedReplace(r io.ReaderAt, size int64) (bool, error) {
	head := make([]byte, min(size, refProbe))
	if _, err := r.ReadAt(head, 0); err != nil && err != io.EOF {
		return false, err
	}
	first, _, _ := bytes.Cut(head, []byte("\n"))
	lo, hi := int64(0), size
	if bytes.HasPrefix(first, []byte("# pack-refs with:")) && bytes.Contains(append(first, ' '), []byte(" sorted ")) {
		lo, hi = narrow(r, size)
	}
	window := make([]byte, hi-lo)
	if _, err := r.ReadAt(window, lo); err != nil && err != io.EOF {
		return false, err
	}
	return bytes.Contains(window, []byte(" "+replaceRefs)), nil
}

// narrow gives the part of a sorted packed-refs in which refs/replace/ would
// begin. Where a line cannot be made out it gives up and leaves more.
func narrow(r io.ReaderAt, size int64) (lo, hi int64) {
	lo, hi = 0, size
	probe := make([]byte, refProbe)
	for hi-lo > refWindow {
		mid := lo + (hi-lo)/2
		n, err := r.ReadAt(probe, mid)
		if err != nil && err != io.EOF {
			return lo, hi
		}
		at, line := firstRef(probe[:n])
		if line == nil {
			return lo, hi
		}
		_, ref, _ := strings.Cut(string(line), " ")
		begin := mid + int64(at)
		if ref < replaceRefs {
			lo = begin
		} else {
			hi = begin + int64(len(line))
		}
	}
	return lo, hi
}

// firstRef gives the first whole line that names a ref after a cut one.
func firstRef(text []byte) (at int, line []byte) {
	at = bytes.IndexByte(text, '\n') + 1
	for at > 0 && at < len(text) {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			return 0, nil
		}
		if text[at] != '^' {
			return at, text[at : at+end]
		}
		at += end + 1
	}
	return 0, nil
}

// isNowhere reports whether it is certain, without asking git, that no worktree
// has the ref checked out: there is none but the main one, and its HEAD, a
// plain file where refs are files, names something else.
func (s *Store) isNowhere(ctx context.Context) bool {
	config, err := s.repo.Config(ctx)
	if err != nil {
		return false
	}
	if kind, set := config.Get("extensions.refStorage"); set && kind != "files" {
		return false
	}
	linked, err := os.ReadDir(filepath.Join(s.repo.CommonDir, "worktrees"))
	if len(linked) > 0 || err != nil && !os.IsNotExist(err) {
		return false
	}
	head := filepath.Join(s.repo.CommonDir, "HEAD")
	info, err := os.Lstat(head)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	text, err := os.ReadFile(head)
	target, _ := strings.CutPrefix(string(text), "ref:")
	return err == nil && strings.TrimSpace(target) != s.ref
}
