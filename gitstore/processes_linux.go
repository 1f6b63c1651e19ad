package gitstore

import (
	"bytes"
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
	p := process{id: id, program: strings.TrimSpace(string(program)), args: readList(filepath.Join(dir, "cmdline"))}
	files, err := readNames(filepath.Join(dir, "fd"))
	if err != nil {
		p.hidden, p.users = true, usersOf(dir)
		return p, isAlive(dir)
	}
	for _, fd := range files {
		if path, err := os.Readlink(filepath.Join(dir, "fd", fd)); err == nil && filepath.IsAbs(path) {
			p.files = append(p.files, path)
		}
	}
	p.dir, _ = os.Readlink(filepath.Join(dir, "cwd"))
	if strings.HasPrefix(p.program, "git") {
		p.env = readList(filepath.Join(dir, "environ"))
	}
	return p, true
}

// usersOf gives the ids of the users that a process acts as, or may again: real,
// effective, saved and that of its files. Nothing means that they are not known.
func usersOf(dir string) (users []int) {
	status, err := os.ReadFile(filepath.Join(dir, "status"))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(status)) {
		ids, ok := strings.CutPrefix(line, "Uid:")
		if !ok {
			continue
		}
		for _, field := range strings.Fields(ids) {
			if id, err := strconv.Atoi(field); err == nil {
				users = append(users, id)
			}
		}
	}
	return users
}

// ownerOf gives the id of the user whom a file belongs to.
func ownerOf(path string) (id int, known bool) {
	var about syscall.Stat_t
	if syscall.Lstat(path, &about) != nil {
		return 0, false
	}
	return int(about.Uid), true
}

// keepsOwners reports whether a folder is on a file system of which it is known
// that a file belongs to the user who made it.
func keepsOwners(dir string) bool {
	var about syscall.Statfs_t
	if syscall.Statfs(dir, &about) != nil {
		return false
	}
	switch uint32(about.Type) {
	case 0xEF53, 0x58465342, 0x9123683E, 0x01021994, 0xF2F52010: // ext, XFS, Btrfs, tmpfs, F2FS
		return true
	}
	return false
}

// isAlive reports whether a process has not ended, not even as a zombie.
func isAlive(dir string) bool {
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	state := string(stat[bytes.LastIndexByte(stat, ')')+1:]) // the program before it has whatever name it likes
	return err == nil && !strings.HasPrefix(state, " Z") && !strings.HasPrefix(state, " X")
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
	if kind := sharedKind(uint32(about.Type)); kind != "" {
		return "processes of other machines may work there, as it is on " + kind
	}
	return ""
}

// sharedKind names a kind of file system, by the number that the system gives
// it, if other machines may have it too: file servers, the disks of clusters, and
// folders that a host shares with its containers and virtual machines. What FUSE
// stands for cannot be told.
func sharedKind(number uint32) string {
	switch number {
	case 0x6969:
		return "NFS"
	case 0xFF534D42, 0xFE534D42, 0x517B:
		return "SMB"
	case 0x01021997:
		return "9P"
	case 0x65735546:
		return "FUSE"
	case 0x00C36400:
		return "Ceph"
	case 0x5346414F, 0x6B414653:
		return "AFS"
	case 0x0BD00BD0:
		return "Lustre"
	case 0x47504653:
		return "GPFS"
	case 0x01161970:
		return "GFS2"
	case 0x7461636F:
		return "OCFS2"
	case 0x786F4256:
		return "vboxsf"
	case 0xBACBACBC:
		return "HGFS"
	}
	return ""
}
