package gitstore

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/git"
)

// site is where git will find a repository of the ordinary shape, a working
// tree with .git at its top, together with what it will read on the way. All
// other shapes are left to git.
type site struct {
	top, prefix, gitDir string
	at                  time.Time // when it was looked for
	settled             time.Time // what was last changed before then can be told from what it becomes
	watched             []watch   // what decides about git's answers
	memoryFile          string
}

// look finds the site as git would. It is nil where something is out of the
// ordinary: whatever that is, git is asked.
func look(g git.Git) *site {
	if !isPlainEnvironment(g) {
		return nil
	}
	dir, err := realDir(g.Dir)
	if err != nil {
		return nil
	}
	now := time.Now()
	p := &site{at: now, settled: now.Add(-settleTime)}
	if !p.climb(dir) {
		return nil
	}
	program, err := g.Program()
	if err != nil {
		return nil
	}
	cache := cacheFolder(g)
	paths, ok := configFiles(g, program)
	if cache == "" || !ok {
		return nil
	}
	p.memoryFile = filepath.Join(cache, "git-plan", "memory", memoryName(p.top, program, g))
	if dotGit := filepath.Join(p.top, ".git"); dotGit != p.gitDir {
		paths = append(paths, dotGit)
	}
	p.watched = watchAll(append(paths, program, filepath.Join(p.gitDir, "config.worktree"), filepath.Join(p.gitDir, "commondir"))...)
	return p
}

// realDir is the present folder as the system knows it, without links.
func realDir(dir string) (string, error) {
	if dir == "" {
		var err error
		if dir, err = os.Getwd(); err != nil {
			return "", err
		}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// climb goes up from dir to the first folder with a .git, on the same file
// system and not through what could be a bare repository.
func (p *site) climb(dir string) bool {
	device, ok := deviceOf(dir)
	if !ok {
		return false
	}
	for at := dir; ; at = filepath.Dir(at) {
		info, err := os.Lstat(filepath.Join(at, ".git"))
		if err == nil {
			p.top = at
			if rest := strings.TrimPrefix(dir[len(at):], string(filepath.Separator)); rest != "" {
				p.prefix = filepath.ToSlash(rest) + "/"
			}
			there, ok := deviceOf(at)
			return ok && there == device && p.enter(info)
		}
		if _, bare := os.Lstat(filepath.Join(at, "HEAD")); bare == nil || !os.IsNotExist(err) || at == filepath.Dir(at) {
			return false
		}
	}
}

// enter follows the .git at the top to the git directory, and makes sure that
// git would take it for one, and for this user's.
func (p *site) enter(info os.FileInfo) bool {
	dotGit := filepath.Join(p.top, ".git")
	switch {
	case info.IsDir():
		p.gitDir = dotGit
	case info.Mode().IsRegular():
		text, err := os.ReadFile(dotGit)
		path, ok := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), "gitdir: ")
		if err != nil || !ok || path == "" {
			return false
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(p.top, path)
		}
		if p.gitDir, err = filepath.EvalSymlinks(path); err != nil {
			return false
		}
	default:
		return false
	}
	return isOwn(p.top) && isOwn(dotGit) && isOwn(p.gitDir) && isHead(filepath.Join(p.gitDir, "HEAD"))
}

// isHead reports whether a file says what git wants to read in the HEAD of a git
// directory.
func isHead(path string) bool {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	text, err := os.ReadFile(path)
	line := strings.TrimRight(string(text), "\n")
	hexadecimal := len(line) >= 40 && strings.Trim(line, "0123456789abcdef") == ""
	return err == nil && (strings.HasPrefix(line, "ref: refs/") || hexadecimal)
}

// isPlainEnvironment reports whether no variable of git's has a say in where the
// repository is, but those that are known to have none. GIT_CONFIG and what
// begins like it may be set: it counts in [memoryName].
func isPlainEnvironment(g git.Git) bool {
	for _, name := range g.Variables("GIT_") {
		if !isHarmlessVariable(name) {
			return false
		}
	}
	return true
}

func isHarmlessVariable(name string) bool {
	switch name {
	case "GIT_EXEC_PATH", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER", "GIT_PAGER_IN_USE", "GIT_ASKPASS", "GIT_TERMINAL_PROMPT",
		"GIT_OPTIONAL_LOCKS", "GIT_ADVICE", "GIT_MERGE_AUTOEDIT", "GIT_REFLOG_ACTION", "GIT_ATTR_NOSYSTEM", "GIT_PREFIX",
		"GIT_ALLOW_PROTOCOL", "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_TEST_FSYNC":
		return true
	}
	for _, prefix := range []string{
		"GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_PLAN_", "GIT_CONFIG", "GIT_SSH", "GIT_SSL_", "GIT_TRACE", "GIT_HTTP_", "GIT_CURL_", "GIT_PROXY_",
		"GIT_PROTOCOL", "GIT_LFS_", "GIT_PS1_",
	} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// configFiles names the files that git would read its configuration from, beside
// those of the repository, be they there or not. What git calls the system's is
// fixed when it is built: below /etc, or beside where it was installed.
func configFiles(g git.Git, program string) (paths []string, ok bool) {
	global, isSet := g.LookupEnv("GIT_CONFIG_GLOBAL")
	home, xdg := g.Getenv("HOME"), g.Getenv("XDG_CONFIG_HOME")
	if xdg == "" {
		xdg = filepath.Join(home, ".config")
	}
	switch {
	case isSet && global == "":
	case isSet:
		paths = []string{global}
	default:
		paths = []string{filepath.Join(home, ".gitconfig"), filepath.Join(xdg, "git", "config")}
	}
	if system, isSet := g.LookupEnv("GIT_CONFIG_SYSTEM"); isSet && system != "" {
		paths = append(paths, system)
	} else {
		paths = append(paths, "/etc/gitconfig", filepath.Join(filepath.Dir(filepath.Dir(program)), "etc", "gitconfig"))
	}
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			return nil, false
		}
	}
	return paths, true
}

// cacheFolder is where the user's programs keep what can be made again; "" where
// there is none.
func cacheFolder(g git.Git) string {
	if dir := g.Getenv("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	if home := g.Getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".cache")
	}
	return ""
}
