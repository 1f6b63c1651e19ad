package store

import (
	"bytes"
	"encoding/gob"
	"os"
	"path/filepath"
	"time"

	"github.com/git-plan/git-plan/gitstore"
)

// caches are files of what was worked out from plans, in <common-dir>/git-plan/cache.
// They hold nothing that cannot be made again: a file that is missing, cut short,
// damaged or of another format is as good as none, and where the git directory cannot be
// written there is no cache. A file is replaced as a whole, so that a reader sees one
// state or the other.
type caches struct{ repo *Repo }

// cacheFormat changes with what is kept, and with what a summary means.
const cacheFormat = "git-plan cache 2"

func (in caches) file(name string) string {
	return filepath.Join(in.repo.CommonDir, "git-plan", "cache", name)
}

// read fills what v points at, if the cache has it.
func (in caches) read(name string, v any) {
	data, err := os.ReadFile(in.file(name))
	head, body, _ := bytes.Cut(data, []byte("\n"))
	if err == nil && string(head) == cacheHead(body) {
		_ = gob.NewDecoder(bytes.NewReader(body)).Decode(v)
	}
}

// write replaces a file of the cache. That it cannot be written is no fault.
func (in caches) write(name string, v any) {
	var body bytes.Buffer
	if gob.NewEncoder(&body).Encode(v) != nil || os.MkdirAll(filepath.Dir(in.file(name)), 0o777) != nil {
		return
	}
	_ = WriteFile(in.file(name), append([]byte(cacheHead(body.Bytes())+"\n"), body.Bytes()...))
}

// cacheHead is the first line of a file.
func cacheHead(body []byte) string { return cacheFormat + " " + gitstore.Checksum(string(body)) }

// summaries are what lists need of each plan. The key holds the tree's name, so an
// entry is never out of date.
type summaries map[Location]Summary

// keep gives the summaries that were made now and, while they are not many more, those
// of other plans.
func (old summaries) keep(where []Location, made []Summary) summaries {
	const spare = 1000
	kept := old
	if len(old) >= 2*len(where)+spare {
		kept = summaries{}
	}
	for i, l := range where {
		if made[i].Location = l; !made[i].Damaged {
			kept[l] = made[i]
		}
	}
	return kept
}

// changeTimes tells when plans last changed, by path, as of a commit.
type changeTimes struct {
	Commit string
	At     map[string]time.Time
}
