package reliability

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// diskCalls are the system calls that tell what reaches a disk, and when.
func diskCalls() []string {
	return []string{
		"openat", "write", "pwrite64", "lseek", "?ftruncate", "?rename", "?renameat", "?renameat2", "?link", "?linkat", "?symlink", "?symlinkat",
		"?unlink", "?unlinkat", "?rmdir", "?mkdir", "?mkdirat", "?fsync", "?fdatasync", "?sync_file_range", "chdir",
	}
}

// disk is what processes did to a folder, in order.
type disk struct {
	root  string
	calls []diskCall
	// folders are those that processes stand in, by process, and offsets those
	// at which files are written next.
	folders map[string]string
	offsets map[string]int64
}

// diskCall is a system call on files below the folder; paths are relative to it.
type diskCall struct {
	name     string
	path, to string
	data     []byte
	offset   int64
	truncate bool
}

func (c diskCall) String() string { return strings.TrimSpace(c.name + " " + c.path + " " + c.to) }

// readDisk reads what strace wrote of a command that began in dir.
func readDisk(log, dir, root string) *disk {
	d := &disk{root: root, folders: map[string]string{"": dir}, offsets: map[string]int64{}}
	begun := map[string]string{} // the first half of a call that another process interrupted
	for line := range strings.Lines(log) {
		pid, call, _ := strings.Cut(strings.TrimSpace(line), " ")
		call = strings.TrimSpace(call)
		if first, ok := strings.CutSuffix(call, " <unfinished ...>"); ok {
			begun[pid] = first
			continue
		}
		if _, rest, ok := strings.Cut(call, " resumed>"); ok && strings.HasPrefix(call, "<... ") {
			call = begun[pid] + rest
		}
		d.read(pid, call)
	}
	return d
}

var (
	callForm   = regexp.MustCompile(`^(\w+)\((.*)\)\s+= (-?\d+)(<[^>]*>)?`)
	stringForm = regexp.MustCompile(`"((?:\\x[0-9a-f]{2})*)"`)
	pathForm   = regexp.MustCompile(`<((?:\\x[0-9a-f]{2})+)>`)
)

// read takes a call in, if it succeeded and is about the folder.
func (d *disk) read(pid, line string) {
	m := callForm.FindStringSubmatch(line)
	if m == nil || strings.HasPrefix(m[3], "-") {
		return
	}
	var names []string // what the call's strings say
	for _, s := range stringForm.FindAllStringSubmatch(m[2], -1) {
		names = append(names, unhex(s[1]))
	}
	file := ""
	if s := pathForm.FindStringSubmatch(m[2]); s != nil {
		file = unhex(s[1])
	}
	c := diskCall{name: m[1]}
	switch c.name {
	case "openat":
		d.open(c, m)
		return
	case "write", "pwrite64":
		c.path, c.data = file, []byte(names[0])[:must(strconv.Atoi(m[3]))]
		c.offset = d.offsets[file]
		if c.name == "pwrite64" {
			c.offset = number(m[2])
		} else {
			d.offsets[file] += int64(len(c.data))
		}
	case "lseek":
		d.offsets[file] = int64(must(strconv.Atoi(m[3])))
		return
	case "chdir":
		from, _ := d.bases(pid, "")
		d.folders[pid] = abs(from, names[0])
		return
	case "ftruncate":
		c.path, c.offset = file, number(m[2])
	case "fsync", "fdatasync", "sync_file_range":
		c.path = file
	case "rename", "link", "renameat", "renameat2", "linkat":
		c.name, _, _ = strings.Cut(strings.TrimRight(c.name, "2"), "at")
		from, to := d.bases(pid, m[2])
		c.path, c.to = abs(from, names[0]), abs(to, names[1])
		if c.name == "rename" {
			d.offsets[c.to] = d.offsets[c.path]
		}
	default:
		from, _ := d.bases(pid, m[2])
		c.path = abs(from, names[0])
		if c.name = strings.TrimSuffix(c.name, "at"); strings.Contains(m[2], "AT_REMOVEDIR") {
			c.name = "rmdir"
		}
	}
	d.add(c)
}

// open takes in a file that is made or emptied.
func (d *disk) open(c diskCall, m []string) {
	if strings.Contains(m[2], "O_RDONLY") || m[4] == "" {
		return
	}
	path := unhex(strings.Trim(m[4], "<>"))
	d.offsets[path] = 0
	if strings.Contains(m[2], "O_APPEND") {
		d.offsets[path] = -1 // at the end, wherever that is
	}
	c.path, c.truncate = path, strings.Contains(m[2], "O_TRUNC")
	d.add(c)
}

// add keeps a call on files of the folder.
func (d *disk) add(c diskCall) {
	var ok bool
	if c.path, ok = strings.CutPrefix(c.path, d.root+"/"); !ok {
		return
	}
	if c.to != "" {
		c.to = strings.TrimPrefix(c.to, d.root+"/")
	}
	d.calls = append(d.calls, c)
}

// bases are the folders that paths of a call are relative to.
func (d *disk) bases(pid, args string) (from, to string) {
	from = cmp.Or(d.folders[pid], d.folders[""])
	to = from
	found := pathForm.FindAllStringSubmatch(args, -1)
	if len(found) > 0 {
		from, to = unhex(found[0][1]), unhex(found[len(found)-1][1])
	}
	return from, to
}

func abs(base, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(base, name)
}

func number(args string) int64 {
	return must(strconv.ParseInt(args[strings.LastIndex(args, " ")+1:], 10, 64))
}

func unhex(s string) string {
	return string(must(hex.DecodeString(strings.ReplaceAll(s, `\x`, ""))))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// all makes every call anew in a copy of the folder.
func (d *disk) all(root string) { d.replay(len(d.calls), root) }

// upTo makes the calls before the n-th anew, and then takes from each file what
// was not flushed by then: all of it, or half.
func (d *disk) upTo(n int, half bool, root string) {
	for path, u := range d.replay(n, root) {
		keep := u.from
		if half {
			keep += (u.to - u.from) / 2
		}
		check(os.Truncate(filepath.Join(root, path), keep))
	}
}

// kept gives the number of calls whose names outlast a loss of power right after
// the last: those before the last flush of something that had changed. A file
// system that keeps a journal writes all names with it that changed before, and
// writes the others some seconds later.
func (d *disk) kept() int {
	kept := 0
	names, data := map[string]bool{}, map[string]bool{} // folders and files that changed
	for i, c := range d.calls {
		switch c.name {
		case "fsync", "fdatasync":
			if names[c.path] || data[c.path] {
				kept = i + 1
				clear(names)
				delete(data, c.path)
			}
		case "rename", "link":
			names[filepath.Dir(c.path)], names[filepath.Dir(c.to)] = true, true
			data[c.to] = data[c.path]
		case "write", "pwrite64", "ftruncate", "sync_file_range":
			data[c.path] = true
		default:
			names[filepath.Dir(c.path)], data[c.path] = true, true
		}
	}
	return kept
}

// unflushed is the part of a file that was not flushed, from one byte to
// another; sent says that its pages are on their way to the disk.
type unflushed struct {
	from, to int64
	sent     bool
}

// replay makes the first n calls, and gives what of the files was written and
// not flushed. A file of two names has one entry for both. Flushing a file
// flushes those too whose pages were sent to the disk before, as git does with
// objects in batches.
func (d *disk) replay(n int, root string) map[string]*unflushed {
	dirty := map[string]*unflushed{}
	for _, c := range d.calls[:n] {
		full := filepath.Join(root, c.path)
		switch c.name {
		case "openat":
			create(full, c.truncate)
			if c.truncate {
				dirty[c.path] = &unflushed{}
			}
		case "write", "pwrite64":
			end := write(full, c)
			if dirty[c.path] == nil {
				dirty[c.path] = &unflushed{from: end - int64(len(c.data))}
			}
			u := dirty[c.path]
			u.to, u.sent = max(u.to, end), false
		case "ftruncate":
			check(os.Truncate(full, c.offset))
			dirty[c.path] = &unflushed{from: c.offset, to: c.offset}
		case "sync_file_range":
			if u := dirty[c.path]; u != nil {
				u.sent = true
			}
		case "fsync", "fdatasync":
			flushed := dirty[c.path]
			maps.DeleteFunc(dirty, func(_ string, u *unflushed) bool { return u == flushed || u.sent })
		case "rename":
			check(os.Rename(full, filepath.Join(root, c.to)))
			move(dirty, c.path, c.to)
		case "link":
			check(os.Link(full, filepath.Join(root, c.to)))
			if u := dirty[c.path]; u != nil {
				dirty[c.to] = u
			}
		case "unlink", "rmdir":
			check(os.Remove(full))
			delete(dirty, c.path)
		case "mkdir":
			check(os.Mkdir(full, 0o777))
		default:
			panic("a call that is not known: " + c.String())
		}
	}
	return dirty
}

// move renames what is known of a file, or of all in a folder.
func move(dirty map[string]*unflushed, from, to string) {
	delete(dirty, to)
	for path, u := range maps.Clone(dirty) {
		if rest, ok := strings.CutPrefix(path, from); ok && (rest == "" || rest[0] == '/') {
			delete(dirty, path)
			dirty[to+rest] = u
		}
	}
}

func create(path string, truncate bool) {
	flags := os.O_CREATE | os.O_WRONLY
	if truncate {
		flags |= os.O_TRUNC
	}
	check(must(os.OpenFile(path, flags, 0o666)).Close())
}

// write writes where the call did, and gives where that ends.
func write(path string, c diskCall) int64 {
	f := must(os.OpenFile(path, os.O_WRONLY, 0))
	defer func() { _ = f.Close() }()
	at := c.offset
	if at < 0 {
		at = must(f.Stat()).Size()
	}
	must(f.WriteAt(c.data, at))
	return at + int64(len(c.data))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// copyTree makes to a copy of from, in the place of what is there.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	likeIn(t, to, from)
}

// likeIn gives each file the time that the same path with the same content has
// elsewhere: git's index knows files by their times.
func likeIn(t *testing.T, root, other string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		name, _ := filepath.Rel(root, path)
		info, err := os.Lstat(filepath.Join(other, name))
		if err != nil {
			return nil // it is not there
		}
		ours, err := os.ReadFile(path)
		if theirs, _ := os.ReadFile(filepath.Join(other, name)); err != nil || string(ours) != string(theirs) {
			return err
		}
		return os.Chtimes(path, info.ModTime(), info.ModTime())
	})
	if err != nil {
		t.Fatal(err)
	}
}

// treeState gives a line for each file of a folder.
func treeState(t *testing.T, root string) map[string]string {
	t.Helper()
	state := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		if state[name] = "folder"; e.Type().IsRegular() {
			data, err := os.ReadFile(path)
			state[name] = fmt.Sprintf("%x", data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return state
}
