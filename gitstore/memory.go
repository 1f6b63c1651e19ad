package gitstore

import (
	"context"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Two children of git, which say where a repository is and how it is configured,
// take longer than the rest of a command that shows a plan. So what they said is
// kept in the user's cache folder, with what they must have said it from: the
// files that git reads its configuration from, those that would count if they
// were there, git itself, and this program, which decides what is kept. As long
// as none of them is another, the answers are the same. Wherever that is not
// certain git is asked again.

const (
	memoryFormat = "git-plan memory 2"
	// memoryAge bounds how long an answer is taken from memory, in case it hung
	// on something that is not watched, such as a wrapper around git.
	memoryAge = 10 * time.Minute
	// settleTime is the age from which a file's times tell one state of it from
	// another: file systems count them in steps of up to two seconds.
	settleTime = 2 * time.Second
)

// memory is what git said about a repository, and from what: its site watches
// more than one that was just looked for, if git named further files.
type memory struct {
	site
	objectFormat string
	lazy         bool // see [Repo.isFlushedByUs]
	settings     map[string][]setting
}

// watch is a file that decided about an answer, as it was.
type watch struct{ path, stamp string }

// recall fills in what git said before, if it would say the same now.
func (r *Repo) recall(p site, ref string) bool {
	m, ok := readMemory(p.memoryFile)
	age := p.at.Sub(m.at)
	if !ok || m.top != p.top || m.gitDir != p.gitDir || m.commonDir != p.commonDir || age < 0 || age > memoryAge {
		return false
	}
	n := len(p.watched)
	if len(m.watched) < n || !slices.Equal(m.watched[:n], p.watched) {
		return false
	}
	for _, w := range m.watched[n:] {
		if stampOf(w.path) != w.stamp {
			return false
		}
	}
	r.GitDir, r.CommonDir, r.ObjectFormat, r.WorkTree, r.Prefix = m.gitDir, m.commonDir, m.objectFormat, m.top, p.prefix
	r.config = recalled(m.settings, r.Git)
	r.rememberOnce.Do(func() {})
	r.versionOnce.Do(func() { r.lazyGit, r.versionKnown = m.lazy, true })
	if ref != "" {
		r.glanceAt(ref)
	}
	return true
}

// remember keeps what git has just said, where that hangs on nothing but files
// that can be watched and did not change of late.
func (r *Repo) remember(ctx context.Context) {
	list := r.listed
	r.listed = ""
	p := r.site
	if p == nil || !r.isAt(p) || !isProgram(p.program) {
		return
	}
	watched, ok := p.watchOrigins(list)
	if !ok {
		return
	}
	for _, w := range watched {
		if !isOlder(w.path, p.settled) || !isTimed(w.path) {
			return
		}
	}
	lazy := r.isFlushedByUs(ctx)
	if !r.versionKnown {
		return
	}
	m := memory{*p, r.ObjectFormat, lazy, r.config.settings}
	m.watched = watched
	m.write(p.memoryFile)
}

// isAt reports whether git found what was found without it, and always will: a
// worktree that is configured must be named by its real path.
func (r *Repo) isAt(p *site) bool {
	for _, worktree := range r.config.All("core.worktree") {
		if !filepath.IsAbs(worktree) {
			worktree = filepath.Join(p.gitDir, worktree)
		}
		if filepath.Clean(worktree) != p.top {
			return false
		}
	}
	return !r.Bare && r.WorkTree == p.top && r.GitDir == p.gitDir && r.CommonDir == p.commonDir && r.Prefix == p.prefix
}

// isProgram reports whether a file can be git itself: not a script that calls
// it, and not a program of another name that chooses one.
func isProgram(path string) bool {
	file, _, err := openRegular(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	var head [2]byte
	_, err = io.ReadFull(file, head[:])
	return err == nil && string(head[:]) != "#!" && filepath.Base(path) == "git"
}

// watchOrigins gives all that is to be watched for a list of settings; ok is
// false where they come from what cannot be. What is set on git's command line
// is in the environment, and so in the file's name.
func (p *site) watchOrigins(list string) (watched []watch, ok bool) {
	origins, ok := configOrigins(list)
	if !ok {
		return nil, false
	}
	watched = slices.Clone(p.watched)
	for _, origin := range origins {
		path, isFile := strings.CutPrefix(origin, "file:")
		switch {
		case origin == "command line:":
			continue
		case !isFile:
			return nil, false
		case !filepath.IsAbs(path):
			path = filepath.Join(p.top, path) // where git runs
		}
		if !slices.ContainsFunc(watched, func(w watch) bool { return w.path == path }) {
			watched = append(watched, watchAll(path)...)
		}
	}
	return watched, true
}

func watchAll(paths ...string) []watch {
	all := make([]watch, len(paths))
	for i, path := range paths {
		all[i] = watch{path, stampOf(path)}
	}
	return all
}

// glanceAt looks at a ref as [Discover] lets git look, where refs are files.
// What is not plainly there, git is asked for by who needs it.
func (r *Repo) glanceAt(ref string) {
	if !r.keepsFiles(r.config) {
		return
	}
	var name string
	path := r.refPath(ref)
	info, err := os.Lstat(path)
	switch {
	case err == nil && info.Mode().IsRegular():
		text, _ := readRegular(path, smallFile)
		name, _ = strings.CutSuffix(string(text), "\n")
	case os.IsNotExist(err):
		part, _ := r.packedRefs(ref)
		name = packedValue(part, ref)
	}
	if r.isName(name) {
		r.glance.Store(&name)
	}
}

// The forms of a setting in a memory.
const (
	formValue    = "value"
	formBare     = "bare"
	formWithheld = "withheld"
)

// form is a setting's, and what of its value may be written down.
func (s setting) form(key string) (form, value string) {
	switch {
	case s.bare:
		return formBare, ""
	case s.withheld || isSecret(key, s.value):
		return formWithheld, ""
	}
	return formValue, s.value
}

// text is the memory as fields that end in NUL, which no path and no setting
// holds.
func (m memory) text() string {
	fields := []string{
		memoryFormat, strconv.FormatInt(m.at.UnixNano(), 10),
		m.top, m.gitDir, m.commonDir, m.objectFormat, strconv.FormatBool(m.lazy), strconv.Itoa(len(m.watched)),
	}
	for _, w := range m.watched {
		fields = append(fields, w.path, w.stamp)
	}
	for key, all := range m.settings {
		if !isKept(key) {
			continue
		}
		for _, s := range all {
			form, value := s.form(key)
			fields = append(fields, key, form, value)
		}
	}
	return strings.Join(fields, "\x00")
}

func parseMemory(data string) (m memory, ok bool) {
	text, sum, ok := cutLast(data, "\x00")
	const head = 8
	f := strings.Split(text, "\x00")
	if !ok || Checksum(text) != sum || len(f) < head || f[0] != memoryFormat {
		return m, false
	}
	nanos, err := strconv.ParseInt(f[1], 10, 64)
	lazy, err2 := strconv.ParseBool(f[6])
	count, err3 := strconv.Atoi(f[7])
	if err != nil || err2 != nil || err3 != nil || count < 0 || count > len(f) {
		return m, false
	}
	m.at = time.Unix(0, nanos)
	m.top, m.gitDir, m.commonDir, m.objectFormat, m.lazy = f[2], f[3], f[4], f[5], lazy
	f = f[head:]
	if len(f) < 2*count || (len(f)-2*count)%3 != 0 {
		return m, false
	}
	for ; count > 0; count, f = count-1, f[2:] {
		m.watched = append(m.watched, watch{f[0], f[1]})
	}
	m.settings = map[string][]setting{}
	for ; len(f) > 0; f = f[3:] {
		s := setting{f[2], f[1] == formBare, f[1] == formWithheld}
		if form, value := s.form(f[0]); !isKept(f[0]) || form != f[1] || value != f[2] {
			return memory{}, false
		}
		m.settings[f[0]] = append(m.settings[f[0]], s)
	}
	return m, true
}

// cutLast is strings.Cut around the last separator.
func cutLast(s, sep string) (before, after string, found bool) {
	at := strings.LastIndex(s, sep)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(sep):], true
}

// Checksum tells a file that git plan keeps for itself from one that was cut
// short or damaged. It is no safeguard against whoever means to deceive.
func Checksum(text string) string {
	return strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(text))), 16)
}
