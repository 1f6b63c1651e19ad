// Package gittest makes hermetic real repositories for tests.
//
// Begin with [New] (or [NewBare]): it makes a repository in a temporary folder
// whose environment knows nothing of the machine's own git configuration and
// whose identity and dates are fixed. [Repo.Git] runs git in it and fails the
// test when git fails; [Env] gives the environment alone, for scripts.
//
// The variable GIT_PLAN_TEST_GIT may name another git binary; its folder then
// comes first on PATH.
package gittest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/git"
)

// Date is the author and committer date of each commit made in a test.
const Date = "2026-01-02T03:04:05Z"

// unattended is the setting by which git packs anew in the background after a
// command. It would change what a test has laid out, at a time of its own.
const unattended = "maintenance.auto"

// Repo is a repository on disk for one test.
type Repo struct {
	// Dir is the working tree, or the repository itself if it is bare.
	Dir string
	// Env is the whole environment git runs with in it.
	Env []string

	t testing.TB
}

// Option changes how a repository is made.
type Option func(*options)

// options are the arguments of git init.
type options struct{ args []string }

// ObjectFormat makes a repository with the given hash, sha1 or sha256.
func ObjectFormat(name string) Option {
	return func(o *options) { o.args = append(o.args, "--object-format="+name) }
}

// Init adds arguments to git init, such as "--ref-format=reftable".
func Init(args ...string) Option {
	return func(o *options) { o.args = append(o.args, args...) }
}

// New makes a repository on branch main with one commit that holds README.md.
func New(t testing.TB, opts ...Option) *Repo {
	t.Helper()
	r := initRepo(t, nil, opts)
	r.Write("README.md", "# test\n")
	r.Commit("begin")
	return r
}

// NewBare makes an empty bare repository whose HEAD is main.
func NewBare(t testing.TB, opts ...Option) *Repo {
	t.Helper()
	return initRepo(t, []string{"--bare"}, opts)
}

// Clone makes a clone with a working tree; r is its remote origin.
func (r *Repo) Clone(t testing.TB, args ...string) *Repo {
	t.Helper()
	clone := &Repo{Dir: filepath.Join(tempDir(t), "clone"), Env: r.Env, t: t}
	all := slices.Concat([]string{"clone", "-q", "-c", unattended + "=false", "-c", "plan.fetchAge=off"}, args, []string{r.Dir, clone.Dir})
	if out, err := run(filepath.Dir(clone.Dir), r.Env, all); err != nil {
		t.Fatalf("git %v: %v\n%s", all, err, out)
	}
	return clone
}

// At gives the same repository seen from another folder, such as a linked
// worktree or a subdirectory.
func (r *Repo) At(dir string) *Repo {
	return &Repo{Dir: dir, Env: r.Env, t: r.t}
}

// For gives the same repository, or a copy of it in another folder, to another
// test, which then is the one that fails.
func (r *Repo) For(t testing.TB, dir string) *Repo {
	return &Repo{Dir: dir, Env: r.Env, t: t}
}

// With gives the same repository with more "KEY=value" settings.
func (r *Repo) With(kv ...string) *Repo {
	return &Repo{Dir: r.Dir, Env: slices.Concat(r.Env, kv), t: r.t}
}

// G gives the repository to code under test.
func (r *Repo) G() git.Git { return git.Git{Dir: r.Dir, Env: r.Env} }

// Git runs git and returns its output, without white space at its end. A
// failure ends the test.
func (r *Repo) Git(args ...string) string {
	r.t.Helper()
	out, err := r.TryGit(args...)
	if err != nil {
		r.t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// TryGit runs git and returns its output, without white space at its end. The
// error holds what git said.
func (r *Repo) TryGit(args ...string) (string, error) {
	out, err := run(r.Dir, r.Env, args)
	return strings.TrimRight(out, " \t\r\n"), err
}

// GitInput is Git with standard input.
func (r *Repo) GitInput(stdin string, args ...string) string {
	r.t.Helper()
	cmd := command(r.Dir, r.Env, args)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("git %s: %v", strings.Join(args, " "), withStderr(err))
	}
	return strings.TrimRight(string(out), " \t\r\n")
}

// Write writes a file below the repository's folder, making folders as needed.
func (r *Repo) Write(path, content string) {
	r.t.Helper()
	full := filepath.Join(r.Dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// Read gives the content of a file below the repository's folder.
func (r *Repo) Read(path string) string {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.Dir, filepath.FromSlash(path)))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}

// Commit commits everything in the working tree and returns the commit's name.
func (r *Repo) Commit(message string) string {
	r.t.Helper()
	r.Git("add", "-A")
	r.Git("commit", "-q", "--allow-empty", "-m", message)
	return r.Git("rev-parse", "HEAD")
}

// Env gives a hermetic environment with home as the home folder: no
// configuration of the machine or its user, a fixed identity, fixed dates, the
// C locale and no prompts.
func Env(home string) []string {
	env := []string{
		"HOME=" + home,
		"XDG_CONFIG_HOME=" + filepath.Join(home, ".config"),
		"GIT_CONFIG_GLOBAL=" + filepath.Join(home, ".gitconfig"),
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada Author", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_AUTHOR_DATE=" + Date,
		"GIT_COMMITTER_NAME=Carl Committer", "GIT_COMMITTER_EMAIL=carl@example.com", "GIT_COMMITTER_DATE=" + Date,
		"GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true", "LC_ALL=C", "TZ=UTC",
		"GIT_TEST_FSYNC=0", // git's own switch: a test's repository need not survive a power cut
		"PATH=" + Path(os.Getenv("PATH")),
	}
	for _, key := range []string{"TMPDIR", "SystemRoot", "TEMP", "GOCOVERDIR", "GORACE"} {
		if value := os.Getenv(key); value != "" {
			env = append(env, key+"="+value)
		}
	}
	return env
}

// Path gives the search path with the git under test first.
func Path(path string) string {
	if other := os.Getenv("GIT_PLAN_TEST_GIT"); other != "" {
		return filepath.Dir(other) + string(os.PathListSeparator) + path
	}
	return path
}

// initRepo runs git init in a fresh folder with a fresh home.
func initRepo(t testing.TB, args []string, opts []Option) *Repo {
	t.Helper()
	o := options{args: args}
	for _, opt := range opts {
		opt(&o)
	}
	top := tempDir(t)
	r := &Repo{Dir: filepath.Join(top, "repo"), Env: Env(filepath.Join(top, "home")), t: t}
	for _, dir := range []string{r.Dir, filepath.Join(top, "home")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r.Git(slices.Concat([]string{"init", "-q", "-b", "main"}, o.args)...)
	r.Git("config", unattended, "false")
	r.Git("config", "plan.fetchAge", "off")
	return r
}

// tempDir is t.TempDir by the name git gives it, without symbolic links.
func tempDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// run runs git once; the error holds what it said.
func run(dir string, env, args []string) (string, error) {
	out, err := command(dir, env, args).Output()
	return string(out), withStderr(err)
}

// Program is the git under test, as a name or a path.
func Program() string {
	if other := os.Getenv("GIT_PLAN_TEST_GIT"); other != "" && runtime.GOOS != "windows" {
		return other
	}
	return "git"
}

// command prepares git in dir with env.
func command(dir string, env, args []string) *exec.Cmd {
	cmd := exec.Command(Program(), args...)
	cmd.Dir, cmd.Env = dir, env
	return cmd
}

// withStderr adds to an exit error what the command said.
func withStderr(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
	}
	return err
}
