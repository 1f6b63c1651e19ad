package gitstore

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const (
	// refWindow is how much of packed-refs is looked through for a ref, once it
	// is known to be there if anywhere.
	refWindow = 8 << 10
	// refProbe must hold a whole line after a cut one to compare with it.
	refProbe = 1 << 10
)

// packedRefs gives the part of packed-refs in which a ref, or the first below a
// folder of refs, stands if it is there; nothing where there is no such file.
func (r *Repo) packedRefs(ref string) ([]byte, error) {
	file, info, err := openRegular(filepath.Join(r.CommonDir, "packed-refs"))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return packedPart(file, info.Size(), ref)
}

// packedPart reads what packedRefs gives. The file may list 100,000 refs: where
// it says that it is sorted it is halved until a small part is left.
func packedPart(r io.ReaderAt, size int64, ref string) ([]byte, error) {
	head := make([]byte, min(size, refProbe))
	if _, err := r.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, err
	}
	first, _, _ := bytes.Cut(head, []byte("\n"))
	lo, hi := int64(0), size
	if bytes.HasPrefix(first, []byte("# pack-refs with:")) && bytes.Contains(append(first, ' '), []byte(" sorted ")) {
		lo, hi = narrow(r, size, ref)
	}
	window := make([]byte, hi-lo)
	if _, err := r.ReadAt(window, lo); err != nil && err != io.EOF {
		return nil, err
	}
	return window, nil
}

// packedValue gives what a ref points at by a part of packed-refs, or "".
func packedValue(part []byte, ref string) string {
	for line := range strings.Lines(string(part)) {
		if name, found := strings.CutSuffix(line, " "+ref+"\n"); found {
			return name
		}
	}
	return ""
}

// narrow gives the part of a sorted packed-refs in which a ref would stand, or
// the first below a folder of refs. Where a line cannot be made out it gives up
// and leaves more.
func narrow(r io.ReaderAt, size int64, wanted string) (lo, hi int64) {
	lo, hi = 0, size
	probe := make([]byte, refProbe)
	for hi-lo > refWindow {
		mid := lo + (hi-lo)/2
		n, err := r.ReadAt(probe, mid)
		if err != nil && err != io.EOF {
			return lo, hi
		}
		at, line := firstRef(probe[:n])
		if line == nil {
			return lo, hi
		}
		_, ref, _ := strings.Cut(string(line), " ")
		begin := mid + int64(at)
		if ref < wanted {
			lo = begin
		} else {
			hi = begin + int64(len(line)) + 1 // with its end
		}
	}
	return lo, hi
}

// firstRef gives the first whole line that names a ref after a cut one.
func firstRef(text []byte) (at int, line []byte) {
	at = bytes.IndexByte(text, '\n') + 1
	for at > 0 && at < len(text) {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			return 0, nil
		}
		if text[at] != '^' {
			return at, text[at : at+end]
		}
		at += end + 1
	}
	return 0, nil
}
