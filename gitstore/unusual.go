package gitstore

import (
	"bufio"
	"bytes"
	"context"
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
	if !isGone(filepath.Join(r.CommonDir, "objects", "info", "alternates")) {
		return "it borrows objects"
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
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if bytes.Contains(lines.Bytes(), []byte(" "+replaceRefs)) {
			return true
		}
	}
	return lines.Err() != nil
}

// isNowhere reports whether it is certain, without asking git, that no worktree
// has the ref checked out: there is none but the main one, and its HEAD, a
// plain file where refs are files, names something else.
func (s *Store) isNowhere(ctx context.Context) bool {
	if config, err := s.repo.Config(ctx); err != nil || !s.repo.keepsFiles(config) {
		return false
	}
	linked, err := os.ReadDir(filepath.Join(s.repo.CommonDir, "worktrees"))
	if len(linked) > 0 || err != nil && !os.IsNotExist(err) {
		return false
	}
	line := headLine(s.repo.CommonDir)
	target, _ := strings.CutPrefix(line, "ref:")
	return line != "" && strings.TrimSpace(target) != s.ref
}
