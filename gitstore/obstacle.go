package gitstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mayBeThere is what is known of an object whose file cannot be read.
const mayBeThere = "it may well be there"

// obstacle says why an object that cannot be read, for the reason in detail,
// may still be there, or "".
func (r *Repo) obstacle(ctx context.Context, detail string) string {
	config, err := r.Config(ctx)
	if err != nil {
		return firstLine(err)
	}
	if config.isPartial() {
		return "this is a partial clone: the remote has it"
	}
	return r.outOfReach(detail)
}

// OutOfReach says why an object that cannot be read, for the reason in detail,
// may be whole in the repository all the same, or "": something of it may not be
// read now, or is on a disk that is not mounted.
func (s *Store) OutOfReach(detail string) string { return s.repo.outOfReach(detail) }

func (r *Repo) outOfReach(detail string) string {
	if why := r.unread(detail); why != "" {
		return why
	}
	objects := r.objectDir()
	if absent := absentAlternate(objects); absent != "" {
		return "it borrows objects from " + absent + ", which is not there"
	}
	if err := mayReadFolders(objects); err != nil {
		return err.Error()
	}
	packs, _ := readNames(filepath.Join(objects, "pack")) // there may be none
	for _, name := range packs {
		if err := mayRead(filepath.Join(objects, "pack", name)); err != nil {
			return err.Error()
		}
	}
	faults, _ := r.packFaults() // the folder was listed above
	for _, f := range faults {
		if f.Index != "" {
			return "it may well be in a pack that git finds nothing in, as " + f.Index + ": git index-pack " + f.Path
		}
	}
	return ""
}

// mayReadFolders tells that this process may not list a folder of objects.
func mayReadFolders(objects string) error {
	names, err := readNames(objects)
	for _, name := range names {
		if isFanOut(name) || name == "pack" {
			if _, err := readNames(filepath.Join(objects, name)); errors.Is(err, fs.ErrPermission) {
				return err
			}
		}
	}
	return err
}

// unread says why the object that detail is about was not read, where that says
// nothing of the object itself.
func (r *Repo) unread(detail string) string {
	for _, passing := range []string{"permission denied", "input/output error", "too many open files"} {
		if strings.Contains(strings.ToLower(detail), passing) {
			return mayBeThere
		}
	}
	if err := r.unreadLoose(detail); err != nil {
		return err.Error() + "; " + mayBeThere
	}
	return ""
}

// unreadLoose tells that an object which detail names has a file that cannot be
// opened. Git calls such a one corrupt, and does not say why.
func (r *Repo) unreadLoose(detail string) error {
	for word := range strings.FieldsFuncSeq(detail, func(c rune) bool { return !strings.ContainsRune("0123456789abcdef", c) }) {
		if !r.isName(word) {
			continue
		}
		if err := mayRead(filepath.Join(r.objectDir(), word[:2], word[2:])); err != nil {
			return err
		}
	}
	return nil
}

// isPartial reports whether a remote has promised objects that are not here.
func (c *Config) isPartial() bool {
	if _, partial := c.Get("extensions.partialClone"); partial {
		return true
	}
	return slices.ContainsFunc(c.Keys("remote."), func(key string) bool { return strings.HasSuffix(key, ".promisor") })
}

// absentAlternate gives a folder that an object directory names to borrow from,
// and that is not there now, as when its disk is not mounted; or "".
func absentAlternate(objects string) string {
	text, err := readAlternates(filepath.Join(objects, "info", "alternates"))
	if err != nil {
		return err.Error()
	}
	for other := range borrowed(objects, text) {
		if _, err := os.Stat(other); err != nil {
			return other
		}
	}
	return ""
}

// mayRead tells that a file is there and this process is not let in.
func mayRead(path string) error {
	file, err := os.Open(path)
	if err == nil {
		err = file.Close()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
