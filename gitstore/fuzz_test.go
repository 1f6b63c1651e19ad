package gitstore

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

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
		r := &packReader{
			cache: &objectCache{}, pack: newPack("/nowhere/pack"), file: bytes.NewReader(data),
			end: int64(len(data) - hashSize), in: newInflater(), work: 4 * fuzzMax,
		}
		sparing(t, func() {
			o, err := r.read(int64(offset), query{kind: plumbing.AnyObject, max: fuzzMax}, 0)
			if err == nil && len(o.data) > fuzzMax {
				t.Errorf("%d bytes", len(o.data))
			}
		})
	})
}

// FuzzDelta applies anything to anything.
func FuzzDelta(f *testing.F) {
	f.Add([]byte("base"), []byte(deltaOf(4, "more")))
	f.Add([]byte("base"), []byte("\x04\x08\x90\x04\xb0\x04\x00"))
	f.Add([]byte{}, []byte("\x00\x01\x01x"))
	f.Add(bytes.Repeat([]byte("b"), 1<<16), []byte("\x80\x80\x04\x80\x80\x08\x80\x80"))
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		_, size, _, err := deltaSizes(delta)
		if err != nil || size > 16*fuzzMax { // the reader does not go on then
			return
		}
		sparing(t, func() {
			made, err := applyDelta(base, delta)
			if err == nil && int64(len(made)) != size {
				t.Errorf("%d bytes of %d", len(made), size)
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
			in := newInflater()
			for range 2 { // used again after whatever happened
				in.source.Reset(bytes.NewReader(data))
				o, err := in.loose(query{kind: plumbing.AnyObject, max: fuzzMax})
				if err == nil && len(o.data) > fuzzMax {
					t.Errorf("%d bytes", len(o.data))
				}
			}
			if _, err := io.Copy(io.Discard, in.source); err != nil {
				t.Error(err)
			}
		})
	})
}
