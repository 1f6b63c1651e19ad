package gitstore

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

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

// Missing names the objects that the ref's history leads to and that are not here,
// which no command needs before it looks at that version. In a partial clone they
// are not looked for: its remote has them.
func (s *Store) Missing(ctx context.Context) ([]string, error) {
	config, err := s.repo.Config(ctx)
	if err != nil || config.isPartial() {
		return nil, err
	}
	out, err := s.repo.Git.Read(ctx, "rev-list", "--quiet", "--objects", "--missing=print", s.ref, "--")
	return strings.Fields(strings.ReplaceAll(string(out), "?", "")), err
}

// PackFault is a pack that git reads nothing from, or not all it holds.
type PackFault struct {
	// Path is the pack's file.
	Path string
	// Index says what is wrong with the index of a pack that is whole, which git
	// index-pack makes anew. It is "" where the pack itself was cut off.
	Index string

	young bool // its index may be on its way
}

const (
	noIndex  = "it has no index"
	badIndex = "its index is damaged, or that of another pack"
	// indexDelay is the time within which git puts an index beside a pack that it
	// has put in place; a second is much.
	indexDelay = 2 * time.Minute
)

// PackFaults looks at the packs of the repository and their indexes: whether each
// pack has one that is whole and ends as the pack does. It reads the indexes, and
// of packs no more than their end unless that does not fit.
func (s *Store) PackFaults() ([]PackFault, error) {
	faults, err := s.repo.packFaults()
	return slices.DeleteFunc(faults, func(f PackFault) bool { return f.young }), err
}

func (r *Repo) packFaults() ([]PackFault, error) {
	dir := filepath.Join(r.objectDir(), "pack")
	names, err := readNames(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var faults []PackFault
	for _, name := range names {
		base, isPack := strings.CutSuffix(name, ".pack")
		if !isPack || !strings.HasPrefix(name, "pack-") {
			continue
		}
		if f, err := r.packFault(filepath.Join(dir, base)); err == nil && f != nil {
			faults = append(faults, *f)
		} // what a repack took away meanwhile is nobody's fault, and what may not be read is told elsewhere
	}
	return faults, err
}

// packFault looks at one pack, by its path without an ending.
func (r *Repo) packFault(path string) (*PackFault, error) {
	fits, err := r.endsAsIndexed(path)
	if err == nil && fits {
		fits, err = r.endsInItsSum(path + ".idx")
	}
	f := &PackFault{Path: path + ".pack", Index: badIndex}
	if errors.Is(err, fs.ErrNotExist) {
		f.Index = noIndex
		f.young, err = r.isYoung(f.Path)
	}
	if err != nil || fits {
		return nil, err
	}
	whole, err := r.endsInItsSum(f.Path)
	if !whole {
		f.Index = ""
	}
	return f, err
}

// isYoung reports whether a pack without an index came a moment ago. Who takes a
// pack away removes its index first, so it is looked for twice.
func (r *Repo) isYoung(path string) (bool, error) {
	time.Sleep(50 * time.Millisecond)
	info, err := os.Stat(path)
	return err == nil && time.Since(info.ModTime()) < indexDelay, err
}

// sumLen is the length of a checksum in a pack or its index.
func (r *Repo) sumLen() int64 { return int64(r.newHash().Size()) }

// endsAsIndexed compares the checksum at the end of a pack with that in its index,
// the last but one of two.
func (r *Repo) endsAsIndexed(path string) (bool, error) {
	said, err := tailOf(path+".idx", 2*r.sumLen())
	if err != nil {
		return false, err
	}
	is, err := tailOf(path+".pack", r.sumLen())
	return bytes.Equal(is, said[:min(r.sumLen(), int64(len(said)))]), err
}

// endsInItsSum reports whether a file ends with the checksum of all before that,
// as packs and their indexes do.
func (r *Repo) endsInItsSum(path string) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size() < r.sumLen() {
		return false, err
	}
	sum, end := r.newHash(), make([]byte, r.sumLen())
	if _, err := io.CopyN(sum, file, info.Size()-r.sumLen()); err != nil {
		return false, err
	}
	_, err = io.ReadFull(file, end)
	return bytes.Equal(end, sum.Sum(nil)), err
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
