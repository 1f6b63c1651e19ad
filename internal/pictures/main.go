// Command pictures takes the pictures of the viewer that the documents show, of
// a sample of plans: go run ./internal/pictures. It needs Chromium and git.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-plan/git-plan/internal/chrome"
	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/sample"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/web"
)

func main() {
	out := flag.String("o", filepath.Join("docs", "img"), "the `folder` for the pictures")
	all := flag.Bool("all", false, "every page, wide and narrow, light and dark, to look at")
	flag.Parse()
	if err := run(context.Background(), *out, *all); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// shot is one picture.
type shot struct {
	name, path    string
	width, height int
	dark          bool
}

// shots are the pictures that the documents show.
func shots() []shot {
	const plan = "plans/keys-for-the-api/"
	return []shot{
		{"web-list.png", "", 1180, 760, false}, {"web-plan.png", plan, 1180, 900, false}, {"web-plan-dark.png", plan, 1180, 900, true},
		{"web-graph.png", plan + "graph", 1180, 860, false}, {"web-changes.png", plan + "changes/v1..v2", 1180, 900, false},
		{"web-task.png", plan + "tasks/lookup", 1180, 900, false}, {"web-phone.png", plan, 390, 844, true},
	}
}

// every is each page of the viewer in each form.
func every() []shot {
	const plan = "plans/keys-for-the-api/"
	var out []shot
	for _, p := range []struct{ name, path string }{
		{"list", ""}, {"board", "board"}, {"plan", plan}, {"plan-board", plan + "board"}, {"graph", plan + "graph"}, {"history", plan + "history"},
		{"changes", plan + "changes/v1..v2"}, {"task", plan + "tasks/lookup"}, {"failed", "plans/move-billing-to-events/tasks/consume"}, {"search", "?q=key"},
	} {
		for _, w := range []int{1280, 390} {
			for _, dark := range []bool{false, true} {
				name := fmt.Sprintf("%s-%d.png", p.name, w)
				if dark {
					name = fmt.Sprintf("%s-%d-dark.png", p.name, w)
				}
				out = append(out, shot{name, p.path, w, map[int]int{1280: 1000, 390: 844}[w], dark})
			}
		}
	}
	return out
}

func run(ctx context.Context, out string, all bool) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	repo, err := sampleRepo(ctx)
	if err != nil {
		return err
	}
	defer os.RemoveAll(filepath.Dir(repo.WorkTree))
	defer repo.Close()
	l, err := web.Listen(0)
	if err != nil {
		return err
	}
	viewer := web.New(web.Options{Repo: repo, Name: "gateway", Now: sample.Now, Warn: func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }})
	address := make(chan string, 1)
	go viewer.Serve(ctx, l, func(a, _ string) { address <- a })
	b, err := chrome.Start(ctx)
	if err != nil {
		return err
	}
	defer b.Close()
	list := shots()
	if all {
		list = every()
	}
	return take(b, <-address, out, list)
}

// sampleRepo makes a repository with the sample in it, which nothing of the
// user's configuration reaches.
func sampleRepo(ctx context.Context) (*store.Repo, error) {
	home, err := os.MkdirTemp("", "git-plan-pictures-")
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(home, "gateway")
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull}
	if _, err := (git.Git{Dir: home, Env: env}).Write(ctx, nil, "init", "-q", "-b", "main", dir); err != nil {
		return nil, err
	}
	g := git.Git{Dir: dir, Env: env}
	if err := sample.Fill(ctx, g); err != nil {
		return nil, err
	}
	return store.Open(ctx, store.Options{Git: g, Getenv: func(string) string { return "" }, Now: sample.Now})
}

func take(b *chrome.Browser, address, out string, list []shot) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	for _, s := range list {
		p, err := b.Open()
		if err != nil {
			return err
		}
		if err := p.Size(s.width, s.height, s.width < 600); err != nil {
			return err
		}
		if err := p.Dark(s.dark); err != nil {
			return err
		}
		if err := p.Clock(sample.Now()); err != nil {
			return err
		}
		if err := p.Go(address + s.path); err != nil {
			return err
		}
		data, err := p.Picture()
		if err != nil {
			return err
		}
		if data, err = small(data); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, s.name), data, 0o666); err != nil {
			return err
		}
		for _, fault := range p.Faults() {
			fmt.Fprintf(os.Stderr, "%s: %s\n", s.name, fault)
		}
	}
	return nil
}
