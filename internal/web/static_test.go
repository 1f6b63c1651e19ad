package web

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/store"
)

// tree reads every file of a folder.
func readTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must(t, filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	}))
	return out
}

// Every link of a static page leads to a file that is there, or to a place of
// the narrative's own choice.
func TestStaticLinks(t *testing.T) {
	f := newFixture(t, sampleHistory()...)
	dir := t.TempDir()
	done, err := f.viewer.Write(t.Context(), dir, makeFolder)
	must(t, err)
	files := readTree(t, dir)
	if done.Plans != 7 || done.Pages < 50 {
		t.Errorf("%+v", done)
	}
	if count := linksHold(t, files); count < 500 {
		t.Errorf("%d links", count)
	}
	for name, text := range files {
		if strings.HasSuffix(name, ".html") {
			holds(t, text, `http-equiv="Content-Security-Policy"`)
			lacks(t, text, "data-follow", "127.0.0.1", dir)
		}
	}
}

// linksHold fails for each link of static pages that leads nowhere, and counts
// the others.
func linksHold(t *testing.T, files map[string]string) (count int) {
	t.Helper()
	link := regexp.MustCompile(`(?:href|src|action|data-words)="([^"]+)"|"link":"([^"]+)"`)
	for name, text := range files {
		if !strings.HasSuffix(name, ".html") && name != "assets/words.js" {
			continue
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			to, _, _ := strings.Cut(m[1], "#")
			base := name
			if m[2] != "" {
				to, base = m[2], ""
			}
			if to == "" || strings.HasPrefix(to, "https://www.rfc-editor.org/") {
				continue
			}
			count++
			target := strings.TrimPrefix(resolve(t, "http://x/"+base, to), "http://x/")
			if _, ok := files[target]; !ok {
				t.Errorf("%s links to %s, and there is no %s", name, to, target)
			}
		}
	}
	return count
}

// An id may be longer than the name of a folder. Its plan has pages, each its
// own, that links lead to.
func TestStaticLongIDs(t *testing.T) {
	long := strings.Repeat("long-", 60)
	change := step("two: created")
	for _, id := range []string{long + "a", long + "b"} {
		change.Set[id+"/plan.md"] = "---\ntitle: The plan " + id[len(long):] + "\n---\n\nText.\n"
		change.Set[id+"/tasks/01-x.md"] = "---\nid: x\n---\n\nText.\n"
	}
	dir := t.TempDir()
	done, err := newFixture(t, change).viewer.Write(t.Context(), dir, makeFolder)
	must(t, err)
	files := readTree(t, dir)
	if count := linksHold(t, files); done.Plans != 2 || count < 50 {
		t.Errorf("%d links, %+v", count, done)
	}
	var tasks string
	for name, text := range files {
		if strings.HasPrefix(name, "plans/") && strings.HasSuffix(name, "/tasks/x.html") {
			tasks += text
		}
	}
	holds(t, tasks, "The plan a", "The plan b")
}

// The same plans give the same files, and what is gone goes.
func TestStaticAgain(t *testing.T) {
	f := newFixture(t, sampleHistory()...)
	dir := filepath.Join(t.TempDir(), "a", "site")
	_, err := f.viewer.Write(t.Context(), dir, makeFolder)
	must(t, err)
	before := readTree(t, dir)
	done, err := f.viewer.Write(t.Context(), dir, makeFolder)
	must(t, err)
	after := readTree(t, dir)
	for name := range before {
		if before[name] != after[name] {
			t.Errorf("%s differs the second time", name)
		}
	}
	if len(before) != len(after) || done.Removed != 0 {
		t.Errorf("%d files, then %d; %+v", len(before), len(after), done)
	}
	must(t, os.WriteFile(filepath.Join(dir, "CNAME"), []byte("plans.example.com\n"), 0o666))
	gone := step("drop-python-38: removed")
	for name := range strings.Lines(f.repo.Git("ls-tree", "-r", "--name-only", "plans", "drop-python-38")) {
		gone.Set[strings.TrimSpace(name)] = ""
	}
	f.commit(gone)
	done, err = f.viewer.Write(t.Context(), dir, makeFolder)
	must(t, err)
	if _, err := os.Stat(filepath.Join(dir, "plans", "drop-python-38")); !errors.Is(err, fs.ErrNotExist) || done.Removed == 0 {
		t.Errorf("the pages of a plan that is gone are there: %v, %+v", err, done)
	}
	if _, err := os.Stat(filepath.Join(dir, "CNAME")); err != nil {
		t.Error(err)
	}
}

// A folder of somebody else, or a file of theirs in ours, is left as it is.
func TestStaticSparesOthers(t *testing.T) {
	f := newFixture(t, sampleHistory()...)
	for name, prepare := range map[string]func(dir string){
		"a file": func(dir string) { must(t, os.WriteFile(filepath.Join(dir, "index.html"), []byte("mine"), 0o666)) },
		"another release": func(dir string) {
			must(t, os.WriteFile(filepath.Join(dir, marker), []byte("git plan report 9\nindex.html\n"), 0o666))
		},
		"a file in ours": func(dir string) {
			must(t, os.WriteFile(filepath.Join(dir, marker), []byte(markerHead+"\n"), 0o666))
			must(t, os.WriteFile(filepath.Join(dir, "index.html"), []byte("mine"), 0o666))
		},
	} {
		dir := t.TempDir()
		prepare(dir)
		_, err := f.viewer.Write(t.Context(), dir, makeFolder)
		var refused *store.ExistsError
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
		if data, err := os.ReadFile(filepath.Join(dir, "index.html")); err == nil && string(data) != "mine" {
			t.Errorf("%s: index.html was written over", name)
		}
	}
}

// Nothing is written or removed outside of the folder, whatever leads there.
func TestStaticStaysInside(t *testing.T) {
	f := newFixture(t, sampleHistory()...)
	outside := t.TempDir()
	must(t, os.WriteFile(filepath.Join(outside, "keep.html"), []byte("mine"), 0o666))
	dir := t.TempDir()
	must(t, os.Symlink(outside, filepath.Join(dir, "assets")))
	must(t, os.WriteFile(filepath.Join(dir, marker), []byte(markerHead+"\n../"+filepath.Base(outside)+"/keep.html\nassets/keep.html\n/etc/none\n"), 0o666))
	if _, err := f.viewer.Write(t.Context(), dir, makeFolder); err == nil {
		t.Error("a folder that leads away was written to")
	}
	if files := readTree(t, outside); len(files) != 1 || files["keep.html"] != "mine" {
		t.Errorf("outside there is %v", files)
	}
}
