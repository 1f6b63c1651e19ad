package store

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// RemoteView is the store at the remote as it was last seen.
type RemoteView struct {
	// Remote is its name.
	Remote string
	// Seen is when that was, zero if it was never seen there.
	Seen time.Time
	// Unpublished is the number of commits here that were not there then.
	Unpublished int
}

// RemoteView gives what is known here of the remote's store, nil without a remote.
func (r *Repo) RemoteView(ctx context.Context, tip string) (*RemoteView, error) {
	v := &RemoteView{Remote: r.Remote()}
	if v.Remote == "" || tip == "" {
		return nil, nil
	}
	here, err := r.Store.TipOf(ctx, r.trackingRef())
	if err == nil && here == tip {
		v.Seen = lastLook(r)
		return v, nil
	}
	count := []string{"rev-list", "--count", "--end-of-options", tip}
	if err == nil {
		v.Seen, count = lastLook(r), append(count, "^"+here)
	}
	text, err := r.Git.ReadLine(ctx, append(count, "--")...)
	if err == nil {
		v.Unpublished, err = strconv.Atoi(text)
	}
	return v, err
}

// lastLook is when the remote was last asked: by git plan, or by git where it had news.
// Of a new clone only its refs tell.
func lastLook(r *Repo) time.Time {
	at := lastFetch(r)
	for _, name := range []string{filepath.Join("logs", filepath.FromSlash(r.trackingRef())), "packed-refs", "reftable/tables.list"} {
		info, err := os.Stat(filepath.Join(r.CommonDir, name))
		if err == nil && info.ModTime().After(at) {
			at = info.ModTime()
		}
		if !at.IsZero() {
			break
		}
	}
	return at
}
