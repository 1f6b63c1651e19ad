package gitstore

import "testing"

// Where others may be at work whom this system does not show, a lock is not taken
// for left behind because nobody here holds it.
func TestSharedKind(t *testing.T) {
	t.Parallel()
	for number, want := range map[uint32]string{
		0x65735546: "FUSE", // as of a folder that Docker Desktop shares with a container
		0x6969:     "NFS",
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
