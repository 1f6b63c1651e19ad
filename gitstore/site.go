package gitstore

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/git-plan/git-plan/internal/git"
)

// site is where git will find a repository of the ordinary shape, a working
// tree with .git at its top, together with what it will read on the way. All
// other shapes are left to git.
type site struct {
	top, prefix, gitDir, commonDir string
	program                        string    // git, links followed
	at                             time.Time // when it was looked for
	settled                        time.Time // what was last changed before then can be told from what it becomes
	watched                        []watch   // what decides about git's answers
	memoryFile                     string
}

// appleChoice is a link that decides which git is started by the one that comes
// with macOS. It is nowhere else.
const appleChoice = "/var/db/xcode_select_link"

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
	own, err := os.Executable()
	if err != nil {
		return nil
	}
	if p.program, err = g.Program(); err != nil {
		return nil
	}
	cache := cacheFolder(g)
	paths, ok := configFiles(g, p.program)
	if cache == "" || !ok {
		return nil
	}
	p.memoryFile = filepath.Join(cache, "git-plan", "memory", memoryName(p.top, p.program, own, g))
	paths = append(paths, p.program, appleChoice, own, filepath.Join(p.commonDir, "config"), filepath.Join(p.gitDir, "config.worktree"))
	p.watched = watchAll(paths...)
	return p
}

// realDir is the folder that git will run in as the system knows it, without
// links. PWD is not believed, which may tell of another way there.
func realDir(dir string) (string, error) {
	if filepath.IsAbs(dir) {
		return filepath.EvalSymlinks(dir)
	}
	here, err := syscall.Getwd()
	if err != nil || dir == "" {
		return here, err
	}
	return filepath.EvalSymlinks(here + string(filepath.Separator) + dir) // not joined: what is above a link is not what it is named below
}

// climb goes up from dir to the first folder with a .git, on the same file
// system and not through what could be a bare repository.
func (p *site) climb(dir string) bool {
	var device int64
	for at := dir; ; at = filepath.Dir(at) {
		there, ok := deviceOf(at)
		if !ok || at != dir && there != device {
			return false
		}
		device = there
		info, err := os.Lstat(filepath.Join(at, ".git"))
		if err == nil {
			p.top = at
			return p.setPrefix(strings.TrimPrefix(dir[len(at):], string(filepath.Separator))) && p.enter(info)
		}
		if _, bare := os.Lstat(filepath.Join(at, "HEAD")); bare == nil || !os.IsNotExist(err) || at == filepath.Dir(at) {
			return false
		}
	}
}

// setPrefix is told where below the top git runs.
func (p *site) setPrefix(below string) bool {
	if below != "" {
		p.prefix = filepath.ToSlash(below) + "/"
	}
	if strings.Contains(below, "\n") { // as where git is asked
		return false
	}
	// There git composes the letters of names anew.
	return runtime.GOOS != "darwin" || !strings.ContainsFunc(below, func(r rune) bool { return r > unicode.MaxASCII })
}

// enter follows the .git at the top to the git directory, and makes sure that
// git would take it for one, and for this user's.
func (p *site) enter(info os.FileInfo) bool {
	dotGit := filepath.Join(p.top, ".git")
	p.gitDir = dotGit
	if !info.IsDir() {
		var ok bool
		if p.gitDir, ok = followed(dotGit, "gitdir: "); !ok || !info.Mode().IsRegular() {
			return false
		}
	}
	p.commonDir = p.gitDir
	pointer := filepath.Join(p.gitDir, "commondir")
	if _, err := os.Lstat(pointer); !os.IsNotExist(err) {
		var ok bool
		if p.commonDir, ok = followed(pointer, ""); !ok {
			return false
		}
	}
	return isOwn(p.top) && isOwn(dotGit) && isOwn(p.gitDir) && isHead(headLine(p.gitDir)) &&
		mayEnter(filepath.Join(p.commonDir, "objects")) && mayEnter(filepath.Join(p.commonDir, "refs"))
}

// followed gives the folder that a file names, after a prefix, as git follows it.
func followed(file, prefix string) (dir string, ok bool) {
	text, err := readRegular(file, smallFile)
	path, ok := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), prefix)
	if err != nil || !ok || path == "" {
		return "", false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Dir(file) + string(filepath.Separator) + path
	}
	dir, err = filepath.EvalSymlinks(path)
	return dir, err == nil
}

// isHead reports whether a line is what git wants to read in the HEAD of a git
// directory.
func isHead(line string) bool {
	hexadecimal := len(line) >= 40 && strings.Trim(line, "0123456789abcdef") == ""
	return strings.HasPrefix(line, "ref: refs/") || hexadecimal
}

// isPlainEnvironment reports whether no variable of git's has a say in where the
// repository is, but those that are known to have none. Those that begin with
// GIT_CONFIG_ may be set: they count in [memoryName].
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
		"GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_PLAN_", "GIT_CONFIG_", "GIT_SSH", "GIT_SSL_", "GIT_TRACE", "GIT_HTTP_", "GIT_CURL_", "GIT_PROXY_",
		"GIT_PROTOCOL", "GIT_LFS_", "GIT_PS1_",
	} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// configFiles names the files that git would read its configuration from, beside
// those of the repository, be they there or not. They are named as git names
// them; where a name leads back up, which a link may make another way, ok is
// false.
func configFiles(g git.Git, program string) (paths []string, ok bool) {
	if global, isSet := g.LookupEnv("GIT_CONFIG_GLOBAL"); !isSet {
		home, xdg := g.Getenv("HOME"), g.Getenv("XDG_CONFIG_HOME")
		if home == "" {
			return nil, false
		}
		if xdg == "" {
			xdg = home + "/.config"
		}
		paths = []string{home + "/.gitconfig", xdg + "/git/config"}
	} else if global != "" {
		paths = []string{global}
	}
	if system := g.Getenv("GIT_CONFIG_SYSTEM"); system != "" {
		paths = append(paths, system)
	} else {
		paths = append(paths, systemFiles(program)...)
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return path == os.DevNull }) // as programs have it that want none
	for _, path := range paths {
		if !filepath.IsAbs(path) || strings.Contains(path, "..") {
			return nil, false
		}
	}
	return paths, true
}

// systemFiles names what may be the system's configuration. Where that is was
// fixed when git was built: below /etc, or in an etc beside one of the folders
// that git was installed in.
func systemFiles(program string) []string {
	var paths []string
	for dir := filepath.Dir(program); dir != filepath.Dir(dir); {
		dir = filepath.Dir(dir)
		paths = append(paths, filepath.Join(dir, "etc", "gitconfig"))
	}
	return paths
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
