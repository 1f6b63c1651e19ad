package objectdb

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

func TestLooseHeaders(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"blob 3\x00abc": "", "tree 0\x00": "", "blob 3\x00ab": "bytes of", "blob 3\x00abcd": "bytes of",
		"blob -1\x00": "no header", "blob x\x00abc": "no header", "what 3\x00abc": "no header", "blob": "no header", "": "no header",
		"blob 1000000000000\x00abc": "bytes of", "blob 9223372036854775807\x00abc": "bytes of",
	} {
		_, err := readLoose(strings.NewReader(string(deflated(text))), query{kind: plumbing.AnyObject})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// A search finds every name and no other, and reads little of a large index.
func TestSearchInLargeIndex(t *testing.T) {
	t.Parallel()
	var entries []raw
	for i := range 30000 {
		e := raw{name: plumbing.ComputeHash(plumbing.BlobObject, fmt.Append(nil, i)), offset: int64(i)}
		e.name[0] &= 3 // crowd them
		entries = append(entries, e)
	}
	data := string(testIndex(entries))
	counted := &countingReader{r: strings.NewReader(data)}
	names, err := readFanout(counted)
	if err != nil {
		t.Fatal(err)
	}
	counted.bytes = 0
	for _, e := range entries {
		if offset, err := names.offset(counted, e.name); err != nil || offset != e.offset {
			t.Fatalf("%s: %d, %v", e.name, offset, err)
		}
		e.name[19] ^= 1
		if _, err := names.offset(counted, e.name); err != ErrNotFound {
			t.Fatalf("%s: %v", e.name, err)
		}
	}
	if each := counted.bytes / (2 * len(entries)); each > 2<<10 {
		t.Errorf("%d bytes were read for a search", each)
	}
}

type countingReader struct {
	r     *strings.Reader
	bytes int
}

func (c *countingReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.r.ReadAt(p, off)
	c.bytes += n
	return n, err
}

func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	var c objectCache
	data := make([]byte, 3<<20)
	for i := range 50 {
		c.put(place{offset: int64(i)}, object{data: data})
	}
	if c.bytes > cacheBytes || len(c.items) == 0 || len(c.items) > cacheBytes/len(data) {
		t.Errorf("%d bytes, %d items", c.bytes, len(c.items))
	}
	if _, ok := c.get(place{offset: 49}); !ok {
		t.Error("the newest is gone")
	}
	c.put(place{offset: 50}, object{data: make([]byte, cacheEntry+1)})
	if _, ok := c.get(place{offset: 50}); ok {
		t.Error("a large object was kept")
	}
}
