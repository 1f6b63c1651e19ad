package gitstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A folder that others may write to is not for memories: neither is one read
// that lies there, nor is one written.
func TestMemoryFolderOfOthers(t *testing.T) {
	t.Parallel()
	for levels, name := range []string{"memory", "git-plan", "cache"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			learn(t, r.G())
			file := look(r.G()).memoryFile
			dir := filepath.Dir(file)
			for range levels {
				dir = filepath.Dir(dir)
			}
			if err := os.Chmod(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			if recalls(look(r.G())) {
				t.Error("it was read")
			}
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			learn(t, r.G())
			if _, err := os.Lstat(file); err == nil {
				t.Error("it was written")
			}
		})
	}
}

// A memory that others may write to is none.
func TestMemoryOfOthers(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	learn(t, r.G())
	if err := os.Chmod(look(r.G()).memoryFile, 0o666); err != nil {
		t.Fatal(err)
	}
	if recalls(look(r.G())) {
		t.Error("it was read")
	}
}

// Writing a memory touches no file of another use.
func TestMemoryTouchesNothing(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	at := look(r.G())
	write(t, filepath.Join(r.Dir, "precious"), "precious")
	link(t, filepath.Join(r.Dir, "precious"), prepared(t, at)+".tmp"+strconv.Itoa(os.Getpid()))
	for i := range 2 * memories {
		write(t, filepath.Join(filepath.Dir(at.memoryFile), "precious"+strconv.Itoa(i)), "precious")
	}
	learn(t, r.G())
	names, err := readNames(filepath.Dir(at.memoryFile))
	if err != nil || len(names) < 2*memories || r.Read("precious") != "precious" {
		t.Errorf("%d files are left, %v: %q", len(names), err, r.Read("precious"))
	}
}

// prepared makes the folder of memories and gives the file of one.
func prepared(t *testing.T, at *site) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(at.memoryFile), 0o700); err != nil {
		t.Fatal(err)
	}
	return at.memoryFile
}

// A home that is not there is not made, and neither is one in which nothing can
// be written a fault.
func TestMemoryWithoutAHome(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	none := filepath.Join(t.TempDir(), "none")
	learn(t, r.G().WithEnv("HOME="+none))
	learn(t, r.G().WithEnv("XDG_CACHE_HOME="+none+"/cache"))
	learn(t, r.G().WithEnv("XDG_CACHE_HOME=/dev/null"))
	if _, err := os.Lstat(none); err == nil {
		t.Error("a home was made")
	}
}

// Neither the password in the address of a remote nor a key that a command is
// given gets into a file.
func TestMemoryWritesNoKey(t *testing.T) {
	t.Parallel()
	for i, setting := range [][2]string{
		{"branch.main.remote", "https://user:s3cret@example.com/x"},
		{"plan.remote", "https://user:s3cret@example.com/x"},
		{"user.password", "s3cret"},
		{"core.sshCommand", "sshpass -p s3cret ssh"},
		{"filter.x.clean", "encrypt s3cret"},
		{"merge.x.driver", "merge s3cret"},
		{"plan.llm.command", "ask --api-key s3cret"},
		{"plan.llm.command", "SOME_TOKEN=s3cret ask"},
	} {
		t.Run(fmt.Sprint(i, setting[0]), func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			r.Git("config", setting[0], setting[1])
			learn(t, r.G())
			if data, _ := os.ReadFile(look(r.G()).memoryFile); strings.Contains(string(data), "s3cret") {
				t.Errorf("%q", data)
			}
		})
	}
}

// Many may write a memory at once, and what lies in the way harms nobody: either
// way no file is left half done.
func TestMemoryWrittenAtOnce(t *testing.T) {
	t.Parallel()
	for name, inTheWay := range map[string]bool{"free": false, "in the way": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			file := prepared(t, look(r.G()))
			if inTheWay {
				write(t, filepath.Join(file, "x"), "x")
			}
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() { learn(t, r.G()) })
			}
			all.Wait()
			names, err := readNames(filepath.Dir(file))
			if err != nil || len(names) != 1 || recalls(look(r.G())) == inTheWay {
				t.Errorf("%q, %v", names, err)
			}
		})
	}
}

// A memory that watches less than git reads is none, such as one that came with
// a project whose own folder is the cache folder: it cannot know how the files
// here will be stamped.
func TestMemoryFromElsewhere(t *testing.T) {
	t.Parallel()
	for name, blind := range map[string]func(m *memory){
		"watches nothing":  func(m *memory) { m.watched = nil },
		"watches less":     func(m *memory) { m.watched = m.watched[1:] },
		"watches others":   func(m *memory) { m.watched[0].path += "2" },
		"knows no stamp":   func(m *memory) { m.watched[0].stamp = "" },
		"another worktree": func(m *memory) { m.commonDir += "2" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			learn(t, r.G())
			at := look(r.G())
			m, ok := readMemory(at.memoryFile)
			if !ok || !recalls(at) {
				t.Fatal("nothing was remembered")
			}
			blind(&m)
			m.write(at.memoryFile)
			if recalls(at) {
				t.Error("git was not asked")
			}
		})
	}
}
