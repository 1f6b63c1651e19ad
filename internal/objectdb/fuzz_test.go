package objectdb

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"

	"github.com/git-plan/git-plan/internal/gittest"
)

// fuzzMax is the most content a fuzz target asks for.
const fuzzMax = 1 << 20

// sparing fails the test when a target takes too long or too much memory.
func sparing(t *testing.T, target func()) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	spent := gittest.Spent(target)
	runtime.ReadMemStats(&after)
	if spent > 2*time.Second {
		t.Errorf("it took %v", spent)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 {
		t.Errorf("it took %d MiB", grown>>20)
	}
}

// FuzzIndex searches files that say they are an .idx.
func FuzzIndex(f *testing.F) {
	name := plumbing.ComputeHash(plumbing.BlobObject, []byte("a"))
	far := blobEntry("b")
	far.offset = 5 << 30
	f.Add(testIndex([]raw{blobEntry("a"), blobEntry("c"), far}), name[:])
	f.Add(testIndex(nil), name[:])
	f.Fuzz(func(t *testing.T, data, id []byte) {
		var name plumbing.Hash
		copy(name[:], id)
		r := bytes.NewReader(data)
		sparing(t, func() {
			if names, err := readFanout(r); err == nil {
				_, _ = names.offset(r, name)
			}
		})
	})
}

// FuzzPackEntry reads at any offset of anything that says it is a pack.
func FuzzPackEntry(f *testing.F) {
	packOf := func(entries ...raw) []byte {
		data := bytes.Repeat([]byte{'P'}, packHeaderSize)
		for _, e := range entries {
			data = append(data, e.data...)
		}
		return append(data, make([]byte, hashSize)...)
	}
	base := blobEntry("base")
	first := ofsDelta(plumbing.Hash{}, byte(len(base.data)), deltaOf(4, "x"))
	f.Add(packOf(base), uint32(packHeaderSize))
	f.Add(packOf(base, first), uint32(packHeaderSize+len(base.data)))
	f.Add(packOf(base, first, ofsDelta(plumbing.Hash{}, byte(len(first.data)), deltaOf(2, "y"))), uint32(packHeaderSize+len(base.data)+len(first.data)))
	f.Add(packOf(refDelta(plumbing.Hash{}, plumbing.Hash{}, deltaOf(2, "y"))), uint32(packHeaderSize))
	f.Add(packOf(whole(plumbing.BlobObject, strings.Repeat("x", 1<<16), 5)), uint32(packHeaderSize))
	f.Fuzz(func(t *testing.T, data []byte, offset uint32) {
		end := max(0, len(data)-hashSize)
		r := &packReader{cache: &objectCache{}, pack: newPack("/nowhere/pack"), end: int64(end), work: 4 * fuzzMax}
		r.scanner = packfile.NewScanner(bytes.NewReader(data[:end]))
		sparing(t, func() {
			o, err := r.read(int64(offset), query{kind: plumbing.AnyObject, max: fuzzMax}, 0)
			if err == nil && len(o.data) > fuzzMax {
				t.Errorf("%d bytes", len(o.data))
			}
		})
	})
}

// FuzzLoose reads anything that may be a loose object, and what zlib makes of it.
func FuzzLoose(f *testing.F) {
	for _, text := range []string{"blob 3\x00abc", "tree 0\x00", "commit 99999999\x00x", "blob", ""} {
		f.Add([]byte(text), true)
		f.Add(deflated(text), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, deflate bool) {
		if deflate {
			data = deflated(string(data))
		}
		sparing(t, func() {
			for range 2 { // used again after whatever happened
				o, err := readLoose(bytes.NewReader(data), query{kind: plumbing.AnyObject, max: fuzzMax})
				if err == nil && len(o.data) > fuzzMax {
					t.Errorf("%d bytes", len(o.data))
				}
			}
		})
	})
}
