package gitstore

import (
	"slices"
	"testing"
)

// Where others may be at work whom this system does not show, a lock is not taken
// for left behind because nobody here holds it.
func TestSharedKind(t *testing.T) {
	t.Parallel()
	for number, want := range map[uint32]string{
		0x65735546: "FUSE", // as of a folder that Docker Desktop shares with a container
		0x6969:     "NFS",
		0xFF534D42: "SMB",
		0xFE534D42: "SMB",
		0x01021997: "9P",
		0x00C36400: "Ceph",
		0x6B414653: "AFS",
		0x0BD00BD0: "Lustre",
		0x47504653: "GPFS",
		0x01161970: "GFS2",
		0x7461636F: "OCFS2",
		0x786F4256: "vboxsf",
		0xBACBACBC: "HGFS",
		0xef53:     "", // ext4
		0x9123683e: "", // btrfs
		0x01021994: "", // tmpfs
		0x794c7630: "", // overlayfs
	} {
		if got := sharedKind(number); got != want {
			t.Errorf("%#x is %q, not %q", number, got, want)
		}
	}
}

// Of a folder that cannot be asked nothing is known, and nothing is trusted.
func TestFileSystemOfNoFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/none"
	if keepsOwners(dir) || sharedFileSystem(dir) != "" {
		t.Errorf("keeps owners: %v, shared: %q", keepsOwners(dir), sharedFileSystem(dir))
	}
	if _, known := ownerOf(dir); known {
		t.Error("its owner is known")
	}
}

// Who hides what files a process has open does not hide whose process it is, nor
// that it has ended.
func TestProcessThatHides(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if users := usersOf(dir); users != nil || isAlive(dir) {
		t.Errorf("of no process: users %v, alive %v", users, isAlive(dir))
	}
	write(t, dir+"/status", "Name:\tgit (x)\nUid:\t1000\t0\t1000\tnone\nGid:\t5\t5\t5\t5\n")
	if users := usersOf(dir); !slices.Equal(users, []int{1000, 0, 1000}) {
		t.Errorf("users %v", users)
	}
	for state, alive := range map[string]bool{"S": true, "D": true, "Z": false, "X": false} {
		write(t, dir+"/stat", "7 (git) Z) "+state+" 1 7 7")
		if isAlive(dir) != alive {
			t.Errorf("in state %s alive is %v", state, !alive)
		}
	}
}
