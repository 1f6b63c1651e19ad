package gitstore

import (
	"context"
	"os"
	"strings"
	"sync"
	"time"
)

// identities gives git's own author and committer. Both are looked for at once,
// ahead of need; what went wrong is reported only to who needs them.
type identities struct {
	author, committer func() (Ident, error)
}

// askIdentities starts looking.
func (r *Repo) askIdentities(ctx context.Context) identities {
	ask := func(role identityRole) func() (Ident, error) {
		answer := sync.OnceValues(func() (Ident, error) { return r.identity(ctx, role) })
		go func() { _, _ = answer() }()
		return answer
	}
	return identities{author: ask(author), committer: ask(committer)}
}

// Author gives who git would say is the author of a commit made now.
func (r *Repo) Author(ctx context.Context) (Ident, error) { return r.identity(ctx, author) }

// Committer gives who git would say is the committer of a commit made now.
func (r *Repo) Committer(ctx context.Context) (Ident, error) { return r.identity(ctx, committer) }

// identityRole is which of git's two identities is meant.
type identityRole string

const (
	author    identityRole = "author"
	committer identityRole = "committer"
)

// variable gives the name of one of the role's environment variables.
func (role identityRole) variable(part string) string {
	return "GIT_" + strings.ToUpper(string(role)) + "_" + strings.ToUpper(part)
}

// identity gives one identity: what is written down for it, else git's answer.
func (r *Repo) identity(ctx context.Context, role identityRole) (Ident, error) {
	if id, ok := r.written(ctx, role); ok {
		return id, nil
	}
	line, err := r.Git.ReadLine(ctx, "var", role.variable("ident"))
	return parseIdent(line), err
}

// written gives an identity whose name and address stand in the environment or
// in git's configuration, with the present moment. All else, such as guessing
// from the system's accounts, reading dates in their many forms, and stripping what
// no name ends in, of which versions of git think differently, is left to git; ok is
// then false.
func (r *Repo) written(ctx context.Context, role identityRole) (id Ident, ok bool) {
	config, err := r.Config(ctx)
	zone, known := r.zone()
	if err != nil || !known || r.Git.Getenv(role.variable("date")) != "" {
		return Ident{}, false
	}
	name, email := r.identityPart(config, role, "name"), r.identityPart(config, role, "email")
	id, err = Ident{Name: name, Email: email, When: time.Now().In(zone)}.clean()
	return id, err == nil && id.Email != "" && id.Name == name && id.Email == email
}

// identityPart looks where git looks: the environment, the setting of the role,
// that of the user. The first that is set decides, be it empty.
func (r *Repo) identityPart(config *Config, role identityRole, part string) string {
	if value, set := r.Git.LookupEnv(role.variable(part)); set {
		return value
	}
	if value, set := config.Get(string(role) + "." + part); set {
		return value
	}
	value, _ := config.Get("user." + part)
	return value
}

// zone gives the time zone that git would use. The C library knows forms of TZ
// that Go does not; known is then false.
func (r *Repo) zone() (zone *time.Location, known bool) {
	name, set := r.Git.LookupEnv("TZ")
	if !set {
		_, own := os.LookupEnv("TZ") // that of this process, which git does not see
		return time.Local, !own
	}
	if name == "Local" {
		return nil, false
	}
	zone, err := time.LoadLocation(name)
	return zone, err == nil
}

// choose gives the wanted identity as git would store it, or git's own.
func choose(wanted *Ident, own func() (Ident, error)) (Ident, error) {
	if wanted != nil {
		return wanted.clean()
	}
	id, err := own()
	if err != nil {
		return Ident{}, err
	}
	return id.dated()
}
