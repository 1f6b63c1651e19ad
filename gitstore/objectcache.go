package gitstore

import (
	"container/list"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	// cacheBytes bounds the content a cache keeps, cacheEntry one object's.
	cacheBytes = 64 << 20
	cacheEntry = 8 << 20
	// cacheOverhead is what an object costs besides its content, roughly.
	cacheOverhead = 200
)

// object is a type and content, which nobody may change.
type object struct {
	kind plumbing.ObjectType
	data []byte
	name plumbing.Hash // that the content was compared with, or zero
}

// place is where an object lies: in a pack, or by itself under its name.
type place struct {
	pack   *pack
	offset int64
	name   plumbing.Hash // only without a pack
}

// objectCache keeps the objects that were asked for last. It is safe for
// concurrent use; the zero value is ready.
type objectCache struct {
	mu    sync.Mutex
	bytes int64
	items map[place]*list.Element
	order list.List // of cached, the last asked for in front
}

// cached is what the cache keeps of one place.
type cached struct {
	at place
	object
}

// size is what the object counts for.
func (c *cached) size() int64 { return int64(len(c.data)) + cacheOverhead }

// get gives what was put at a place.
func (c *objectCache) get(at place) (object, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	item := c.items[at]
	if item == nil {
		return object{}, false
	}
	c.order.MoveToFront(item)
	return item.Value.(*cached).object, true
}

// put keeps an object and reports whether it did: a large one is not kept.
func (c *objectCache) put(at place, o object) bool {
	if len(o.data) > cacheEntry {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.items == nil {
		c.items = map[place]*list.Element{}
	}
	if item := c.items[at]; item != nil {
		c.remove(item)
	}
	new := &cached{at, o}
	c.items[at] = c.order.PushFront(new)
	for c.bytes += new.size(); c.bytes > cacheBytes; {
		c.remove(c.order.Back())
	}
	return true
}

// remove forgets one object.
func (c *objectCache) remove(item *list.Element) {
	old := c.order.Remove(item).(*cached)
	delete(c.items, old.at)
	c.bytes -= old.size()
}

// clear forgets everything.
func (c *objectCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.items)
	c.order.Init()
	c.bytes = 0
}
