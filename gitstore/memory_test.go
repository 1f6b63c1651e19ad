package gitstore

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/gittest"
)

// learn asks git, or takes its answers from memory, and keeps them as if no file
// had changed of late.
func learn(t *testing.T, g git.Git) (r *Repo, recalled bool) {
	t.Helper()
	at := look(g)
	if at != nil {
		at.settled = at.at.Add(time.Hour)
		if recalls(at) {
			recalled = true
		}
	}
	r, err := discover(t.Context(), g, testRef, at)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Config(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r, recalled
}

func recalls(at *site) bool { return at != nil && new(Repo).recall(*at, "") }

// asked is what git says, without memory.
func asked(t *testing.T, g git.Git) *Repo {
	t.Helper()
	r, err := discover(t.Context(), g, testRef, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Config(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

func sameAnswers(t *testing.T, what string, got, want *Repo) {
	t.Helper()
	if got.GitDir != want.GitDir || got.CommonDir != want.CommonDir || got.WorkTree != want.WorkTree ||
		got.Prefix != want.Prefix || got.Bare != want.Bare || got.ObjectFormat != want.ObjectFormat ||
		got.isFlushedByUs(context.Background()) != want.isFlushedByUs(context.Background()) {
		t.Errorf("%s: recalled %+v\nasked    %+v", what, got, want)
	}
	for key := range want.config.settings {
		if g, w := got.config.occurrences(key), want.config.occurrences(key); !reflect.DeepEqual(g, w) {
			t.Errorf("%s: %s is recalled as %v, and is %v", what, key, g, w)
		}
	}
	for key := range got.config.settings {
		if len(want.config.occurrences(key)) == 0 {
			t.Errorf("%s: %s is recalled and not set", what, key)
		}
	}
	if tip := got.Glance(); tip != "" && tip != want.Glance() {
		t.Errorf("%s: %s is at %s", what, testRef, tip)
	}
}

// What git said is taken from memory in the shapes that people and agents work
// in, and is what git would say again.
func TestMemoryShapes(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Write("sub/dir/x", "x")
	r.Commit("sub")
	r.Git("update-ref", testRef, "HEAD")
	linked := filepath.Join(filepath.Dir(r.Dir), "linked")
	r.Git("worktree", "add", "-q", linked)
	outer := gittest.New(t)
	outer.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", r.Dir, "mod")
	long := gittest.New(t, gittest.ObjectFormat("sha256"))
	for name, g := range map[string]git.Git{
		"top": r.G(), "subdirectory": r.G().In(filepath.Join(r.Dir, "sub/dir")), "linked": r.G().In(linked),
		"submodule": outer.G().In(filepath.Join(outer.Dir, "mod")), "sha256": long.G(),
		"no configuration": r.G().WithEnv("GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull),
	} {
		learn(t, g)
		got, recalled := learn(t, g)
		if !recalled {
			t.Errorf("%s: asked again", name)
		}
		sameAnswers(t, name, got, asked(t, g))
	}
	for name, g := range map[string]git.Git{
		"git directory": r.G().In(filepath.Join(r.Dir, ".git")), "bare": gittest.NewBare(t).G(),
		"GIT_DIR":  r.G().WithEnv("GIT_DIR=" + filepath.Join(r.Dir, ".git")),
		"ceiling":  r.G().WithEnv("GIT_CEILING_DIRECTORIES=" + filepath.Dir(r.Dir)),
		"unheard":  r.G().WithEnv("GIT_UNHEARD_OF=1"),
		"homeless": r.G().WithEnv("HOME=", "XDG_CACHE_HOME=", "GIT_CONFIG_GLOBAL="),
	} {
		learn(t, g)
		if _, recalled := learn(t, g); recalled {
			t.Errorf("%s: taken from memory", name)
		}
	}
}

// Git is asked again whenever anything that decided about its answers has
// changed.
func TestMemoryForgets(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(t *testing.T, r *gittest.Repo, g git.Git) git.Git{
		"local setting": func(_ *testing.T, r *gittest.Repo, g git.Git) git.Git {
			r.Git("config", "plan.push", "auto")
			return g
		},
		"user's file": func(t *testing.T, _ *gittest.Repo, g git.Git) git.Git {
			write(t, filepath.Join(g.Getenv("HOME"), ".gitconfig"), "[plan]\n\tpush = auto\n")
			return g
		},
		"user's second file": func(t *testing.T, _ *gittest.Repo, g git.Git) git.Git {
			write(t, filepath.Join(g.Getenv("HOME"), ".config/git/config"), "[plan]\n\tpush = auto\n")
			return g
		},
		"worktree's file": func(t *testing.T, r *gittest.Repo, g git.Git) git.Git {
			write(t, filepath.Join(r.Dir, ".git/config.worktree"), "[plan]\n\tpush = auto\n")
			return g
		},
		"written in place": func(t *testing.T, r *gittest.Repo, g git.Git) git.Git {
			path := filepath.Join(r.Dir, ".git/config")
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(20 * time.Millisecond) // the steps of the file system's clock
			spoil(t, path, strings.ToUpper)
			if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
				t.Fatal(err)
			}
			return g
		},
		"environment": func(_ *testing.T, _ *gittest.Repo, g git.Git) git.Git {
			return g.WithEnv("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=plan.push", "GIT_CONFIG_VALUE_0=auto")
		},
		"command line": func(_ *testing.T, _ *gittest.Repo, g git.Git) git.Git {
			return g.WithEnv("GIT_CONFIG_PARAMETERS='plan.push'='auto'")
		},
		"another home": func(t *testing.T, _ *gittest.Repo, g git.Git) git.Git { return g.WithEnv("HOME=" + t.TempDir()) },
		"no HEAD": func(t *testing.T, r *gittest.Repo, g git.Git) git.Git {
			write(t, filepath.Join(r.Dir, ".git/HEAD"), "nothing\n")
			return g
		},
		"a repository between": func(_ *testing.T, r *gittest.Repo, g git.Git) git.Git {
			r.Git("init", "-q", "sub")
			return g.In(filepath.Join(r.Dir, "sub"))
		},
		"a bare one between": func(_ *testing.T, r *gittest.Repo, g git.Git) git.Git {
			r.Git("init", "-q", "--bare", "sub")
			return g.In(filepath.Join(r.Dir, "sub"))
		},
		"another repository": func(t *testing.T, r *gittest.Repo, g git.Git) git.Git {
			if err := os.Rename(filepath.Join(r.Dir, ".git"), filepath.Join(r.Dir, "old")); err != nil {
				t.Fatal(err)
			}
			r.Git("init", "-q")
			return g
		},
		"a link to it": func(t *testing.T, r *gittest.Repo, g git.Git) git.Git {
			if err := os.Rename(filepath.Join(r.Dir, ".git"), filepath.Join(r.Dir, "old")); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("old", filepath.Join(r.Dir, ".git")); err != nil {
				t.Fatal(err)
			}
			return g
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			g := personal(r.G())
			learn(t, g)
			if !recalls(look(g)) {
				t.Fatal("nothing was remembered")
			}
			if recalls(look(change(t, r, g))) {
				t.Error("git was not asked")
			}
		})
	}
}

// personal is a Git that looks for the user's configuration where it looks for
// that of people.
func personal(g git.Git) git.Git {
	g.Env = slices.DeleteFunc(slices.Clone(g.Env), func(kv string) bool { return strings.HasPrefix(kv, "GIT_CONFIG_GLOBAL=") })
	return g
}

// A memory that is old, of another place, damaged or somebody else's is none.
func TestMemoryDoubts(t *testing.T) {
	t.Parallel()
	file := func(how func(string) string) func(*testing.T, *site) {
		return func(t *testing.T, at *site) { spoil(t, at.memoryFile, how) }
	}
	for name, doubt := range map[string]func(*testing.T, *site){
		"time passed":      func(_ *testing.T, at *site) { at.at = at.at.Add(memoryAge + time.Second) },
		"a clock set back": func(_ *testing.T, at *site) { at.at = at.at.Add(-time.Hour) },
		"another place":    func(_ *testing.T, at *site) { at.gitDir += "2" },
		"another top":      func(_ *testing.T, at *site) { at.top += "2" },
		"damaged":          file(func(s string) string { return strings.Replace(s, "core", "cork", 1) }),
		"cut short":        file(func(s string) string { return s[:len(s)/2] }),
		"empty":            file(func(string) string { return "" }),
		"another format":   file(func(string) string { return "x\x00" + Checksum("x") }),
		"no file": func(t *testing.T, at *site) {
			if err := os.Remove(at.memoryFile); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			learn(t, r.G())
			at := look(r.G())
			if !recalls(at) {
				t.Fatal("nothing was remembered")
			}
			doubt(t, at)
			if recalls(at) {
				t.Error("git was not asked")
			}
		})
	}
}

// Nothing is kept that hangs on what cannot be watched, or that may still change
// unseen.
func TestMemoryKeepsNot(t *testing.T) {
	t.Parallel()
	included := gittest.New(t)
	included.Git("config", "include.path", "/no/such/file")
	condition := gittest.New(t)
	condition.Git("config", "includeIf.onbranch:x.path", "/no/such/file")
	elsewhere := gittest.New(t)
	elsewhere.Git("config", "core.worktree", t.TempDir())
	for name, r := range map[string]*gittest.Repo{"include": included, "condition": condition, "another worktree": elsewhere} {
		learn(t, r.G())
		if recalls(look(r.G())) {
			t.Errorf("%s: it was remembered", name)
		}
	}
	young := gittest.New(t)
	r, err := Discover(t.Context(), young.G(), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Config(t.Context()); err != nil || recalls(look(young.G())) {
		t.Errorf("a file that has just been written was taken for settled, %v", err)
	}
}

// No secret gets into the file: neither sections that hold tokens nor addresses
// and commands of others. Who asks for them has them from git.
func TestMemoryHoldsNoSecret(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Git("config", "remote.origin.url", "https://user:s3cret@example.com/x")
	r.Git("config", "http.https://example.com/.extraheader", "AUTHORIZATION: basic s3cret")
	r.Git("config", "credential.helper", "!echo password=s3cret")
	r.Git("config", "branch.main.remote", "https://user:s3cret@example.com/x")
	r.Git("config", "core.sshCommand", "ssh -o ProxyCommand=s3cret")
	r.Git("config", "filter.x.clean", "s3cret")
	r.Git("config", "plan.llm.command", "ask --key s3cret")
	r.Git("config", "plan.ref", "refs/heads/kept")
	g := r.G().WithEnv("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http.proxy", "GIT_CONFIG_VALUE_0=s3cret")
	learn(t, g)
	path := look(g).memoryFile
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(data), "s3cret") || !strings.Contains(string(data), "refs/heads/kept") || info.Mode().Perm() != 0o600 {
		t.Errorf("%v of mode %v:\n%q", err, info.Mode(), data)
	}
	got, memory := learn(t, g)
	if !memory {
		t.Error("git was asked again")
	}
	for _, key := range []string{"remote.origin.url", "branch.main.remote", "core.sshCommand", "filter.x.clean", "plan.llm.command", "http.proxy"} {
		if value, set := got.config.Get(key); !set || !strings.Contains(value, "s3cret") {
			t.Errorf("%s is %q, %v", key, value, set)
		}
	}
	sameAnswers(t, "with secrets", got, asked(t, g))
}

// The folder does not grow without bound.
func TestMemoryForgetsAll(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	dir := filepath.Dir(look(r.G()).memoryFile)
	write(t, filepath.Join(dir, newMemory+"1"), "x") // as a killed process leaves it
	for i := range memories {
		write(t, filepath.Join(dir, fmt.Sprintf("%032x", i)), "x")
	}
	learn(t, r.G())
	names, err := readNames(dir)
	if err != nil || len(names) != 1 || !recalls(look(r.G())) {
		t.Errorf("%d files, %v", len(names), err)
	}
}

// Whatever is done to a repository and its configuration, what is recalled is
// what git would say.
func TestMemoryIsTrue(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Write("a/b/x", "x")
	r.Commit("one")
	r.Git("update-ref", testRef, "HEAD")
	home := filepath.Join(filepath.Dir(r.Dir), "home")
	pick := rand.New(rand.NewPCG(1, 2))
	value := func() string { return strconv.Itoa(pick.IntN(1000)) }
	changes := map[string]func(){
		"local":    func() { r.Git("config", "plan.x"+strconv.Itoa(pick.IntN(3)), value()) },
		"global":   func() { r.Git("config", "--global", "user.name", value()) },
		"in place": func() { write(t, filepath.Join(home, ".config/git/config"), "[plan]\n\ty = "+value()+"\n") },
		"unset":    func() { _, _ = r.TryGit("config", "--unset-all", "plan.x0") },
		"no file":  func() { _ = os.Remove(filepath.Join(home, ".config/git/config")) },
		"worktree": func() {
			r.Git("config", "extensions.worktreeConfig", "true")
			r.Git("config", "--worktree", "plan.w", value())
		},
		"include": func() { r.Git("config", "include.path", filepath.Join(home, value())) },
		"exclude": func() { _, _ = r.TryGit("config", "--unset-all", "include.path") },
		"commit":  func() { r.Git("commit", "-q", "--allow-empty", "-m", value()); r.Git("update-ref", testRef, "HEAD") },
		"pack":    func() { r.Git("pack-refs", "--all") },
		"gone":    func() { _, _ = r.TryGit("update-ref", "-d", testRef) },
		"nothing": func() {},
	}
	names := slices.Sorted(maps.Keys(changes))
	envs := [][]string{{}, {"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=plan.env", "GIT_CONFIG_VALUE_0=1"}, {"GIT_CONFIG_GLOBAL=" + filepath.Join(home, "other")}}
	recalled := 0
	const rounds = 150
	for range rounds {
		name := names[pick.IntN(len(names))]
		time.Sleep(10 * time.Millisecond) // the steps of the file system's clock
		changes[name]()
		g := personal(r.G()).In(filepath.Join(r.Dir, []string{"", "a", "a/b"}[pick.IntN(3)])).WithEnv(envs[pick.IntN(len(envs))]...)
		for range 2 {
			got, memory := learn(t, g)
			if memory {
				recalled++
			}
			sameAnswers(t, name, got, asked(t, g))
		}
		if t.Failed() {
			return
		}
	}
	if recalled < 50 {
		t.Errorf("only %d answers came from memory", recalled)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func spoil(t *testing.T, path string, how func(string) string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, how(string(data)))
}

// FuzzMemory reads anything as a memory: what is read is written as it was.
func FuzzMemory(f *testing.F) {
	for _, text := range []string{"", "x", memoryFormat, memoryFormat + strings.Repeat("\x00", 20), memoryFormat + "\x001\x00/t\x00/t/.git\x00/t/.git\x00sha1\x00true\x001\x00/f\x00-\x00plan.ref\x00value\x00x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, ok := parseMemory(text + "\x00" + Checksum(text))
		if !ok {
			return
		}
		text = m.text()
		again, ok := parseMemory(text + "\x00" + Checksum(text))
		if !ok || !reflect.DeepEqual(m, again) {
			t.Fatalf("read as %+v, then as %+v", m, again)
		}
	})
}
