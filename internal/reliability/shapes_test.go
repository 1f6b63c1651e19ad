package reliability

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// shape is a kind of repository in which everything must work.
type shape struct {
	// make gives the repository, with a plan named seed in it if it is a clone.
	make func(t *testing.T) *place
	// between are git commands that run once a plan has landed.
	between []string
	// follows says that the code's worktree has the plans themselves checked out.
	follows bool
}

func shapes() map[string]shape {
	return map[string]shape{
		"files":               {make: fresh()},
		"reftable":            {make: reftable("2.45", "--ref-format=reftable")},
		"sha256":              {make: fresh("--object-format=sha256")},
		"sha256, reftable":    {make: reftable("2.45", "--ref-format=reftable", "--object-format=sha256")},
		"linked worktree":     {make: linked("worktree", "add", "-q")},
		"relative worktree":   {make: relativeWorktree},
		"bare":                {make: cloned("--bare")},
		"mirror":              {make: cloned("--mirror")},
		"shallow":             {make: cloned("--no-local", "--depth=1", "--no-single-branch")},
		"remote ref only":     {make: cloned("--no-local")},
		"partial":             {make: cloned("--no-local", "--filter=blob:none", "--no-checkout")},
		"treeless":            {make: cloned("--no-local", "--filter=tree:0", "--no-checkout")},
		"shared":              {make: cloned("--shared")},
		"reference":           {make: referenced},
		"sparse":              {make: after(fresh(), "sparse-checkout set --cone lib")},
		"sparse index":        {make: after(fresh(), "sparse-checkout set --cone --sparse-index lib")},
		"submodule":           {make: submodule},
		"subdirectory":        {make: below("src/deep")},
		"-C":                  {make: byFlag("-C", "")},
		"--git-dir":           {make: byFlag("--git-dir", "/.git", "--work-tree")},
		"GIT_DIR":             {make: byEnv},
		"separate git dir":    {make: cloned("--separate-git-dir=../apart.git")},
		"odd path":            {make: oddPath},
		"multi-pack-index":    {make: fresh(), between: []string{"repack -dq", "multi-pack-index write"}},
		"commit-graph":        {make: fresh(), between: []string{"commit-graph write --reachable --changed-paths"}},
		"cruft packs":         {make: fresh(), between: []string{"repack -q --cruft -d"}},
		"packed objects":      {make: fresh(), between: []string{"gc -q --prune=now"}},
		"packed refs":         {make: fresh(), between: []string{"pack-refs --all --prune"}},
		"shared permissions":  {make: fresh("--shared=group"), between: []string{"gc -q"}},
		"plans checked out":   {make: fresh(), between: []string{"worktree add -q ../plans plans"}},
		"unborn HEAD":         {make: unborn},
		"detached HEAD":       {make: after(fresh(), "checkout -q --detach")},
		"HEAD on the plans":   {make: onPlans, follows: true},
		"replaced objects":    {make: fresh(), between: []string{"replace --graft refs/heads/plans~1", "replace refs/heads/plans:README.md refs/heads/plans:gates.yaml"}},
		"worktree config":     {make: after(fresh(), "config extensions.worktreeConfig true")},
		"objects elsewhere":   {make: elsewhere},
		"hooks of strangers":  {make: strangersHooks},
		"configured ref name": {make: after(fresh(), "config plan.ref plans")},
	}
}

// fresh makes a new repository with a little code in it.
func fresh(args ...string) func(*testing.T) *place {
	return func(t *testing.T) *place {
		r := gittest.New(t, gittest.Init(args...))
		r.Write("src/deep/code.txt", "code\n")
		r.Write("lib/code.txt", "code\n")
		r.Commit("code")
		return at(t, r)
	}
}

// after makes a shape by running git commands in another.
func after(make func(*testing.T) *place, commands ...string) func(*testing.T) *place {
	return func(t *testing.T) *place {
		p := make(t)
		for _, c := range commands {
			p.Git(strings.Fields(c)...)
		}
		return p
	}
}

func reftable(version string, args ...string) func(*testing.T) *place {
	return func(t *testing.T) *place {
		needs(t, version, append([]string{"init", "-q", "x"}, args...)...)
		return fresh(args...)(t)
	}
}

// linked makes a worktree of another branch and works in it.
func linked(add ...string) func(*testing.T) *place {
	return func(t *testing.T) *place {
		p := fresh()(t)
		dir := filepath.Join(filepath.Dir(p.Dir), "linked")
		p.Git(append(add, dir)...)
		return at(t, p.Repo.At(dir))
	}
}

func relativeWorktree(t *testing.T) *place {
	needs(t, "2.48", "worktree", "add", "-q", "--relative-paths", "../x")
	return linked("worktree", "add", "-q", "--relative-paths")(t)
}

// cloned makes a clone of a repository that has a plan.
func cloned(args ...string) func(*testing.T) *place {
	return func(t *testing.T) *place {
		seed := planned(t, "seed", 3)
		seed.Git("config", "uploadpack.allowFilter", "true")
		return at(t, seed.Clone(t, args...))
	}
}

// referenced borrows the objects of one repository and clones another.
func referenced(t *testing.T) *place {
	seed := planned(t, "seed", 3)
	copied := seed.Clone(t, "--mirror")
	return at(t, seed.Clone(t, "--reference", copied.Dir))
}

func submodule(t *testing.T) *place {
	seed := planned(t, "seed", 3)
	super := gittest.New(t)
	super.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", seed.Dir, "sub")
	super.Git("commit", "-q", "-m", "sub")
	return &place{Repo: super.At(filepath.Join(super.Dir, "sub")), code: super, t: t}
}

func below(dir string) func(*testing.T) *place {
	return func(t *testing.T) *place {
		p := fresh()(t)
		return &place{Repo: p.At(filepath.Join(p.Dir, dir)), code: p.Repo, t: t}
	}
}

// byFlag works from a folder outside by options of git that name the
// repository.
func byFlag(flag, suffix string, more ...string) func(*testing.T) *place {
	return func(t *testing.T) *place {
		p := fresh()(t)
		global := []string{flag, p.Dir + suffix}
		for _, flag := range more {
			global = append(global, flag, p.Dir)
		}
		return &place{Repo: p.At(t.TempDir()), global: global, code: p.Repo, t: t}
	}
}

func byEnv(t *testing.T) *place {
	p := fresh()(t)
	env := p.At(t.TempDir()).With("GIT_DIR="+filepath.Join(p.Dir, ".git"), "GIT_WORK_TREE="+p.Dir)
	return &place{Repo: env, code: p.Repo, t: t}
}

// oddPath has a path that a shell, a pattern or a quoting git could trip over.
func oddPath(t *testing.T) *place {
	p := fresh()(t)
	dir := filepath.Join(filepath.Dir(p.Dir), "it's a \"größe\" [x] $HOME")
	if err := os.Rename(p.Dir, dir); err != nil {
		t.Skipf("this file system has no such name: %v", err)
	}
	return at(t, p.Repo.At(dir))
}

func unborn(t *testing.T) *place {
	p := fresh()(t)
	p.Git("checkout", "-q", "--orphan", "unborn")
	return p
}

// onPlans has the plans checked out where the code would be.
func onPlans(t *testing.T) *place {
	p := fresh()(t)
	p.must("init")
	p.Git("checkout", "-q", "plans")
	return p
}

// elsewhere keeps new objects in a folder that only the environment names.
func elsewhere(t *testing.T) *place {
	p := fresh()(t)
	dir := filepath.Join(filepath.Dir(p.Dir), "objects")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	r := p.With("GIT_OBJECT_DIRECTORY="+dir, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+filepath.Join(p.Dir, ".git/objects"))
	return at(t, r)
}

// strangersHooks has hooks of others that look on and agree.
func strangersHooks(t *testing.T) *place {
	p := fresh()(t)
	for _, name := range []string{"reference-transaction", "post-index-change", "pre-commit", "commit-msg"} {
		p.hook(name, "#!/bin/sh\ncat >/dev/null\n")
	}
	p.Git("config", "core.hooksPath", "hooks")
	return p
}

// hook puts a hook into the folder hooks of the code.
func (p *place) hook(name, script string) {
	p.t.Helper()
	p.Write("hooks/"+name, script)
	if err := os.Chmod(filepath.Join(p.Dir, "hooks", name), 0o777); err != nil {
		p.t.Fatal(err)
	}
}
