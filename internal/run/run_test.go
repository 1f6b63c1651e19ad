package run

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func shell(t *testing.T, script string) Command {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	return Command{Words: []string{"sh", "-c", script}, Dir: t.TempDir(), Env: os.Environ(), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}, wait: 200 * time.Millisecond}
}

func TestRunPassesOnWhatIsSaid(t *testing.T) {
	c := shell(t, `read x; echo "got $x"; echo oops >&2; exit 7`)
	c.Stdin = strings.NewReader("input\n")
	r, err := c.Run(t.Context())
	if err != nil || r.Status != 7 || r.Interrupted {
		t.Fatalf("Run = %+v, %v", r, err)
	}
	if out, said := c.Stdout.(*bytes.Buffer).String(), c.Stderr.(*bytes.Buffer).String(); out != "got input\n" || said != "oops\n" {
		t.Errorf("stdout %q, stderr %q", out, said)
	}
	if got := string(r.Output); !strings.Contains(got, "got input\n") || !strings.Contains(got, "oops\n") {
		t.Errorf("kept %q", got)
	}
}

// deaf is a reader that went away.
type deaf struct{}

func (deaf) Write([]byte) (int, error) { return 0, errors.New("closed") }

func TestRunGoesOnUnheard(t *testing.T) {
	c := shell(t, `i=0; while [ $i -lt 5000 ]; do echo "line $i"; i=$((i+1)); done; echo end`)
	c.Stdout = deaf{}
	if r, err := c.Run(t.Context()); err != nil || r.Status != 0 || !strings.HasSuffix(string(r.Output), "end\n") {
		t.Errorf("Run = %d, %v", r.Status, err)
	}
}

func TestRunGivesTheSignal(t *testing.T) {
	if r, err := shell(t, `kill -KILL $$`).Run(t.Context()); err != nil || r.Status != 137 {
		t.Errorf("Run = %+v, %v", r, err)
	}
}

// What a program leaves behind may hold its output open; nobody waits for that
// for long.
func TestRunDoesNotWaitForWhatIsLeft(t *testing.T) {
	r, err := shell(t, `sleep 3000 & exit 0`).Run(t.Context())
	if err != nil || r.Status != 0 {
		t.Errorf("Run = %+v, %v", r, err)
	}
}

// An interrupt reaches the program from the terminal. One that does not end of
// itself is asked once more.
func TestRunInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		time.Sleep(100 * time.Millisecond)
		stop()
	}()
	r, err := shell(t, `exec sleep 60`).Run(ctx)
	if err != nil || !r.Interrupted || r.Status != 143 {
		t.Errorf("Run = %+v, %v", r, err)
	}
}

func TestRunOfNothing(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"plain", "broken"} {
		if err := os.WriteFile(filepath.Join(dir, f), []byte("no program"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "broken"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		word, path string
		want       int
	}{
		{"no-such-program", dir, NotFound},
		{"./missing", dir, NotFound},
		{"plain", ".", NotFound}, // never from the folder it runs in
		{"plain", dir, NotExecutable},
		{"./plain", "", NotExecutable},
		{"./broken", "", NotExecutable},
	} {
		if runtime.GOOS == "windows" {
			t.Skip("executables have other marks there")
		}
		_, err := Command{Words: []string{c.word}, Dir: dir, Env: []string{"PATH=" + c.path}, Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}.Run(t.Context())
		var unable *StartError
		if !errors.As(err, &unable) || unable.Status != c.want {
			t.Errorf("%s on PATH %q: %v, want status %d", c.word, c.path, err, c.want)
		}
	}
}

func TestTail(t *testing.T) {
	many := strings.Repeat("a line\n", 100)
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"only line ends", "\n\n\n", ""},
		{"a line", "FAIL\n", "FAIL"},
		{"colours, a title, a bell", "\x1b[1;31mFAIL\x1b[0m \x1b]0;title\x07x\a\n", "FAIL x"},
		{"a progress bar", "10%\r50%\r100% done\r\nok\n", "100% done\nok"},
		{"bad bytes and directions", "a\xffb\u202ec\x00d\n", "a\ufffdbcd"},
		{"indented", "  at x\n\ty\n", "  at x\n\ty"},
		{"many lines", many, "…\n" + strings.TrimRight(strings.Repeat("a line\n", 40), "\n")},
		{"a long line", strings.Repeat("x", 9000), "…" + strings.Repeat("x", 4096)},
		{"a long line before a short one", strings.Repeat("x", 9000) + "\nend", "…\nend"},
	} {
		if got := Tail([]byte(c.in)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Only so much is kept of what is printed.
func TestRunKeepsTheEnd(t *testing.T) {
	r, err := shell(t, `i=0; while [ $i -lt 20000 ]; do echo "line $i"; i=$((i+1)); done`).Run(t.Context())
	if err != nil || len(r.Output) > 64<<10 || !strings.HasSuffix(string(r.Output), "line 19999\n") {
		t.Errorf("kept %d bytes: %v", len(r.Output), err)
	}
}

func FuzzTail(f *testing.F) {
	for _, s := range []string{"FAIL\n", "\x1b[31m", "a\rb\r\n", "\x1b]0;x\x07", "\u202e\xff"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		text := Tail(data)
		if strings.ContainsAny(text, "\x1b\r\x00") || len(text) > 2*tailBytes || strings.Count(text, "\n") > tailLines {
			t.Errorf("%q", text)
		}
	})
}
