package reliability

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The viewer stays as small as it was once it had warmed up, however many pages
// are asked for while the plans change, and however many browsers come and go.
func TestWebForLong(t *testing.T) {
	t.Parallel()
	p := at(t, begun()(t))
	p.draft("common", 9, "other")
	begin := func() *served {
		s := serve(p, "web", "--json")
		var line struct{ Address string }
		if err := json.Unmarshal(s.line(), &line); err != nil || line.Address == "" {
			t.Fatalf("the viewer gives no address: %v\n%s", err, s.said.String())
		}
		s.round = func(i int) { s.browse(line.Address, i) }
		return s
	}
	stays(p, begin, scale(12, 1000))
}

// So does the server of tools, however many calls there are.
func TestMCPForLong(t *testing.T) {
	t.Parallel()
	p := at(t, begun()(t))
	p.draft("common", 9, "other")
	begin := func() *served {
		s := serve(p, "mcp", "--plan", "common", "--agent", "caller")
		s.call("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
		s.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		s.round = s.callAll
		return s
	}
	stays(p, begin, scale(20, 3000))
}

// stays lets one server work for many rounds, with a change of the plans in
// each, and holds it against itself after a quarter of them, and against one
// that has only just begun.
func stays(p *place, begin func() *served, rounds int) {
	p.t.Helper()
	warmUp := rounds / 4
	s := begin()
	verbs := []string{"start", "release"}
	work := func(s *served, from, to int) {
		for i := from; i < to && !p.t.Failed(); i++ {
			if a := runProgram(p, "task", verbs[i%2], "other/t1", "--agent", "writer"); a.exit != 0 {
				p.t.Errorf("change %d: status %d: %s%s", i, a.exit, a.stdout, a.said)
			}
			s.round(i)
		}
	}
	begun := time.Now()
	work(s, 0, warmUp)
	warm := s.size()
	work(s, warmUp, rounds)
	end := s.size()
	p.t.Logf("%d rounds in %v: %v, warm %v", rounds, time.Since(begun).Round(time.Millisecond), end, warm)
	end.within(p.t, warm)
	fresh := begin()
	work(fresh, 0, 4)
	was, is := fresh.goroutines(), s.goroutines()
	p.t.Logf("%d goroutines, and %d in a fresh one", is, was)
	if is > was+8 {
		p.t.Errorf("%d goroutines after %d rounds, and %d after 4", is, rounds, was)
	}
}

// served is a program that answers for long.
type served struct {
	*place
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	said  *bytes.Buffer
	calls int
	// round asks it for everything there is.
	round func(i int)
}

func serve(p *place, args ...string) *served {
	p.t.Helper()
	s := &served{place: p, said: &bytes.Buffer{}, cmd: exec.Command("git-plan", args...)}
	s.cmd.Dir, s.cmd.Env, s.cmd.Stderr = p.Dir, append(p.Env, "GOTRACEBACK=all"), s.said
	in, err := s.cmd.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	s.in, s.out = in, bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = s.cmd.Process.Kill(); _ = s.cmd.Wait() })
	return s
}

func (s *served) line() []byte {
	s.t.Helper()
	line, err := s.out.ReadBytes('\n')
	if err != nil {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		s.t.Fatalf("it ended: %v\n%s", err, s.said.String())
	}
	return line
}

// browse asks for every kind of page at once, and now and then whether the plans
// changed, on a connection that it leaves.
func (s *served) browse(address string, i int) {
	pages := []string{"", "board", "plans/common/", "plans/common/board", "plans/common/graph", "plans/other/history",
		"plans/other/tasks/t1", "plans/other/", "plans/none/", "assets/none"}
	var all sync.WaitGroup
	for _, page := range pages {
		all.Go(func() { s.get(address+page, !strings.HasSuffix(page, "none") && page != "plans/none/") })
	}
	if i%2 == 0 {
		all.Go(func() { s.peek(address + "tip") })
	}
	all.Wait()
}

func (s *served) get(url string, exists bool) {
	answer, err := http.Get(url)
	if err != nil {
		s.t.Errorf("%s: %v", url, err)
		return
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, answer.Body)
	if exists != (answer.StatusCode == http.StatusOK) {
		s.t.Errorf("%s: status %d", url, answer.StatusCode)
	}
}

// peek asks on a connection of its own and does not wait long for the answer.
func (s *served) peek(url string) {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 50 * time.Millisecond}
	if answer, err := client.Get(url); err == nil {
		_, _ = io.Copy(io.Discard, answer.Body)
		_ = answer.Body.Close()
	}
}

func (s *served) send(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

// call asks for one thing and waits for the answer, among notes of what changed.
func (s *served) call(method, params string) string {
	s.t.Helper()
	s.calls++
	s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, s.calls, method, params))
	for {
		var got struct {
			ID    int
			Error json.RawMessage
		}
		line := s.line()
		if err := json.Unmarshal(line, &got); err != nil {
			s.t.Fatalf("%s: %v\n%s", method, err, line)
		}
		if got.ID == s.calls {
			return string(line)
		}
	}
}

// callAll calls tools that read, that write and that refuse, and reads
// resources.
func (s *served) callAll(i int) {
	s.t.Helper()
	verbs := []string{"start", "release"}
	for _, tool := range []string{
		`{"name":"plan_status"}`, `{"name":"plan_next"}`,
		`{"name":"planning_setup_plan","arguments":{"objective":"Mend it","initial_steps":[{"title":"Find the case"}]}}`,
		`{"name":"planning_mark_step","arguments":{"step_id":"S001","status":"done"}}`, `{"name":"planning_read_plan"}`,
		`{"name":"plan_task","arguments":{"task":"t2","move":"` + verbs[i%2] + `"}}`,
	} {
		if answer := s.call("tools/call", tool); strings.Contains(answer, `"isError":true`) || strings.Contains(answer, `"error":`) {
			s.t.Errorf("round %d: %s: %s", i, tool, answer)
		}
	}
	if answer := s.call("tools/call", `{"name":"plan_task","arguments":{"task":"none","move":"done"}}`); !strings.Contains(answer, `"isError":true`) {
		s.t.Errorf("a task that there is not: %s", answer)
	}
	listed := s.call("resources/list", `{}`)
	_, rest, _ := strings.Cut(listed, `"uri":"`)
	uri, _, found := strings.Cut(rest, `"`)
	if !found {
		s.t.Fatalf("no resources: %s", listed)
	}
	for _, method := range []string{"resources/read", "resources/subscribe", "resources/unsubscribe"} {
		if answer := s.call(method, `{"uri":"`+uri+`"}`); strings.Contains(answer, `"error":`) {
			s.t.Errorf("%s: %s", method, answer)
		}
	}
}

// size is what a process holds, as the system sees it.
type size struct {
	resident           int // KiB
	files, threads     int
	children, unreaped int
}

func (z size) String() string {
	return fmt.Sprintf("%.1f MiB, %d descriptors, %d threads, %d children", float64(z.resident)/1024, z.files, z.threads, z.children)
}

// within fails the test where a process is larger than it was when warm. Memory
// has the slack of a collector that has not run yet.
func (z size) within(t *testing.T, warm size) {
	t.Helper()
	if z.resident > warm.resident*3/2+16*1024 || z.files > warm.files+12 || z.threads > warm.threads+12 || z.children > warm.children+2 || z.unreaped > 0 {
		t.Errorf("it grew: %v, %d not reaped; warm it was %v", z, z.unreaped, warm)
	}
}

// size asks the system once the process has come to rest: connections that were
// left are closed when that is noticed.
func (s *served) size() size {
	s.t.Helper()
	http.DefaultClient.CloseIdleConnections()
	time.Sleep(500 * time.Millisecond)
	dir := filepath.Join("/proc", strconv.Itoa(s.cmd.Process.Pid))
	files, err := os.ReadDir(filepath.Join(dir, "fd"))
	if err != nil {
		s.t.Fatalf("it ended: %v\n%s", err, s.said.String())
	}
	z := size{files: len(files), resident: statusField(dir, "VmRSS"), threads: statusField(dir, "Threads")}
	others, _ := filepath.Glob("/proc/[0-9]*")
	for _, other := range others {
		if statusField(other, "PPid") != s.cmd.Process.Pid {
			continue
		}
		z.children++
		if status, _ := os.ReadFile(filepath.Join(other, "status")); strings.Contains(string(status), "State:\tZ") {
			z.unreaped++
		}
	}
	return z
}

// statusField reads a number of /proc/PID/status.
func statusField(dir, name string) int {
	data, _ := os.ReadFile(filepath.Join(dir, "status"))
	_, rest, _ := strings.Cut(string(data), "\n"+name+":")
	n := 0
	_, _ = fmt.Sscan(rest, &n)
	return n
}

// goroutines ends the program in the way in which Go's tell what they were
// doing, and counts.
func (s *served) goroutines() int {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGQUIT); err != nil {
		s.t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, s.out)
	_ = s.cmd.Wait()
	return strings.Count("\n"+s.said.String(), "\ngoroutine ")
}
