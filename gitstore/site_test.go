package gitstore

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/gittest"
)

// Git is asked where it would now find another repository, or none.
func TestMemoryOfAPlace(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(t *testing.T, main, linked string){
		"no objects": func(t *testing.T, main, _ string) { rename(t, main+"/.git/objects", main+"/.git/old") },
		"no refs":    func(t *testing.T, main, _ string) { rename(t, main+"/.git/refs", main+"/.git/old") },
		"a way that became a link": func(t *testing.T, main, _ string) {
			rename(t, main+"/way", main+"/old")
			link(t, filepath.Join(main, ".git/refs"), main+"/way") // whose parent is not main
		},
		"a common folder behind another link": func(t *testing.T, main, _ string) {
			clone := filepath.Join(filepath.Dir(main), "other")
			if err := os.CopyFS(clone, os.DirFS(main)); err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(main + "/common"); err != nil {
				t.Fatal(err)
			}
			link(t, clone+"/.git", main+"/common")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			linked := filepath.Join(filepath.Dir(r.Dir), "linked")
			r.Git("worktree", "add", "-q", linked)
			r.Write("way/x", "")
			link(t, ".git", filepath.Join(r.Dir, "common"))
			write(t, linked+"/.git", "gitdir: ../repo/way/../.git/worktrees/linked\n")
			write(t, r.Dir+"/.git/worktrees/linked/commondir", r.Dir+"/common\n")
			g := r.G().In(linked)
			learn(t, g)
			if !recalls(look(g)) {
				t.Fatal("nothing was remembered")
			}
			change(t, r.Dir, linked)
			if recalls(look(g)) {
				t.Error("git was not asked")
			}
		})
	}
}

// Where more than the watched files decides, nothing is remembered.
func TestMemoryKeepsNotWhatVaries(t *testing.T) {
	t.Parallel()
	for name, vary := range map[string]func(t *testing.T, r *gittest.Repo) git.Git{
		"worktree behind a link": func(t *testing.T, r *gittest.Repo) git.Git {
			path := filepath.Join(filepath.Dir(r.Dir), "way")
			link(t, r.Dir, path)
			r.Git("config", "core.worktree", path)
			return r.G()
		},
		"another file in place of all": func(t *testing.T, r *gittest.Repo) git.Git {
			path := filepath.Join(filepath.Dir(r.Dir), "empty")
			write(t, path, "")
			return r.G().WithEnv("GIT_CONFIG=" + path)
		},
		"a home with a way back": func(_ *testing.T, r *gittest.Repo) git.Git {
			return personal(r.G().WithEnv("HOME="+r.Dir+"/../home", "XDG_CACHE_HOME="+filepath.Join(filepath.Dir(r.Dir), "home")))
		},
		"a script named git": func(t *testing.T, r *gittest.Repo) git.Git {
			return withGit(t, r, func(program, real string) error {
				return os.WriteFile(program, []byte("#!/bin/sh\nexec "+real+" \"$@\"\n"), 0o777)
			})
		},
		"a chooser named git": func(t *testing.T, r *gittest.Repo) git.Git {
			return withGit(t, r, func(program, real string) error {
				copied := filepath.Join(filepath.Dir(program), "chooser")
				data, err := os.ReadFile(real)
				if err == nil {
					err = os.WriteFile(copied, data, 0o777)
				}
				if err == nil {
					err = os.Symlink(copied, program)
				}
				return err
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := vary(t, gittest.New(t))
			learn(t, g)
			if recalls(look(g)) {
				t.Error("it was remembered")
			}
		})
	}
}

// withGit makes a program of its own, first on the path, in place of the real
// one.
func withGit(t *testing.T, r *gittest.Repo, make func(program, real string) error) git.Git {
	t.Helper()
	real, err := r.G().Program()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := make(filepath.Join(dir, "git"), real); err != nil {
		t.Fatal(err)
	}
	return r.G().WithEnv("PATH="+dir+":"+r.G().Getenv("PATH"), "GIT_EXEC_PATH="+r.Git("--exec-path"))
}

// The system's file is watched wherever git was built to look for it, be it
// started by its link, by its own path or by git itself.
func TestMemoryWatchesTheSystem(t *testing.T) {
	t.Parallel()
	g := git.Git{Env: []string{"HOME=/home/u"}}
	for program, want := range map[string]string{
		"/usr/bin/git":                            "/etc/gitconfig",
		"/usr/local/bin/git":                      "/usr/local/etc/gitconfig",
		"/opt/git/libexec/git-core/git":           "/opt/git/etc/gitconfig",
		"/opt/homebrew/Cellar/git/2.55.0/bin/git": "/opt/homebrew/etc/gitconfig",
	} {
		paths, ok := configFiles(g, program)
		if !ok || !slices.Contains(paths, want) || !slices.Contains(paths, "/etc/gitconfig") {
			t.Errorf("%s: %v", program, paths)
		}
	}
}

// What a memory holds of the settings is decided by the program that wrote it, so
// one of another version is none.
func TestMemoryWatchesThisProgram(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	at := look(gittest.New(t).G())
	if at == nil || !slices.ContainsFunc(at.watched, func(w watch) bool { return w.path == own && w.stamp != "-" }) {
		t.Errorf("%+v", at)
	}
}

// A folder is found as the system finds it, whatever its name looks like.
func TestMemoryRealDir(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir+"/a/b/x", "")
	link(t, dir+"/a/b", dir+"/way")
	if got, err := realDir(dir + "/way/.."); err != nil || got != dir+"/a" {
		t.Errorf("%s, %v", got, err)
	}
}

// What lies where a file should be is not waited for, and neither is it read
// without end.
func TestMemoryHangsNot(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"packed-refs", "refs/heads/kept", "commondir", "memory"} {
		t.Run(strings.ReplaceAll(name, "/", " "), func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			learn(t, r.G())
			at := look(r.G())
			path := filepath.Join(r.Dir, ".git", name)
			if name == "memory" {
				path = at.memoryFile
			}
			_ = os.Remove(path)
			if err := exec.Command("mkfifo", path).Run(); err != nil {
				t.Skip(err)
			}
			done := make(chan bool)
			go func() {
				if at := look(r.G()); at != nil {
					new(Repo).recall(*at, testRef)
				}
				close(done)
			}()
			select {
			case <-done:
			case <-time.After(gittest.Hang):
				file, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0) // lets it go on
				t.Error("it waits", err)
				time.Sleep(time.Second)
				_ = file.Close()
			}
		})
	}
}

// Nothing is kept where files may change unseen: on the file systems of other
// machines and such as have times of their own.
func TestMemoryFileSystems(t *testing.T) {
	t.Parallel()
	if dir := t.TempDir(); !isTimed(dir) || !isTimed(filepath.Join(dir, "not", "there")) {
		t.Error("nothing is remembered below", dir)
	}
	if runtime.GOOS == "linux" && isTimed("/proc/self/status") {
		t.Error("files that are made as they are read are taken for settled")
	}
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}
