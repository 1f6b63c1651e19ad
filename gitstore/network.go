package gitstore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// SilentError is returned where a remote was not done within the time that it had.
type SilentError struct {
	Remote string
	After  time.Duration
}

func (e *SilentError) Error() string {
	return fmt.Sprintf("no answer from %s within %v", e.Remote, e.After)
}

// talk runs a git command that talks to a remote, with settings that come before it.
func (s *Store) talk(ctx context.Context, r Remote, settings []string, args ...string) ([]byte, error) {
	limited := ctx
	if r.Limit > 0 {
		var stop func()
		limited, stop = context.WithTimeout(ctx, r.Limit)
		defer stop()
	}
	settings = append(settings, s.repo.rememberPassword()...)
	out, err := s.repo.Git.Network().Write(limited, nil, append(settings, args...)...)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = &SilentError{r.Name, r.Limit}
	}
	return out, err
}

// rememberPassword gives the settings by which git keeps the password that it asks for
// until [Store.Close]: a fetch and the push after it ask once. Helpers that the user
// configured are asked first.
func (r *Repo) rememberPassword() []string {
	asks := r.Git.AtTerminal() || r.Git.Getenv("GIT_ASKPASS") != "" || r.Git.Getenv("SSH_ASKPASS") != ""
	if !asks || runtime.GOOS == "windows" { // whose git has no such helper
		return nil
	}
	if r.passwords == "" {
		dir, err := os.MkdirTemp("", "git-plan-")
		if err != nil {
			return nil // git asks once more
		}
		r.passwords = dir
	}
	return []string{"-c", fmt.Sprintf("credential.helper=cache --timeout=600 --socket='%s'", r.passwordSocket())}
}

func (r *Repo) passwordSocket() string { return filepath.Join(r.passwords, "socket") }

// forgetPassword ends what [Repo.rememberPassword] began.
func (r *Repo) forgetPassword() {
	if _, err := os.Lstat(r.passwordSocket()); err == nil {
		_, _ = r.Git.Write(context.Background(), nil, "credential-cache", "--socket="+r.passwordSocket(), "exit")
	}
	_ = os.RemoveAll(r.passwords)
	r.passwords = ""
}
