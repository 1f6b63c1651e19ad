package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// The viewer prints its address, answers there and nowhere else, and ends well
// when it is told to.
func TestWeb(t *testing.T) {
	g := gittest.New(t)
	g.Git("plan", "init")
	opened := filepath.Join(t.TempDir(), "opened")
	g.Git("config", "web.browser", "mine")
	g.Git("config", "browser.mine.cmd", "printf %s >'"+opened+"'")
	cmd := exec.Command("git-plan", "web", "--json", "--open")
	cmd.Dir, cmd.Env = g.Dir, g.Env
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(line, `"address":"`)
	address, _, _ := strings.Cut(rest, `"`)
	for path, want := range map[string]int{address: http.StatusOK, address + "plans/none/": http.StatusNotFound, strings.Join(strings.Split(address, "/")[:3], "/") + "/": http.StatusForbidden} {
		answer, err := http.Get(path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: status %d\n%s", path, answer.StatusCode, body)
		}
	}
	gittest.Until(t, "the browser", func() bool {
		data, _ := os.ReadFile(opened)
		return len(data) > 0
	})
	once, err := os.ReadFile(opened)
	if err != nil || strings.Contains(string(once), strings.Split(address, "/")[3]) {
		t.Errorf("git's browser was started with %q (%v), which all users of the machine can see", once, err)
	}
	for i, want := range []string{address, string(once)} {
		answer, err := http.Get(string(once))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if got := answer.Request.URL.String(); got != want || (answer.StatusCode == http.StatusOK) != (i == 0) {
			t.Errorf("the address for the browser led to %s, status %d, the time %d", got, answer.StatusCode, i+1)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the viewer ended with %v", err)
	}
	if _, err := os.Stat(g.Dir + "/index.html"); err == nil {
		t.Error("the viewer wrote something")
	}
}
