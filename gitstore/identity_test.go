package gitstore

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// Whoever is written down is found without git, and is whom git would name;
// what git alone can tell is left to it.
func TestIdentityIsGits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		env      []string // in place of what the test repository sets
		config   []string
		found    bool
		fallible bool // git refuses it
	}{
		{name: "environment", env: []string{"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.com"}, found: true},
		{name: "settings of the user", config: []string{"user.name=Bob", "user.email=bob@example.com"}, found: true},
		{name: "settings of the role win", config: []string{"user.name=Bob", "user.email=bob@example.com", "author.name=Role", "author.email=role@example.com"}, found: true},
		{name: "environment wins", env: []string{"GIT_AUTHOR_NAME=Ann"}, config: []string{"user.name=Bob", "user.email=bob@example.com"}, found: true},
		{name: "stripped", config: []string{"user.name= ,A <b>, c;", "user.email=<a@example.com>"}},
		{name: "full stops, of which gits differ", config: []string{"user.name= .A Jr.;", "user.email=<a@example.com.>"}},
		{name: "zone", env: []string{"TZ=America/St_Johns"}, config: []string{"user.name=Bob", "user.email=b@example.com"}, found: true},
		{name: "zone of another form", env: []string{"TZ=XYZ-3:30"}, config: []string{"user.name=Bob", "user.email=b@example.com"}},
		{name: "date", env: []string{"GIT_AUTHOR_DATE=1700000000 +0130"}, config: []string{"user.name=Bob", "user.email=b@example.com"}},
		{name: "empty variable", env: []string{"GIT_AUTHOR_NAME="}, config: []string{"user.name=Bob", "user.email=b@example.com"}, fallible: true},
		{name: "no address", env: []string{"EMAIL=env@example.com"}, config: []string{"user.name=Bob"}},
		{name: "nothing but signs", config: []string{"user.name=,;:", "user.email=b@example.com"}, fallible: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			for _, c := range tt.config {
				key, value, _ := strings.Cut(c, "=")
				r.Git("config", key, value)
			}
			s := open(t, r)
			s.repo.Git.Env = append(withoutIdentity(s.repo.Git.Env), tt.env...)
			if _, own := os.LookupEnv("TZ"); own && !strings.HasPrefix(strings.Join(tt.env, ""), "TZ=") {
				s.repo.Git.Env = append(s.repo.Git.Env, "TZ=UTC") // this process has another than git would see
			}
			got, found := s.repo.written(t.Context(), author)
			if found != tt.found {
				t.Fatalf("found %v (%v), want %v", found, got, tt.found)
			}
			line, err := s.repo.Git.ReadLine(t.Context(), "var", "GIT_AUTHOR_IDENT")
			if (err != nil) != tt.fallible {
				t.Fatal(err)
			}
			if !found {
				got, err = s.repo.Author(t.Context())
				if (err != nil) != tt.fallible {
					t.Fatal(err)
				}
			}
			if want := parseIdent(line); got.Name != want.Name || got.Email != want.Email || zoneOf(got) != zoneOf(want) {
				t.Errorf("%v, but git says %v", got, want)
			}
		})
	}
}

func zoneOf(id Ident) string {
	_, zone, _ := strings.Cut(id.date(), " ")
	return zone
}

// withoutIdentity drops what the test repository says of who commits and when.
func withoutIdentity(env []string) []string {
	var rest []string
	for _, kv := range env {
		if !strings.HasPrefix(kv, "GIT_AUTHOR_") && !strings.HasPrefix(kv, "GIT_COMMITTER_") && !strings.HasPrefix(kv, "TZ=") && !strings.HasPrefix(kv, "EMAIL=") {
			rest = append(rest, kv)
		}
	}
	return rest
}

// A tip that was seen when the repository was found is used once, and only
// where no worktree can have the ref checked out.
func TestFirstAttemptTrustsWhatWasSeen(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	first := put(t, open(t, r), file("a/x", "1"))
	found, err := Discover(t.Context(), r.G(), testRef)
	if err != nil {
		t.Fatal(err)
	}
	s := Open(found, testRef)
	s.patience.moved = time.Hour                   // a busy machine needs long for a lock that is free
	second := put(t, open(t, r), file("a/x", "2")) // somebody else, in between
	var tips []string
	up, err := s.Update(t.Context(), "test", func(tip Tip) ([]Change, error) {
		tips = append(tips, tip.Commit)
		return adding("third", file("b/x", "3"))(tip)
	})
	if err != nil || strings.Join(tips, " ") != first+" "+second || up.Old != second {
		t.Errorf("made for %v on %s: %v", tips, up.Old, err)
	}
	tips = nil
	found.Recall(second)
	if _, err := Open(found, "refs/heads/proposals/x").Update(t.Context(), "test", func(tip Tip) ([]Change, error) {
		tips = append(tips, tip.Commit)
		return nil, nil
	}); err != nil || len(tips) != 1 || tips[0] != "" || found.Glance() != second {
		t.Errorf("another ref was seen at %q: %v", tips, err)
	}
	r.Git("worktree", "add", "-q", t.TempDir()+"/plans", "plans")
	if s.isNowhere(t.Context()) {
		t.Error("a worktree has the ref checked out")
	}
}
