package objectdb

import (
	"bufio"
	"compress/zlib"
	"encoding/binary"
	"hash"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
)

// Object is an object to write.
type Object struct {
	// Name and Kind are git's.
	Name, Kind string
	// Data is the content, nil where it is not known.
	Data []byte
}

// WritePack writes a pack of whole objects, of version 2, that ends in a sum of all. Level
// is how much they are compressed, as package zlib has it.
func WritePack(to io.Writer, sum hash.Hash, objects []Object, level int) error {
	out := bufio.NewWriterSize(to, 64<<10)
	both := io.MultiWriter(out, sum)
	head := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(len(objects)))
	if _, err := both.Write(head); err != nil {
		return err
	}
	deflate, err := zlib.NewWriterLevel(both, level)
	if err != nil {
		return err
	}
	for _, o := range objects {
		kind, err := plumbing.ParseObjectType(o.Kind)
		if err != nil {
			return err
		}
		if _, err := both.Write(packHeader(kind, int64(len(o.Data)))); err != nil {
			return err
		}
		deflate.Reset(both)
		if _, err := deflate.Write(o.Data); err != nil {
			return err
		}
		if err := deflate.Close(); err != nil {
			return err
		}
	}
	if _, err := out.Write(sum.Sum(nil)); err != nil {
		return err
	}
	return out.Flush()
}

// packHeader writes type and size: four bits of size, then seven in each byte.
func packHeader(kind plumbing.ObjectType, size int64) []byte {
	b := []byte{byte(kind)<<4 | byte(size&0x0f)}
	for size >>= 4; size > 0; size >>= 7 {
		b[len(b)-1] |= 0x80
		b = append(b, byte(size&0x7f))
	}
	return b
}
