package gitstore

import (
	"bufio"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"math"
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

// content decompresses exactly size bytes up to the end of the stream, of which
// begun have been read already.
func (in *inflater) content(size int64, begun []byte) ([]byte, error) {
	if size > math.MaxInt/2 || int64(len(begun)) > size {
		return nil, damaged("it does not have the %d bytes its header tells", size)
	}
	data := make([]byte, min(size, firstGrant))
	for n := copy(data, begun); ; {
		more, err := io.ReadFull(in.zlib, data[n:])
		if n += more; err != nil {
			return nil, damaged("it ends after %d of %d bytes: %v", n, size, err)
		}
		if int64(n) == size {
			return data, in.end(size)
		}
		data = append(data, make([]byte, min(size-int64(n), int64(n)))...)
	}
}

// end makes sure that the stream is over and its checksum right.
func (in *inflater) end(size int64) error {
	var one [1]byte
	switch _, err := io.ReadFull(in.zlib, one[:]); err {
	case io.EOF:
		return nil
	case nil:
		return damaged("it has more than the %d bytes its header tells", size)
	default:
		return damaged("it cannot be decompressed: %v", err)
	}
}

// prefix decompresses at most the first n bytes.
func (in *inflater) prefix(n int64) ([]byte, error) {
	data := make([]byte, n)
	got, err := io.ReadFull(in.zlib, data)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, damaged("it cannot be decompressed: %v", err)
	}
	return data[:got], nil
}
