package gitstore

import (
	"os"
	"sync"
)

// maxOpenFiles bounds the files a pool keeps open. More are open only while
// more than that are being read at once.
const maxOpenFiles = 128

// filePool keeps files open for reading at offsets. It is safe for concurrent
// use; the zero value is ready.
type filePool struct {
	mu    sync.Mutex
	files map[string]*pooledFile
	clock int64
}

// pooledFile is an open file. Each open of the pool needs a release.
type pooledFile struct {
	*os.File
	size int64 // when it was opened

	path  string
	users int
	used  int64 // the pool's clock when it was last asked for
	gone  bool  // no longer the pool's
}

// open gives the file at path, from the pool if it is there.
func (p *filePool) open(path string) (*pooledFile, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clock++
	f := p.files[path]
	if f == nil {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		info, err := file.Stat()
		if err != nil {
			_ = file.Close()
			return nil, err
		}
		if p.files == nil {
			p.files = map[string]*pooledFile{}
		}
		p.makeRoom()
		f = &pooledFile{File: file, size: info.Size(), path: path}
		p.files[path] = f
	}
	f.users++
	f.used = p.clock
	return f, nil
}

// makeRoom closes the file that was not asked for the longest, if there are too
// many and one is not in use.
func (p *filePool) makeRoom() {
	if len(p.files) < maxOpenFiles {
		return
	}
	var oldest *pooledFile
	for _, f := range p.files {
		if f.users == 0 && (oldest == nil || f.used < oldest.used) {
			oldest = f
		}
	}
	if oldest != nil {
		p.forget(oldest)
	}
}

// release ends one use of a file.
func (p *filePool) release(f *pooledFile) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f.users--
	if f.users == 0 && f.gone {
		_ = f.Close() // it was only read
	}
}

// drop lets go of the file at path, so that the next open finds what is there
// then.
func (p *filePool) drop(path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.files[path]; f != nil {
		p.forget(f)
	}
}

// close lets go of all files.
func (p *filePool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.files {
		p.forget(f)
	}
}

// forget takes a file out of the pool, under its lock; the last user closes it.
func (p *filePool) forget(f *pooledFile) {
	delete(p.files, f.path)
	f.gone = true
	if f.users == 0 {
		_ = f.Close()
	}
}
