package gitstore

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-plan/git-plan/internal/git"
)

const (
	// memories bounds how many files are kept in the cache folder.
	memories = 256
	// memorySize bounds what is read of one.
	memorySize = 4 << 20
	// newMemory begins the name of a file that is being written.
	newMemory = "new-"
)

// write puts the memory into its file. That it cannot be written is no fault.
func (m memory) write(file string) {
	dir := filepath.Dir(file)
	makeFolder(dir)
	if !isGuardedFolder(dir) {
		return
	}
	forget(dir)
	text := m.text()
	temp, err := os.CreateTemp(dir, newMemory) // for this user alone to read
	if err != nil {
		return
	}
	_, err = temp.WriteString(text + "\x00" + Checksum(text))
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
}

// levels gives the folder of memories and what is above it of git plan's, to the
// user's cache folder, the uppermost first.
func levels(dir string) []string {
	parent := filepath.Dir(dir)
	return []string{filepath.Dir(parent), parent, dir}
}

// makeFolder makes the folder of memories, but no home that is not there, and
// nothing in that of somebody else, as a program run by sudo might.
func makeFolder(dir string) {
	for _, at := range levels(dir) {
		if _, err := os.Lstat(at); os.IsNotExist(err) && isGuardedAt(filepath.Dir(at)) {
			_ = os.Mkdir(at, 0o700)
		}
	}
}

// isGuardedFolder reports whether nobody else can put a memory into a folder.
func isGuardedFolder(dir string) bool {
	for _, at := range levels(dir) {
		if !isGuardedAt(at) {
			return false
		}
	}
	return true
}

func isGuardedAt(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() && isGuarded(info)
}

// forget makes room in a folder that has grown large: what is not of use any
// more goes, and the rest is soon made again.
func forget(dir string) {
	names, err := readNames(dir)
	if err != nil || len(names) < memories {
		return
	}
	for _, name := range names {
		if isMemoryName(name) {
			_ = os.Remove(filepath.Join(dir, name))
		}
	}
}

// readMemory reads what write wrote, if nobody else can have written it.
func readMemory(path string) (m memory, ok bool) {
	if !isGuardedFolder(filepath.Dir(path)) {
		return m, false
	}
	file, info, err := openRegular(path)
	if err != nil {
		return m, false
	}
	defer func() { _ = file.Close() }()
	if !isGuarded(info) {
		return m, false
	}
	data, err := readOpen(file, info, memorySize)
	if err != nil {
		return m, false
	}
	return parseMemory(string(data))
}

// memoryName tells apart what may be answered differently: the worktree, git, this
// program, and all of the environment that git or its configuration comes from or
// is found by.
func memoryName(top, program, own string, g git.Git) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q", top, program, own)
	for _, name := range append(g.Variables("GIT_CONFIG"), "HOME", "XDG_CONFIG_HOME", "DEVELOPER_DIR") {
		value, set := g.LookupEnv(name)
		fmt.Fprintf(h, " %s=%q,%v", name, value, set)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// isMemoryName reports whether a file is named by [memoryName], or is one that a
// killed process left.
func isMemoryName(name string) bool {
	digits, err := hex.DecodeString(name)
	return err == nil && len(digits) == 16 || strings.HasPrefix(name, newMemory)
}
