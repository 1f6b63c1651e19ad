package plan

import (
	"sync"

	"github.com/git-plan/git-plan/plan/diag"
)

// maxCached bounds the text of the files a [Cache] keeps, in bytes.
const maxCached = 64 << 20

// Cache keeps files that were read, by path and content: a file that is read
// again, from another revision say, is not parsed again. Documents never
// change, so what is kept is as good as new. It is safe for concurrent use; a
// nil Cache keeps nothing.
type Cache struct {
	mu    sync.Mutex
	files map[cacheKey]parsed
	bytes int
}

type cacheKey struct {
	kind         docKind
	path, source string
}

type parsed struct {
	doc   *Document
	found []diag.Diagnostic
}

// NewCache makes an empty cache.
func NewCache() *Cache { return &Cache{files: map[cacheKey]parsed{}} }

// document is parseDocument through the cache.
func (c *Cache) document(kind docKind, path string, data []byte) (*Document, []diag.Diagnostic) {
	if c == nil {
		return parseDocument(kind, path, data)
	}
	key := cacheKey{kind, path, string(data)}
	c.mu.Lock()
	p, ok := c.files[key]
	c.mu.Unlock()
	if ok {
		return p.doc, p.found
	}
	p.doc, p.found = parseDocument(kind, path, data)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bytes += len(data); c.bytes > maxCached {
		clear(c.files)
		c.bytes = len(data)
	}
	c.files[key] = p
	return p.doc, p.found
}
