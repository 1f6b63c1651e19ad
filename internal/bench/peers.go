package main

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// items is how many items each side holds when it is compared with a peer.
const items = 1000

// peer is a neighbour with the same job: items in a repository that are shown,
// picked and updated. Its program is looked for on PATH.
type peer struct {
	program, target string
	// fill makes the items in a fresh repository.
	fill func(ctx context.Context, dir string) error
	// item gives the name of one of them.
	item func(ctx context.Context, dir string) (string, error)
	// commands give the arguments for an item.
	show, next, start, release func(item string) []string
}

// peers measures the neighbours that are installed, each beside us with as
// many tasks as it has items.
func (s *suite) peers(ctx context.Context) error {
	ours, err := s.copyOf(ctx, func(ctx context.Context) (string, error) { return s.manyPlans(ctx, items/10) }, "peers-write")
	if err != nil {
		return err
	}
	for _, p := range s.neighbours() {
		if _, err := exec.LookPath(p.program); err != nil {
			fmt.Printf("%s is not on PATH: no rows beside it.\n\n", p.program)
			continue
		}
		if err := s.beside(ctx, p, ours); err != nil {
			return fmt.Errorf("%s: %w", p.program, err)
		}
	}
	return nil
}

func (s *suite) beside(ctx context.Context, p peer, ours string) error {
	dir, err := s.repository(ctx, fmt.Sprintf("%s-%d", p.program, items), func(dir string) error {
		for _, kv := range []string{"user.name=Bench", "user.email=bench@example.com"} {
			key, value, _ := strings.Cut(kv, "=")
			if _, err := s.git(dir, "config", key, value).output(ctx); err != nil {
				return err
			}
		}
		return p.fill(ctx, dir)
	})
	if err != nil {
		return err
	}
	item, err := p.item(ctx, dir)
	if err != nil {
		return err
	}
	theirs := func(args []string) action {
		return one(job{dir: dir, args: append([]string{p.program}, args...)})
	}
	turn := 0
	update := func(ctx context.Context) (sample, error) {
		turn++
		if turn%2 == 1 {
			return theirs(p.start(item))(ctx)
		}
		return theirs(p.release(item))(ctx)
	}
	for _, row := range []struct {
		name string
		a, b action
	}{
		{"show", one(s.plan(ours, "show", "plan-50/step-3", "--json")), theirs(p.show(item))},
		{"next", one(s.plan(ours, "next", "plan-50", "--json")), theirs(p.next(item))},
		{"update", s.toggle(ours, "plan-50/step-3"), update},
	} {
		a, b, err := s.paired(ctx, row.a, row.b)
		if err != nil {
			return err
		}
		s.add(fmt.Sprintf("%s one of %d, beside %s", row.name, items, p.program), a, b, p.target)
	}
	return nil
}

func fixed(args ...string) func(string) []string { return func(string) []string { return args } }

func about(before []string, after ...string) func(string) []string {
	return func(item string) []string {
		return append(append(append([]string{}, before...), item), after...)
	}
}

func (s *suite) neighbours() []peer {
	return []peer{
		{
			program: "bd", target: "0.1", fill: s.fillBeads,
			item: func(ctx context.Context, dir string) (string, error) {
				return firstWord(job{dir: dir, args: []string{"bd", "create", "measured", "--silent"}}.output(ctx))
			},
			show: about([]string{"show"}, "--json"), next: fixed("ready", "--json"),
			start: about([]string{"update"}, "--status", "in_progress"), release: about([]string{"update"}, "--status", "open"),
		},
		{
			program: "git-bug", target: "0.25", fill: s.fillGitBug,
			item: func(ctx context.Context, dir string) (string, error) {
				return firstWord(job{dir: dir, args: []string{"git-bug", "bug", "-f", "id"}}.output(ctx))
			},
			show: about([]string{"bug", "show"}, "-f", "json"), next: fixed("bug", "status:open", "-f", "json"),
			start: about([]string{"bug", "status", "close"}), release: about([]string{"bug", "status", "open"}),
		},
	}
}

func firstWord(out string, err error) (string, error) {
	fields := strings.Fields(out)
	if err == nil && len(fields) == 0 {
		err = fmt.Errorf("it printed no id")
	}
	if err != nil {
		return "", err
	}
	return fields[0], nil
}

func (s *suite) fillBeads(ctx context.Context, dir string) error {
	var b strings.Builder
	for i := range items {
		fmt.Fprintf(&b, "{\"title\":\"Do step %d of the work\",\"description\":\"Do what step %d asks for, and show that it holds by a test.\",\"issue_type\":\"task\",\"priority\":2,\"status\":\"open\"}\n", i, i)
	}
	fill := job{dir: dir, args: []string{"bd", "import", "-"}, stdin: []byte(b.String())}
	return s.inOrder(ctx, s.step(job{dir: dir, args: []string{"bd", "init", "--quiet", "--prefix", "t"}}), s.step(fill))
}

func (s *suite) fillGitBug(ctx context.Context, dir string) error {
	who := job{dir: dir, args: []string{"git-bug", "user", "new", "-n", "Bench", "-e", "bench@example.com", "--non-interactive"}}
	if _, err := who.output(ctx); err != nil {
		return err
	}
	for i := range items {
		j := job{dir: dir, args: []string{"git-bug", "bug", "new", "--non-interactive", "-t", fmt.Sprintf("Do step %d of the work", i),
			"-m", "Do what it asks for, and show that it holds by a test."}}
		if _, err := j.output(ctx); err != nil {
			return err
		}
	}
	return nil
}
