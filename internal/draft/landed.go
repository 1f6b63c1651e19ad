package draft

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// stamps are the fields that a commit adds to a new plan.
var stamps = [...]string{"created_at", "created_by"}

// digest is a checksum of a plan's files, but for who made it and when.
func digest(p *plan.Plan) string {
	files := p.Files()
	if doc := p.Doc; doc != nil {
		for _, key := range stamps {
			if next, err := doc.Delete(key); err == nil {
				doc = next
			}
		}
		if plain, ok := doc.Format(); ok { // a frontmatter of one `{…}` has lines once it was added to
			doc = plain
		}
		files[doc.Path] = []byte(doc.Source)
	}
	h := sha256.New()
	for _, name := range names(files) {
		fmt.Fprintf(h, "%s %d\n%s\n", name, len(files[name]), files[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// hasLanded finds out whether a commit of a new plan was cut off after it had
// landed: the store then has a plan of the id it was to get, and the files it
// began with are those that were submitted. The thread goes on from there.
func (c *committer) hasLanded(ctx context.Context, s *store.Snapshot, p *part) (bool, error) {
	if p.thread.Pending == "" {
		return false, nil
	}
	history, err := s.Revisions(ctx, p.thread.Pending)
	if err != nil {
		return false, err
	}
	oldest, ok, err := history.Oldest(ctx)
	if err != nil || !ok {
		return false, err
	}
	first := oldest.Changes[0].After
	if first == nil || digest(first) != p.thread.Digest {
		return false, nil
	}
	p.id, p.base = p.thread.Pending, first
	p.disk, err = restamped(p, first)
	return err == nil, err
}

// restamped gives the thread's files with what the commit had added to
// plan.md, which the folder did not get to hold.
func restamped(p *part, first *plan.Plan) (map[string][]byte, error) {
	files := p.plan.Files()
	doc := p.plan.Doc
	for _, key := range stamps {
		if f := first.Doc.Field(key); f != nil && doc != nil && !doc.Has(key) {
			next, err := doc.Set(key, f.Value)
			if err != nil {
				return nil, err
			}
			doc = next
		}
	}
	if doc != nil {
		files[doc.Path] = []byte(doc.Source)
	}
	return files, nil
}
