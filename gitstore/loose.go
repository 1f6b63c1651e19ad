package gitstore

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/go-git/go-git/v5/plumbing"
)

// looseHeader bounds "<type> <size> NUL" at the beginning of a loose object.
const looseHeader = 32

// maxSize bounds the sizes that headers may tell, so that sums of them stay
// within 64 bits.
const maxSize = 1 << 60

// readLoose reads an object that lies in a file of its own.
func (db *objectDB) readLoose(dir string, q query) (object, error) {
	name := q.name.String()
	file, err := os.Open(filepath.Join(dir, name[:2], name[2:]))
	if errors.Is(err, fs.ErrNotExist) {
		return object{}, errNoObject
	}
	if err != nil {
		return object{}, damaged("%v", err)
	}
	defer func() { _ = file.Close() }()
	in := db.inflater()
	defer db.inflaters.Put(in)
	in.source.Reset(file)
	return in.loose(q)
}

// loose reads a loose object whose file the source is.
func (in *inflater) loose(q query) (object, error) {
	if err := in.begin(); err != nil {
		return object{}, err
	}
	head, err := in.head()
	if err != nil {
		return object{}, err
	}
	words, begun, _ := bytes.Cut(head, []byte{0})
	o, size, err := parseLoose(words)
	if err == nil {
		err = q.admits(o.kind, size)
	}
	if err != nil {
		return object{}, err
	}
	if o.data, err = in.content(size, begun); err != nil {
		return object{}, err
	}
	if _, err := in.source.Peek(1); err != io.EOF {
		return object{}, damaged("there is more in its file than the object")
	}
	return o, nil
}

// head decompresses until the header is whole; some content may follow it.
func (in *inflater) head() ([]byte, error) {
	head := make([]byte, 0, looseHeader)
	for len(head) < looseHeader {
		n, err := in.zlib.Read(head[len(head):looseHeader])
		head = head[:len(head)+n]
		if bytes.IndexByte(head, 0) >= 0 {
			return head, nil
		}
		if err != nil {
			break
		}
	}
	return nil, damaged("it has no header")
}

// parseLoose reads "<type> <size>".
func parseLoose(words []byte) (o object, size int64, err error) {
	kind, digits, _ := bytes.Cut(words, []byte(" "))
	o.kind, err = plumbing.ParseObjectType(string(kind))
	if err != nil || o.kind.IsDelta() {
		return o, 0, damaged("%q is no type of an object", kind)
	}
	size, err = strconv.ParseInt(string(digits), 10, 64)
	if err != nil || size > maxSize || strconv.FormatInt(size, 10) != string(digits) || size < 0 {
		return o, 0, damaged("%q is no size of an object", digits)
	}
	return o, size, nil
}
