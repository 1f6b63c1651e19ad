package objectdb

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// raw is an entry of a pack made by hand.
type raw struct {
	name   plumbing.Hash
	offset int64 // where to put it; 0 is behind the one before
	data   []byte
}

// whole gives an entry with content, of a size that may be a lie.
func whole(kind plumbing.ObjectType, content string, size int64) raw {
	return raw{plumbing.ComputeHash(kind, []byte(content)), 0, append(packHeader(kind, size), deflated(content)...)}
}

func blobEntry(content string) raw {
	return whole(plumbing.BlobObject, content, int64(len(content)))
}

// refDelta gives a delta on the object called base.
func refDelta(name, base plumbing.Hash, delta string) raw {
	head := append(packHeader(plumbing.REFDeltaObject, int64(len(delta))), base[:]...)
	return raw{name, 0, append(head, deflated(delta)...)}
}

// ofsDelta gives a delta on what lies so many bytes before it.
func ofsDelta(name plumbing.Hash, back byte, delta string) raw {
	head := append(packHeader(plumbing.OFSDeltaObject, int64(len(delta))), back)
	return raw{name, 0, append(head, deflated(delta)...)}
}

// deltaOf makes text from a base of some size: its first byte, then text.
func deltaOf(base int, text string) string {
	head := binary.AppendUvarint(nil, uint64(base))
	head = binary.AppendUvarint(head, uint64(1+len(text)))
	return string(head) + "\x90\x01" + string(rune(len(text))) + text
}

func deflated(content string) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write([]byte(content))
	_ = w.Close()
	return b.Bytes()
}

// writeTestPack writes a pack and its index below an object directory.
func writeTestPack(t testing.TB, objects string, entries ...raw) (path string) {
	t.Helper()
	path = filepath.Join(objects, "pack", "pack-"+strings.Repeat("ab", 20))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(path + ".pack")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	at := int64(packHeaderSize)
	write := func(data []byte, offset int64) {
		if _, err := file.WriteAt(data, offset); err != nil {
			t.Fatal(err)
		}
	}
	write(binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(len(entries))), 0)
	for i := range entries {
		if entries[i].offset == 0 {
			entries[i].offset = at
		}
		write(entries[i].data, entries[i].offset)
		at = entries[i].offset + int64(len(entries[i].data))
	}
	write(make([]byte, sha1.Size), at) // nobody reads the checksum
	if err := os.WriteFile(path+".idx", testIndex(entries), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// testIndex makes an .idx file of version 2.
func testIndex(entries []raw) []byte {
	entries = slices.Clone(entries)
	slices.SortFunc(entries, func(a, b raw) int { return bytes.Compare(a.name[:], b.name[:]) })
	data := []byte("\xfftOc\x00\x00\x00\x02")
	for first := range 256 {
		n := 0
		for _, e := range entries {
			if int(e.name[0]) <= first {
				n++
			}
		}
		data = binary.BigEndian.AppendUint32(data, uint32(n))
	}
	for _, e := range entries {
		data = append(data, e.name[:]...)
	}
	data = append(data, make([]byte, 4*len(entries))...)
	var large []byte
	for _, e := range entries {
		short := uint32(e.offset)
		if e.offset >= 1<<31 {
			short = 1<<31 | uint32(len(large)/8)
			large = binary.BigEndian.AppendUint64(large, uint64(e.offset))
		}
		data = binary.BigEndian.AppendUint32(data, short)
	}
	return append(append(data, large...), make([]byte, 2*sha1.Size)...)
}

// testDB opens an object directory made by hand.
func testDB(t testing.TB, entries ...raw) *DB {
	t.Helper()
	dir := t.TempDir()
	writeTestPack(t, dir, entries...)
	db, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// Entries that lie each end in an error that says so, and hurt nobody else.
func TestDamagedEntries(t *testing.T) {
	t.Parallel()
	base := blobEntry("base")
	name := func(i byte) plumbing.Hash { return plumbing.Hash{0xcc, i} }
	good := refDelta(plumbing.ComputeHash(plumbing.BlobObject, []byte("bxyz")), base.name, deltaOf(4, "xyz"))
	near := ofsDelta(plumbing.ComputeHash(plumbing.BlobObject, []byte("b1")), byte(len(good.data)+len(base.data)), deltaOf(4, "1"))
	bomb := whole(plumbing.BlobObject, strings.Repeat("x", 8<<20), 5)
	late := whole(plumbing.BlobObject, "late", 4)
	late.data = append(late.data[:len(late.data)-4], "!!!!"...)
	cut := blobEntry("cut")
	cut.data = cut.data[:2]
	tests := []struct {
		raw
		want string
	}{
		{base, ""}, {good, ""}, {near, ""},
		{bomb, "exceeds declared size"},
		{whole(plumbing.BlobObject, "short", 1<<40), "of 1099511627776 bytes"},
		{late, "checksum"},
		{refDelta(name(1), name(2), deltaOf(4, "a")), "does not end"}, // a cycle
		{refDelta(name(2), name(1), deltaOf(4, "a")), "does not end"},
		{refDelta(name(3), name(3), deltaOf(4, "a")), "does not end"},
		{refDelta(name(4), name(99), deltaOf(4, "a")), "does not have the base"},
		{ofsDelta(name(5), 0, deltaOf(4, "a")), "invalid OFS delta offset"},
		{raw{name(6), 0, append(packHeader(plumbing.OFSDeltaObject, 5), 0xff, 0xff, 0xff, 0x7f)}, "invalid OFS delta offset"},
		{refDelta(name(7), base.name, deltaOf(5, "a")), "does not fit its base"},
		{refDelta(name(8), base.name, "\x04"), "no size"},
		{refDelta(name(9), base.name, "\x04\x05\x90\x09"), "does not fit its base"},
		{refDelta(name(10), base.name, "\x04\x05\x00"), "does not fit its base"},
		{refDelta(name(11), base.name, "\x04\x02\x90\x01"), "does not fit its base"},
		{refDelta(name(12), base.name, "\x04\x01\x90\x02"), "does not fit its base"},
		{refDelta(name(13), base.name, "\x04\x05\x91"), "does not fit its base"},
		{raw{name(14), 0, packHeader(5, 3)}, "a unknown"},
		{raw{name(15), 0, packHeader(plumbing.BlobObject, 1<<62)}, "overflow"},
		{raw{name(16), 0, append(packHeader(plumbing.BlobObject, 3), "abcdef"...)}, "zlib"},
		{raw{name(17), 0, blobEntry("another").data}, wrongHash},
		{raw{name(18), 1 << 41, nil}, "beyond the end"},
		{raw{name(19), 5, nil}, "beyond the end"},
		{cut, "zlib"},
	}
	for round := range 2 {
		for i, tt := range tests {
			all := []raw{base, good, near}
			if i > 2 {
				all = append(all, tt.raw)
			}
			if tt.name == name(1) {
				all = append(all, tests[i+1].raw)
			}
			if tt.name == name(2) {
				all = append(all, tests[i-1].raw)
			}
			keep := slices.DeleteFunc(slices.Clone(all), func(e raw) bool { return e.data == nil })
			dir := t.TempDir()
			path := writeTestPack(t, dir, keep...)
			for k := range all { // offsets of what is there, lies of what is not
				if j := slices.IndexFunc(keep, func(e raw) bool { return e.name == all[k].name }); j >= 0 {
					all[k].offset = keep[j].offset
				}
			}
			if err := os.WriteFile(path+".idx", testIndex(all), 0o644); err != nil {
				t.Fatal(err)
			}
			db, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			if round == 1 { // with the base in the cache
				if _, err := db.read(query{name: base.name, kind: plumbing.BlobObject}); err != nil {
					t.Fatal(err)
				}
			}
			data, err := db.read(query{name: tt.name, kind: plumbing.BlobObject})
			if tt.want == "" && (err != nil || plumbing.ComputeHash(plumbing.BlobObject, data) != tt.name) {
				t.Errorf("%d: %q, %v", i, data, err)
			}
			if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%d: %v, want %q", i, err, tt.want)
			}
			for _, e := range []raw{base, good, near} {
				if _, err := db.read(query{name: e.name, kind: plumbing.BlobObject}); err != nil {
					t.Errorf("%d: the next one: %v", i, err)
				}
			}
			_ = db.Close()
		}
	}
}

// A delta must not make more memory than asked for, nor be made when it is
// larger than wanted.
func TestDeltaBombs(t *testing.T) {
	t.Parallel()
	base := blobEntry(strings.Repeat("b", 1<<16))
	copies := strings.Repeat("\x80", 1<<12) // 64 KiB each
	size := binary.AppendUvarint(binary.AppendUvarint(nil, 1<<16), 1<<28)
	huge := refDelta(plumbing.Hash{1}, base.name, string(size)+copies)
	liar := refDelta(plumbing.Hash{2}, base.name, string(binary.AppendUvarint(binary.AppendUvarint(nil, 1<<16), 1<<59))+"\x80")
	db := testDB(t, base, huge, liar)
	var large *TooLargeError
	if _, err := db.read(query{name: huge.name, kind: plumbing.BlobObject, max: 1 << 20}); !errors.As(err, &large) || large.Size != 1<<28 {
		t.Errorf("huge: %v", err)
	}
	if _, err := db.read(query{name: liar.name, kind: plumbing.BlobObject}); err == nil || !strings.Contains(err.Error(), "too many bytes") {
		t.Errorf("liar: %v", err)
	}
}

// Offsets beyond 2 and 4 GiB, in a pack that is mostly a hole.
func TestLargeOffsets(t *testing.T) {
	t.Parallel()
	var all []raw
	for i, offset := range []int64{0, 1<<31 - 100, 1 << 31, 1<<32 - 50, 1 << 32, 5 << 30} {
		e := blobEntry(strings.Repeat("far away ", i+1))
		e.offset = offset
		all = append(all, e)
	}
	db := testDB(t, all...)
	for _, e := range all {
		if _, err := db.read(query{name: e.name, kind: plumbing.BlobObject}); err != nil {
			t.Errorf("at %d: %v", e.offset, err)
		}
	}
}

func TestDamagedIndex(t *testing.T) {
	t.Parallel()
	entries := []raw{blobEntry("a"), blobEntry("b"), {plumbing.Hash{3}, 5 << 30, nil}}
	good := testIndex(entries)
	search := func(data []byte, name plumbing.Hash) (int64, error) {
		f, err := readFanout(bytes.NewReader(data))
		if err != nil {
			return 0, err
		}
		return f.offset(bytes.NewReader(data), name)
	}
	for name, at := range map[string]int{"empty": 0, "version": 7, "magic": 0, "cut": len(good) - 48} {
		data := slices.Clone(good)
		if name == "empty" || name == "cut" {
			data = data[:at]
		} else {
			data[at] ^= 1
		}
		if _, err := search(data, plumbing.Hash{3}); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if offset, err := search(good, plumbing.Hash{3}); offset != 5<<30 || err != nil {
		t.Errorf("offset %d, %v", offset, err)
	}
	if _, err := search(good, plumbing.Hash{3, 1}); err != ErrNotFound {
		t.Errorf("what is not there: %v", err)
	}
}
