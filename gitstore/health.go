package gitstore

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-plan/git-plan/internal/git"
)

// HistoryFault says why the ref's history cannot be followed to its beginning, or
// "". What a commit-graph remembers of commits does not count.
func (s *Store) HistoryFault(ctx context.Context) (string, error) {
	_, err := s.repo.Git.Read(ctx, "-c", "core.commitGraph=false", "rev-list", "--count", s.ref, "--")
	var refused *git.Error
	if errors.As(err, &refused) {
		return firstLine(err), nil
	}
	return "", err
}

// CutPacks gives the paths of packs of the repository that do not end as their
// indexes say: they were cut off, or their end was overwritten. Git reads nothing
// from such a pack. Their content is not looked at.
func (s *Store) CutPacks() ([]string, error) {
	dir := filepath.Join(s.repo.CommonDir, "objects", "pack")
	names, err := readNames(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var cut []string
	for _, name := range names {
		base, isIndex := strings.CutSuffix(name, ".idx")
		if !isIndex || !strings.HasPrefix(name, "pack-") {
			continue
		}
		path := filepath.Join(dir, base)
		if whole, err := s.repo.endsAsIndexed(path); err == nil && !whole {
			cut = append(cut, path+".pack")
		} // what a repack took away meanwhile is nobody's fault
	}
	return cut, nil
}

// endsAsIndexed compares the checksum at the end of a pack with that in its index,
// the last but one of two.
func (r *Repo) endsAsIndexed(path string) (bool, error) {
	size := int64(20)
	if r.ObjectFormat == "sha256" {
		size = 32
	}
	said, err := tailOf(path+".idx", 2*size)
	if err != nil {
		return false, err
	}
	is, err := tailOf(path+".pack", size)
	return bytes.Equal(is, said[:min(size, int64(len(said)))]), err
}

// tailOf reads the last bytes of a file, all of a shorter one.
func tailOf(path string, n int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	tail := make([]byte, min(n, info.Size()))
	_, err = file.ReadAt(tail, info.Size()-int64(len(tail)))
	return tail, err
}
