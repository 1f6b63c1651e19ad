package gitstore

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

func TestPackedReplaceRefs(t *testing.T) {
	t.Parallel()
	refs := func(count int, more ...string) string {
		var all []string
		for i := range count {
			all = append(all, fmt.Sprintf("refs/heads/%06d", i), fmt.Sprintf("refs/tags/%06d", i))
		}
		all = append(all, more...)
		slices.Sort(all)
		var b strings.Builder
		b.WriteString("# pack-refs with: peeled fully-peeled sorted \n")
		for i, ref := range all {
			fmt.Fprintf(&b, "%040d %s\n", i, ref)
			if strings.HasPrefix(ref, "refs/tags") {
				fmt.Fprintf(&b, "^%040d\n", i)
			}
		}
		return b.String()
	}
	unsorted := func(text string) string { return strings.Replace(text, " sorted", "", 1) }
	for _, count := range []int{0, 1, 10, 1000, 5000} {
		for name, tt := range map[string]struct {
			text string
			want bool
		}{
			"none":        {refs(count), false},
			"one":         {refs(count, "refs/replace/"+strings.Repeat("1", 40)), true},
			"around":      {refs(count, "refs/replac", "refs/replace-not", "refs/replacf/x", "refs/replace0"), false},
			"all around":  {refs(count, "refs/a", "refs/replace.x", "refs/replace/x", "refs/replacf/x"), true},
			"many":        {refs(count, strings.Fields(strings.Repeat("refs/replace/x ", 5000))...), true},
			"unsorted":    {unsorted(refs(count, "refs/replace/x")), true},
			"long names":  {refs(count, "refs/r"+strings.Repeat("x", 20000), "refs/replace/x", "refs/remotes/"+strings.Repeat("x", 20000)), true},
			"no line end": {strings.TrimSuffix(refs(count, "refs/replace/x"), "\n"), true},
			"empty":       {"", false},
		} {
			r := &Repo{CommonDir: t.TempDir()}
			if err := os.WriteFile(filepath.Join(r.CommonDir, "packed-refs"), []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := r.mayReplace(); got != tt.want {
				t.Errorf("%s among %d: %v", name, count, got)
			}
		}
	}
}

func TestUnusual(t *testing.T) {
	t.Parallel()
	plain := gittest.New(t)
	for config, usual := range map[string]bool{
		"": true, "core.bare=true": true, "extensions.worktreeConfig=true": true, "extensions.refStorage=files": true,
		"extensions.objectFormat=sha1": true, "extensions.noop=1": true, "remote.origin.url=x": true,
		"extensions.refStorage=reftable": false, "extensions.objectFormat=other": false, "extensions.partialClone=o": false,
		"extensions.compatObjectFormat=sha256": false, "extensions.unheardOf=1": false,
		"remote.o.promisor=true": false, "remote.o.partialCloneFilter=blob:none": false,
	} {
		r := &Repo{Git: plain.G(), CommonDir: filepath.Join(plain.Dir, ".git"), ObjectFormat: "sha1"}
		list := ""
		if key, value, ok := strings.Cut(config, "="); ok {
			list = "local\x00" + key + "\n" + value + "\x00"
		}
		if why := r.unusual(parseConfig(list)); (why == "") != usual {
			t.Errorf("%q: %q", config, why)
		}
	}
	r := &Repo{Git: plain.With("GIT_REPLACE_REF_BASE=refs/other/").G(), CommonDir: filepath.Join(plain.Dir, ".git"), ObjectFormat: "sha1"}
	if r.unusual(parseConfig("")) == "" {
		t.Error("another base of replacements is not seen")
	}
}
