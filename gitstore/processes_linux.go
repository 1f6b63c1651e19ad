package gitstore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// listProcesses reads /proc. This process and the one that started it, which is
// the git or the shell that waits for it, are left out. Processes of another
// container that shares the folder cannot be seen.
func listProcesses() ([]process, error) {
	names, err := readNames("/proc")
	if err != nil {
		return nil, fmt.Errorf("the living processes cannot be listed: %w", err)
	}
	if _, err := os.ReadFile("/proc/1/comm"); err != nil {
		return nil, errors.New("/proc hides the processes of others")
	}
	var all []process
	for _, name := range names {
		id, err := strconv.Atoi(name)
		if err != nil || id == os.Getpid() || id == os.Getppid() {
			continue
		}
		if p, ok := readProcess(id); ok {
			all = append(all, p)
		}
	}
	return all, nil
}

// readProcess reads what /proc tells of one process; it may have ended.
func readProcess(id int) (process, bool) {
	dir := filepath.Join("/proc", strconv.Itoa(id))
	program, err := os.ReadFile(filepath.Join(dir, "comm"))
	if err != nil {
		return process{}, false
	}
	p := process{id: id, program: strings.TrimSpace(string(program))}
	files, err := readNames(filepath.Join(dir, "fd"))
	if err != nil {
		p.hidden = true
		return p, isAlive(dir)
	}
	for _, fd := range files {
		if path, err := os.Readlink(filepath.Join(dir, "fd", fd)); err == nil && filepath.IsAbs(path) {
			p.files = append(p.files, path)
		}
	}
	p.dir, _ = os.Readlink(filepath.Join(dir, "cwd"))
	p.args = readList(filepath.Join(dir, "cmdline"))
	if strings.HasPrefix(p.program, "git") {
		p.env = readList(filepath.Join(dir, "environ"))
	}
	return p, true
}

// isAlive reports whether a process has not ended, not even as a zombie.
func isAlive(dir string) bool {
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	_, state, _ := strings.Cut(string(stat), ") ")
	return err == nil && !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
}

// readList reads a file of texts that each end in NUL.
func readList(path string) []string {
	data, err := os.ReadFile(path)
	if err != nil || len(data) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00")
}

// sharedFileSystem names the kind of file system a folder is on if processes
// of other machines may work there, too; otherwise it is "".
func sharedFileSystem(dir string) string {
	var about syscall.Statfs_t
	if syscall.Statfs(dir, &about) != nil {
		return ""
	}
	var kind string
	switch uint32(about.Type) {
	case 0x6969:
		kind = "NFS"
	case 0xFF534D42, 0xFE534D42, 0x517B:
		kind = "SMB"
	case 0x01021997:
		kind = "9P"
	default:
		return ""
	}
	return "processes of other machines may work there, as it is on " + kind
}
