package gitstore

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strconv"
)

// The modes of tree entries, as git writes them in octal.
const (
	// ModeFile is a regular file.
	ModeFile uint32 = 0o100644
	// ModeExecutable is a file that may be run.
	ModeExecutable uint32 = 0o100755
	// ModeSymlink is a symbolic link.
	ModeSymlink uint32 = 0o120000
	// ModeFolder is a sub-tree.
	ModeFolder uint32 = 0o40000
	// ModeSubmodule is a commit of another repository.
	ModeSubmodule uint32 = 0o160000
)

// Entry is one entry of a tree.
type Entry struct {
	// Name is one path component exactly as stored. It may be anything but
	// NUL: "..", ".git", control characters, even slashes in a hostile tree.
	Name string
	// Mode is git's mode, such as 0o100644 or 0o40000.
	Mode uint32
	// Object is the name of the blob, tree or commit.
	Object string
}

// IsFolder reports whether the entry is a sub-tree.
func (e Entry) IsFolder() bool { return e.Mode&0o170000 == ModeFolder }

// decodeTree reads the content of the tree object called name, whose entries
// end in object names of hashLen bytes.
func decodeTree(name string, data []byte, hashLen int) ([]Entry, error) {
	entries := make([]Entry, 0, len(data)/(hashLen+20))
	for len(data) > 0 {
		space := bytes.IndexByte(data, ' ')
		if space < 0 {
			return nil, &CorruptObjectError{name, "a tree entry has no mode"}
		}
		mode, err := strconv.ParseUint(string(data[:space]), 8, 32)
		if err != nil {
			return nil, &CorruptObjectError{name, "a tree entry has a bad mode"}
		}
		data = data[space+1:]
		end := bytes.IndexByte(data, 0)
		if end < 0 || len(data) < end+1+hashLen {
			return nil, &CorruptObjectError{name, "it is cut off within an entry"}
		}
		entries = append(entries, Entry{
			Name: string(data[:end]), Mode: uint32(mode),
			Object: hex.EncodeToString(data[end+1 : end+1+hashLen]),
		})
		data = data[end+1+hashLen:]
	}
	return slices.Clip(entries), nil
}

// Malformed gives a name among the entries of one tree with which the tree is
// none that git writes: one that stands there twice, or not in git's order.
// Programs that read such a tree see different things in it. Of a tree as git
// writes it, it gives "".
func Malformed(entries []Entry) (name, reason string) {
	seen := make(map[string]bool, len(entries))
	for i, e := range entries {
		if seen[e.Name] {
			return e.Name, "the tree is malformed: this name stands in it twice"
		}
		if i > 0 && compareEntries(entries[i-1], e) > 0 {
			return e.Name, "the tree is malformed: its names are not in git's order"
		}
		seen[e.Name] = true
	}
	return "", ""
}

// encodeTree writes the content of a tree object. Entries must be in git's order.
func encodeTree(entries []Entry) ([]byte, error) {
	size := 0
	for _, e := range entries {
		size += len(e.Name) + len(e.Object)/2 + 8
	}
	data := make([]byte, 0, size)
	for _, e := range entries {
		data = strconv.AppendUint(data, uint64(e.Mode), 8)
		data = append(data, ' ')
		data = append(data, e.Name...)
		data = append(data, 0)
		var err error
		if data, err = hex.AppendDecode(data, []byte(e.Object)); err != nil {
			return nil, &ChangeError{e.Name, "'" + e.Object + "' is no object name"}
		}
	}
	return data, nil
}

// compareEntries orders entries as git does: by bytes, a folder as if its name
// ended in a slash.
func compareEntries(a, b Entry) int {
	n := min(len(a.Name), len(b.Name))
	for i := range n {
		if a.Name[i] != b.Name[i] {
			return int(a.Name[i]) - int(b.Name[i])
		}
	}
	return int(a.after(n)) - int(b.after(n))
}

// after gives the byte that follows the first n of the name when sorting.
func (e Entry) after(n int) byte {
	switch {
	case n < len(e.Name):
		return e.Name[n]
	case e.IsFolder():
		return '/'
	}
	return 0
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
