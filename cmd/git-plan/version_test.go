package main

import (
	"archive/zip"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

func TestBuiltFrom(t *testing.T) {
	commit := "0123456789abcdef0123456789abcdef01234567"
	for _, c := range []struct{ module, vcs, version, revision string }{
		{"(devel)", "", release, ""},
		{"", commit, release, commit},
		{"v7.8.9", "", "7.8.9", ""},
		{"v7.8.9", commit, "7.8.9", commit},
		{"v7.8.9-rc.1", "", "7.8.9-rc.1", ""},
		{"v7.8.9+dirty", commit, release, commit},
		{"v0.0.0-20260102030405-0123456789ab", "", release, "0123456789ab"},
		{"v7.8.10-0.20260102030405-0123456789ab", "", release, "0123456789ab"},
		{"v7.8.10-0.20260102030405-0123456789ab+dirty", commit, release, commit},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: c.module}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: c.vcs}}}
		if version, revision := builtFrom(info); version != c.version || revision != c.revision {
			t.Errorf("%+v: %q, %q", c, version, revision)
		}
	}
	if version, _ := builtFrom(nil); version != release {
		t.Errorf("without build information: %q", version)
	}
}

// TestGoInstall publishes the module to a proxy made of files and has
// `go install` take it from there.
func TestGoInstall(t *testing.T) {
	if os.Getenv("GIT_PLAN_TEST_SOAK") == "" {
		t.Skip("it builds everything anew: set GIT_PLAN_TEST_SOAK=1")
	}
	modules, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Skip("go is not installed")
	}
	dir := t.TempDir()
	publish(t, filepath.Join(dir, "proxy"), "v1.8.9")
	cmd := exec.Command("go", "install", modulePath+"/cmd/git-plan@latest")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOBIN="+filepath.Join(dir, "bin"), "GOMODCACHE="+filepath.Join(dir, "modules"), "GOFLAGS=-modcacherw -trimpath", "CGO_ENABLED=0", "GONOSUMDB=*",
		"GOPROXY=file://"+filepath.Join(dir, "proxy")+",file://"+strings.TrimSpace(string(modules))+"/cache/download")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(filepath.Join(dir, "bin", "git-plan"), "version").CombinedOutput()
	if err != nil || string(out) != "git plan version 1.8.9\n" {
		t.Errorf("the installed program prints %q (%v)", out, err)
	}
}

const modulePath = "github.com/git-plan/git-plan"

// publish puts the files that git knows into a proxy of modules.
func publish(t *testing.T, proxy, version string) {
	t.Helper()
	root := filepath.Join("..", "..")
	list, err := exec.Command("git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Skipf("this is no checkout: %v", err)
	}
	dir := filepath.Join(proxy, filepath.FromSlash(modulePath), "@v")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("list", version+"\n")
	write(version+".info", `{"Version":"`+version+`"}`)
	write(version+".mod", readRoot(t, "go.mod"))
	f, err := os.Create(filepath.Join(dir, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for _, name := range strings.Split(strings.Trim(string(list), "\x00"), "\x00") {
		info, err := os.Lstat(filepath.Join(root, name))
		if err != nil || !info.Mode().IsRegular() || strings.Contains(name, "testdata/") {
			continue // no part of the build
		}
		w, err := z.Create(path.Join(modulePath+"@"+version, name))
		if err == nil {
			_, err = w.Write([]byte(readRoot(t, name)))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}
