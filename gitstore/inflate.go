package gitstore

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// errNoObject says that an object is not where it was looked for.
var errNoObject = errors.New("the object is not there")

// damageError says that what is stored cannot be read as an object.
type damageError struct{ detail string }

// Error says what is wrong.
func (e *damageError) Error() string { return e.detail }

// damaged makes a *damageError.
func damaged(format string, args ...any) error {
	return &damageError{fmt.Sprintf(format, args...)}
}

const (
	// inflateBuffer is read from a file at once: most objects of a plan fit.
	inflateBuffer = 4 << 10
	// firstGrant is the memory given for content on the word of a header alone.
	// More comes only as content does.
	firstGrant = 1 << 20
)

// inflater decompresses objects. It is for one goroutine.
type inflater struct {
	source *bufio.Reader
	zlib   io.ReadCloser // nil before its first use
}

// newInflater makes an inflater, which reads nothing before [inflater.begin].
func newInflater() *inflater {
	return &inflater{source: bufio.NewReaderSize(nil, inflateBuffer)}
}

// begin begins to decompress at the source's position.
func (in *inflater) begin() (err error) {
	if in.zlib == nil {
		in.zlib, err = zlib.NewReader(in.source)
	} else {
		err = in.zlib.(zlib.Resetter).Reset(in.source, nil)
	}
	if err != nil {
		return damaged("it cannot be decompressed: %v", err)
	}
	return nil
}

// readExactly reads size bytes, up to the end of what can be read.
func readExactly(r io.Reader, size int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(min(size, firstGrant)) + bytes.MinRead)
	n, err := b.ReadFrom(io.LimitReader(r, size+1))
	if err != nil {
		return nil, damaged("it ends after %d of %d bytes: %v", n, size, err)
	}
	if n != size {
		return nil, damaged("it does not have the %d bytes its header tells", size)
	}
	return b.Bytes(), nil
}

// deltaSizes reads the size of the base that a delta is made for and that of
// what it makes, and gives the instructions after them.
func deltaSizes(delta []byte) (base, target int64, rest []byte, err error) {
	b, n := binary.Uvarint(delta)
	if n <= 0 || b > maxSize {
		return 0, 0, nil, damaged("a delta has no size")
	}
	t, m := binary.Uvarint(delta[n:])
	if m <= 0 || t > maxSize {
		return 0, 0, nil, damaged("a delta has no size")
	}
	return int64(b), int64(t), delta[n+m:], nil
}

// applyDelta makes an object from its base. It gives memory only as the
// instructions fill it: a delta may promise anything.
func applyDelta(base, delta []byte) ([]byte, error) {
	from, size, delta, err := deltaSizes(delta)
	if err != nil {
		return nil, err
	}
	if from != int64(len(base)) {
		return nil, damaged("a delta is made for a base of %d bytes and gets one of %d", from, len(base))
	}
	target := make([]byte, 0, min(size, firstGrant))
	for len(delta) > 0 && int64(len(target)) <= size {
		var piece []byte
		if piece, delta, err = deltaStep(base, delta); err != nil {
			return nil, err
		}
		target = append(target, piece...)
	}
	if int64(len(target)) != size {
		return nil, damaged("a delta makes %d bytes and tells %d", len(target), size)
	}
	return target, nil
}

// deltaStep takes one instruction: bytes of the base, or bytes that follow it. Of
// the base it tells where to copy from, in four bytes, and how much, in three; the
// bits of the first byte tell which of them are there.
func deltaStep(base, delta []byte) (piece, rest []byte, err error) {
	op, delta := delta[0], delta[1:]
	if n := int(op); op&0x80 == 0 {
		if n == 0 || n > len(delta) {
			return nil, nil, damaged("a delta has a bad instruction")
		}
		return delta[:n], delta[n:], nil
	}
	var numbers [7]byte
	for i := range numbers {
		if op&(1<<i) == 0 {
			continue
		}
		if len(delta) == 0 {
			return nil, nil, damaged("a delta ends within an instruction")
		}
		numbers[i], delta = delta[0], delta[1:]
	}
	offset := int64(binary.LittleEndian.Uint32(numbers[:4]))
	size := int64(numbers[4]) | int64(numbers[5])<<8 | int64(numbers[6])<<16
	if size == 0 {
		size = 0x10000
	}
	if offset+size > int64(len(base)) {
		return nil, nil, damaged("a delta copies from beyond its base")
	}
	return base[offset : offset+size], delta, nil
}
