package diag

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// JSONWriter gives a writer for documents in JSON, which stay the same documents
// and are harmless to a terminal: characters that it might obey, or not show,
// are written as escapes. Each write must end between characters, as those of
// encoding/json do.
func JSONWriter(w io.Writer) io.Writer { return jsonWriter{w} }

type jsonWriter struct{ out io.Writer }

func (w jsonWriter) Write(document []byte) (int, error) {
	if _, err := w.out.Write(escapeJSON(document)); err != nil {
		return 0, err
	}
	return len(document), nil
}

// escapeJSON escapes what stands in strings of a document: elsewhere it has
// nothing but ASCII.
func escapeJSON(document []byte) []byte {
	at := plainLength(document)
	unsafe := bytes.IndexFunc(document[at:], func(r rune) bool { return r >= 0x7f && unsafeRune(r) })
	if unsafe < 0 {
		return document
	}
	at += unsafe
	out := bytes.Clone(document[:at])
	for rest := document[at:]; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		switch {
		case r < 0x7f || !unsafeRune(r):
			out = append(out, rest[:size]...)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		rest = rest[size:]
	}
	return out
}

// plainLength gives how many bytes at the beginning are ASCII but for DEL, which
// most documents are all over, give or take seven. It looks at eight at once: a
// byte beyond has its highest bit set, or gets it when one is added.
func plainLength(document []byte) int {
	const ones, highest = 0x0101010101010101, 0x8080808080808080
	at := 0
	for ; len(document)-at >= 8; at += 8 {
		if word := binary.LittleEndian.Uint64(document[at:]); (word|(word+ones))&highest != 0 {
			break
		}
	}
	return at
}
