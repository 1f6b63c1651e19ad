package gitstore

import (
	"context"
	"sync"
)

// identities gives git's own author and committer. Both are asked for at once,
// ahead of need; what went wrong is reported only to who needs them.
type identities struct {
	author, committer func() (Ident, error)
}

// askIdentities starts asking.
func (r *Repo) askIdentities(ctx context.Context) identities {
	ask := func(name string) func() (Ident, error) {
		answer := sync.OnceValues(func() (Ident, error) {
			line, err := r.Git.ReadLine(ctx, "var", name)
			return parseIdent(line), err
		})
		go func() { _, _ = answer() }()
		return answer
	}
	return identities{author: ask("GIT_AUTHOR_IDENT"), committer: ask("GIT_COMMITTER_IDENT")}
}

// choose gives the wanted identity, or git's, as git would store it.
func choose(wanted *Ident, own func() (Ident, error)) (Ident, error) {
	if wanted != nil {
		return wanted.clean()
	}
	id, err := own()
	if err != nil {
		return Ident{}, err
	}
	return id.clean()
}
