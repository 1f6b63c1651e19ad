package plan

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestSlug(t *testing.T) {
	for text, want := range map[string]string{
		"Set up the DB": "set-up-the-db", "  --Hello,   World!-- ": "hello-world", "Don't panic": "dont-panic", "it’s": "its", "a_b.c/d": "a-b-c-d",
		"Café Zoë Ångström": "cafe-zoe-angstrom", "ﬁle ①": "file-1", "ＦＵＬＬ": "full", "㎒": "mhz", "İstanbul": "istanbul", "日本語": "", "日本 v2": "v2", "": "", "!?": "", "-": "", "🚀": "",
		strings.Repeat("a", 60):                strings.Repeat("a", 48),
		strings.Repeat("abcd ", 20):            strings.TrimSuffix(strings.Repeat("abcd-", 9), "-"),
		strings.Repeat("a", 48) + " b":         strings.Repeat("a", 48),
		"a " + strings.Repeat("b", 60):         "a-" + strings.Repeat("b", 46),
		strings.Repeat("a", 40) + " bbbbbbbbb": strings.Repeat("a", 40),
	} {
		got := Slug(text)
		equal(t, text, got, want)
		if len(got) > maxSlug || got != "" && !IsKebab(got) || Slug(got) != got {
			t.Errorf("Slug(%q) = %q", text, got)
		}
	}
}

func TestNewID(t *testing.T) {
	long := strings.Repeat("a", 48)
	cases := []struct{ text, fallback, taken, want string }{
		{"My plan", "plan", "", "my-plan"},
		{"My plan", "plan", "my-plan", "my-plan-2"},
		{"My plan", "plan", "my-plan my-plan-2 my-plan-3", "my-plan-4"},
		{"計画", "plan", "", "plan-1"},
		{"計画", "plan", "plan plan-1", "plan-2"},
		{"", "task", "task-1 task-2", "task-3"},
		{"5", "task", "", "task-5"},
		{"5.", "task", "task-5", "task-5-2"},
		{strings.Repeat("7", 60), "task", "", "task-" + strings.Repeat("7", 43)},
		{"2026-11", "plan", "", "2026-11"},
		{long, "plan", long, long[:46] + "-2"},
		{strings.Repeat("abcdefg ", 6), "plan", strings.TrimSuffix(strings.Repeat("abcdefg-", 6), "-"), strings.Repeat("abcdefg-", 5) + "2"},
	}
	for _, c := range cases {
		got := NewID(c.text, c.fallback, func(id string) bool { return slices.Contains(strings.Fields(c.taken), id) })
		equal(t, c.text, got, c.want)
		if !IsKebab(got) || len(got) > maxSlug {
			t.Errorf("NewID(%q) = %q", c.text, got)
		}
	}
}

func TestNearest(t *testing.T) {
	words := []string{"status", "started_at", "subtasks", "id", "depends_on", "tags", "create-schema"}
	for word, want := range map[string]string{
		"statsu": "status", "Status": "status", "stats": "status", "satus": "status", "create-shcema": "create-schema", "dependson": "depends_on", "depend-on": "depends_on",
		"di": "id", "ids": "id", "tag": "tags", "xyz": "", "": "", "status": "", "completely": "", strings.Repeat("status", 50): "",
	} {
		equal(t, word, Nearest(word, words), want)
	}
}

// osa is the distance that Nearest looks for, over the whole table.
func osa(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j], d[i][j-1], d[i-1][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

func TestDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	word := func() string {
		b := make([]byte, r.IntN(12))
		for i := range b {
			b[i] = "abc"[r.IntN(3)]
		}
		return string(b)
	}
	for range 50_000 {
		a, b, most := word(), word(), r.IntN(6)
		got, want := distance(a, b, most), osa(a, b)
		if got != want && (got <= most || want <= most) {
			t.Fatalf("distance of %q and %q is %d, not %d (at most %d)", a, b, want, got, most)
		}
	}
}

func TestIsKebab(t *testing.T) {
	for s, want := range map[string]bool{
		"a": true, "a-b": true, "a1-2": true, "1": true, "": false, "-": false, "-a": false, "a-": false, "a--b": false, "A": false, "a_b": false, "a b": false, "é": false, "a\n": false, "a.b": false,
	} {
		if IsKebab(s) != want {
			t.Errorf("IsKebab(%q)", s)
		}
	}
	for s, want := range map[string]bool{"test_failure": true, "a.b-c": true, "1": true, "": false, ".a": false, "_a": false, "A": false, "a/b": false, "a\n": false} {
		if IsSignalID(s) != want {
			t.Errorf("IsSignalID(%q)", s)
		}
	}
}

func TestShorten(t *testing.T) {
	equal(t, "short", shorten("a\nb"), "a b")
	equal(t, "long", shorten(strings.Repeat("é", 61)), strings.Repeat("é", 60)+"…")
}

func TestMeant(t *testing.T) {
	ids := []string{"log-in", "log-out", "replace-the-queue", "search"}
	for word, want := range map[string]string{
		"serach": "search", "replace": "replace-the-queue", "Queue": "replace-the-queue", "out": "log-out", "log": "", "r": "", "zebra": "",
	} {
		if got := Meant(word, ids); got != want {
			t.Errorf("Meant(%q) = %q, want %q", word, got, want)
		}
	}
}

// A name that Windows keeps for a device names nothing new.
func TestIsDevice(t *testing.T) {
	for name, want := range map[string]bool{"con": true, "nul": true, "aux": true, "prn": true, "com1": true, "lpt9": true, "nul.md": true, "com": false, "coma": false, "com10": false, "console": false, "null": false, "": false, "aux-2": false} {
		if got := IsDevice(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
	if got := NewID("Nul", "plan", func(string) bool { return false }); got != "plan-nul" {
		t.Errorf("the id is %q", got)
	}
}
