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
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/git-plan/git-plan/internal/git"
)

const (
	// looseBound is how many loose objects are looked at for being empty: git
	// tidies long before there are as many.
	looseBound = 200_000
	// recentCommits is how many commits of the ref have their loose objects
	// read, and recentLoose how many such objects at most.
	recentCommits = 200
	recentLoose   = 20_000
)

// BadObject is a loose object whose file does not hold what its name says, as a
// loss of power or a full disk leaves it.
type BadObject struct {
	// Name is the object's name, Path its file.
	Name, Path string
	// Detail says what is wrong with the file.
	Detail string
	// Needed is the path that the object has in a commit of the ref, or "commit"
	// for one of those commits itself; "" if no commit of the ref that can be
	// read needs it.
	Needed string
	// Obstacle says why the object may be whole although its file cannot be
	// read, or "". Such a file is not moved.
	Obstacle string
}

// LooseReport is what [Store.BadObjects] found.
type LooseReport struct {
	// Bad are the faults.
	Bad []BadObject
	// Looked is the number of loose objects that were looked at, Partial says
	// that there are more.
	Looked  int
	Partial bool
}

// BadObjects looks for loose objects that are empty, and for others of the ref's
// newest commits that do not have the content of their name. It costs the
// listing of 256 folders and one system call for each loose object, of which it
// looks at 200,000 at most; it reads only what the newest 200 commits of the
// ref need. Packs have sums of their own, which git checks.
func (s *Store) BadObjects(ctx context.Context) (LooseReport, error) {
	loose, report, err := s.scanLoose(ctx)
	if err != nil {
		return report, err
	}
	recent := s.needed(ctx, recentCommits)
	read := 0
	for name, where := range recent {
		path, ok := loose[name]
		if !ok || read == recentLoose {
			continue
		}
		read++
		b := BadObject{Name: name, Path: path, Needed: where}
		if b.Detail, err = s.repo.looseFault(path, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			b.Detail, b.Obstacle = err.Error(), mayBeThere
		}
		if b.Detail != "" {
			report.Bad = append(report.Bad, b)
		}
	}
	return report, s.nameNeeds(ctx, report.Bad)
}

// scanLoose lists the loose objects by name, without the empty ones, which are
// faults already.
func (s *Store) scanLoose(ctx context.Context) (map[string]string, LooseReport, error) {
	var report LooseReport
	loose := map[string]string{}
	objects := s.repo.objectDir()
	for i := range 256 {
		folder := fmt.Sprintf("%02x", i)
		names, _ := readNames(filepath.Join(objects, folder)) // it need not be there
		for _, rest := range names {
			name, path := folder+rest, filepath.Join(objects, folder, rest)
			if !s.repo.isName(name) {
				continue
			}
			if report.Looked == looseBound {
				report.Partial = true
				return loose, report, nil
			}
			info, err := os.Lstat(path)
			if err != nil { // packed meanwhile
				continue
			}
			report.Looked++
			if info.Size() == 0 {
				report.Bad = append(report.Bad, BadObject{Name: name, Path: path, Detail: "its file is empty"})
				continue
			}
			loose[name] = path
		}
		if err := ctx.Err(); err != nil {
			return nil, report, err
		}
	}
	return loose, report, nil
}

// needed gives the objects of the ref's newest commits, all of them if limit
// is 0, with their paths. Where git stops at a fault it gives those before it.
func (s *Store) needed(ctx context.Context, limit int) map[string]string {
	args := []string{"rev-list", "--objects"}
	if limit > 0 {
		args = append(args, fmt.Sprintf("--max-count=%d", limit))
	}
	out, _ := s.repo.Git.Read(ctx, append(args, s.ref, "--")...)
	return parseObjects(out)
}

// parseObjects reads what git rev-list --objects prints.
func parseObjects(out []byte) map[string]string {
	found := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, path, isObject := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case !isObject:
			path = "commit"
		case path == "":
			path = "/"
		}
		found[name] = path
	}
	return found
}

// Needs reports whether a commit of the ref needs an object, which may be gone.
func (s *Store) Needs(ctx context.Context, name string) bool {
	out, err := s.repo.Git.Read(ctx, "rev-list", "--objects", s.ref, "--")
	_, there := parseObjects(out)[name]
	return there || git.Said(err, name) // git ends at the first that is gone
}

// nameNeeds fills in what needs the bad objects, by the whole history.
func (s *Store) nameNeeds(ctx context.Context, bad []BadObject) error {
	if len(bad) == 0 {
		return nil
	}
	all := s.needed(ctx, 0)
	if name, err := s.target(ctx); err == nil && all[name] == "" {
		all[name] = "commit"
	}
	for i, b := range bad {
		if b.Needed == "" {
			bad[i].Needed = all[b.Name]
		}
	}
	return ctx.Err()
}

// looseFault says what is wrong with the file of a loose object, or "". It is an
// error if the file cannot be read, which says nothing of what it holds.
func (r *Repo) looseFault(path, name string) (fault string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	in, err := zlib.NewReader(file)
	if err != nil {
		return unlessUnread("its file is no compressed data", err)
	}
	sum := r.newHash()
	if _, err := io.Copy(sum, in); err != nil {
		return unlessUnread("its file is damaged or cut off", err)
	}
	if hex.EncodeToString(sum.Sum(nil)) != name {
		return "its file has other content", nil
	}
	return "", nil
}

// unlessUnread gives a fault of what a file holds, unless err is of a file that
// could not be read. A folder in its place is a fault.
func unlessUnread(fault string, err error) (string, error) {
	var unread *fs.PathError
	if errors.As(err, &unread) && !errors.Is(err, syscall.EISDIR) {
		return "", err
	}
	return fault, nil
}

// newHash gives the hash that objects are named by.
func (r *Repo) newHash() hash.Hash {
	if r.ObjectFormat == "sha256" {
		return sha256.New()
	}
	return sha1.New()
}

// hasName reports whether content is that of the object's name.
func (r *Repo) hasName(name, kind string, data []byte) bool {
	return r.objectName(kind, data) == name
}

// objectName gives the name of an object with this content.
func (r *Repo) objectName(kind string, data []byte) string {
	sum := r.newHash()
	fmt.Fprintf(sum, "%s %d\x00", kind, len(data))
	sum.Write(data)
	return hex.EncodeToString(sum.Sum(nil))
}

// isReadable reports whether git reads an object, and whole.
func (s *Store) isReadable(ctx context.Context, name string) bool {
	kind, err := s.repo.Git.ReadLine(ctx, "cat-file", "-t", name)
	if err != nil {
		return false
	}
	data, err := s.repo.Git.Read(ctx, "cat-file", kind, name)
	return err == nil && s.repo.hasName(name, kind, data)
}

// MendObject moves the file of a bad object out of the way, so that git finds
// another copy in a pack or in a repository that this one borrows from, or can
// write the object again. It reports whether the object can be read now. A file
// that has some content, and of which there is no other copy, is kept, and kept
// says where. One that cannot be read stays: it is an error.
func (s *Store) MendObject(ctx context.Context, b BadObject) (readable bool, kept string, err error) {
	fault, err := s.repo.looseFault(b.Path, b.Name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, "", err
	}
	if fault == "" { // gone or written again meanwhile
		return s.isReadable(ctx, b.Name), "", nil
	}
	if err := s.repo.makeDir(); err != nil {
		return false, "", err
	}
	dir := filepath.Join(s.repo.dir(), "bad-objects")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return false, "", asReadOnly(dir, err)
	}
	s.repo.Share(dir)
	kept = filepath.Join(dir, b.Name)
	if err := os.Rename(b.Path, kept); err != nil {
		return false, "", asReadOnly(b.Path, err)
	}
	if fault, err := s.repo.looseFault(kept, b.Name); fault == "" { // written again in the last moment
		return err == nil, "", asReadOnly(b.Path, errors.Join(err, os.Rename(kept, b.Path)))
	}
	readable = s.isReadable(ctx, b.Name)
	if info, err := os.Lstat(kept); readable || err == nil && info.Size() == 0 {
		err, kept = asReadOnly(kept, os.Remove(kept)), ""
		_ = os.Remove(dir) // unless it holds others
		return readable, kept, err
	}
	return readable, kept, nil
}

// clearTheWay moves files away that are not the objects they are named for, before
// these are written: git takes an object for written where its file is there,
// however little a loss of power left in it.
func (s *Store) clearTheWay(ctx context.Context, names ...string) {
	for _, name := range names {
		path := filepath.Join(s.repo.objectDir(), name[:2], name[2:])
		if fault, err := s.repo.looseFault(path, name); err == nil && fault != "" {
			_, _, _ = s.MendObject(ctx, BadObject{Name: name, Path: path}) // what is still in the way is told by git
		}
	}
}

// RestoreObject writes a blob again if one of the files holds it, and reports
// whether one did. Files larger than max bytes are not read.
func (s *Store) RestoreObject(ctx context.Context, name string, max int64, files []string) (from string, err error) {
	for _, path := range files {
		info, err := os.Lstat(path)
		if err != nil || !info.Mode().IsRegular() || info.Size() > max {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil || !s.repo.hasName(name, "blob", data) {
			continue
		}
		_, err = s.repo.Git.Write(ctx, bytes.NewReader(data), s.repo.durable(ctx, "hash-object", "-w", "--no-filters", "--stdin")...)
		return path, asReadOnly(s.repo.objectDir(), err)
	}
	return "", nil
}
