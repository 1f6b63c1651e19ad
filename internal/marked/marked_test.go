package marked_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/marked"
)

const block = "## Plans\n\nRun `git plan status --json`."

func styles() map[string]marked.Style {
	return map[string]marked.Style{"markdown": marked.Markdown, "hash": marked.Hash}
}

func put(t *testing.T, s marked.Style, text, block string) string {
	t.Helper()
	got, err := s.Put(text, block)
	if err != nil {
		t.Fatalf("Put(%q): %v", text, err)
	}
	return got
}

func drop(t *testing.T, s marked.Style, text string) string {
	t.Helper()
	got, ok, err := s.Drop(text)
	if err != nil || !ok {
		t.Fatalf("Drop(%q): %v, %v", text, ok, err)
	}
	return got
}

func TestPut(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"new", "", "<B>\nx\ny\n<E>\n"},
		{"lines", "# Rules\n", "# Rules\n\n<B>\nx\ny\n<E>\n"},
		{"open line", "# Rules", "# Rules\n<B>\nx\ny\n<E>\n"},
		{"crlf", "a\r\nb\r\n", "a\r\nb\r\n\r\n<B>\r\nx\r\ny\r\n<E>\r\n"},
		{"replaced", "a\n<B>\nold\n<E>\nb\n", "a\n<B>\nx\ny\n<E>\nb\n"},
		{"replaced at an open end", "a\r\n<B>\r\n<E>", "a\r\n<B>\r\nx\r\ny\r\n<E>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := "<!-- git plan: begin, made by git plan; what you write between these lines is lost -->"
			marks := strings.NewReplacer("<B>", b, "<E>", "<!-- git plan: end -->")
			if got, want := put(t, marked.Markdown, marks.Replace(c.text), "x\ny\n"), marks.Replace(c.want); got != want {
				t.Errorf("got\n%q\nwant\n%q", got, want)
			}
		})
	}
}

// Marks of another release are known by their first words.
func TestMarksOfAnotherRelease(t *testing.T) {
	text := "a\n  <!--git plan: begin-->\nold\n<!-- git plan: end, v0 -->\nb\n"
	if got, ok, err := marked.Markdown.Get(text); got != "old" || !ok || err != nil {
		t.Errorf("Get = %q, %v, %v", got, ok, err)
	}
	if got := drop(t, marked.Markdown, text); got != "ab\n" && got != "a\nb\n" {
		t.Errorf("Drop = %q", got)
	}
}

// What is got is the block as it was put, however the lines of the text end.
func TestGet(t *testing.T) {
	text := put(t, marked.Hash, "a = 1\r\n", block)
	if got, ok, err := marked.Hash.Get(text); got != strings.Trim(block, "\n") || !ok || err != nil {
		t.Errorf("Get = %q, %v, %v", got, ok, err)
	}
	if _, ok, _ := marked.Hash.Get("a = 1\n"); ok {
		t.Error("a text without a block has one")
	}
}

// What is written after a block stays on a line of its own.
func TestDropKeepsWhatFollows(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a", "a\nb\n"}, {"a\n", "a\nb\n"}, {"", "b\n"}, {"a\r\n", "a\r\nb\n"},
	} {
		if got := drop(t, marked.Markdown, put(t, marked.Markdown, c.text, block)+"b\n"); got != c.want {
			t.Errorf("after %q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestBroken(t *testing.T) {
	const b, e = "# git plan: begin\n", "# git plan: end\n"
	for _, c := range []struct {
		text string
		line int
	}{
		{"a\n" + b + "x\n", 2},
		{"a\nb\n" + e, 3},
		{b + "x\n" + e + b + "y\n" + e, 4},
		{b + b + e, 2},
		{b + e + e, 3},
		{e + b, 1},
	} {
		if _, err := marked.Hash.Put(c.text, block); err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("line %d: ", c.line)) {
			t.Errorf("Put(%q): %v, want a fault in line %d", c.text, err, c.line)
		}
		if got, ok, err := marked.Hash.Drop(c.text); err == nil || ok || got != c.text {
			t.Errorf("Drop(%q) = %q, %v, %v", c.text, got, ok, err)
		}
		if _, _, err := marked.Hash.Get(c.text); err == nil {
			t.Errorf("Get(%q) gave no error", c.text)
		}
	}
	if _, err := marked.Hash.Put("", b+e); err == nil {
		t.Error("a block that holds marks was put in")
	}
}

// Put, again and with another block, and Drop give back what was there.
func TestDropUndoesPut(t *testing.T) {
	words := []string{"", "a", "\n", "\r\n", "\r", "\n\n", "# x", "<!-- y -->", "\ufeff", "é", "\x00", " ", "git plan: begin"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		var text string
		for range random.IntN(8) {
			text += words[random.IntN(len(words))]
		}
		for name, s := range styles() {
			if _, found, err := s.Get(text); found || err != nil {
				continue // the words happened to make a mark
			}
			once := put(t, s, text, block)
			if twice := put(t, s, once, block); twice != once {
				t.Fatalf("%s: Put again changes %q to %q", name, once, twice)
			}
			if got := drop(t, s, put(t, s, once, "other\nblock")); got != text {
				t.Fatalf("%s: Drop(Put(%q)) = %q", name, text, got)
			}
		}
	}
}

func FuzzDrop(f *testing.F) {
	f.Add("a\n# git plan: begin\nx\n# git plan: end\nb", true)
	f.Add("a\r\n<!-- git plan: begin -->\r\n<!-- git plan: end -->", false)
	f.Fuzz(func(t *testing.T, text string, hash bool) {
		s := marked.Markdown
		if hash {
			s = marked.Hash
		}
		_, found, err := s.Get(text)
		if err != nil {
			return
		}
		with, err := s.Put(text, block)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok, err := s.Get(with); got != strings.Trim(block, "\n") || !ok || err != nil {
			t.Fatalf("the block in %q is %q: %v", with, got, err)
		}
		if got, _, _ := s.Drop(with); !found && got != text {
			t.Fatalf("Drop(Put(%q)) = %q", text, got)
		}
	})
}
