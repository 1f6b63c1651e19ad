package validate

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
)

// worstPlans are plans as large as they may be: 4 MiB in as many tasks as fit,
// and in as few files as hold them.
func worstPlans() map[string][]plan.File {
	start := plan.File{Path: "plan.md", Data: []byte("---\ntitle: T\n---\n\nText.\n")}
	many, few := []plan.File{start}, []plan.File{start}
	for i := range 9_800 {
		dir := fmt.Sprintf("tasks/%02d-d", i/99)
		if i%99 == 0 {
			many = append(many, plan.File{Path: dir + ".md", Data: fmt.Appendf(nil, "---\nid: box-%d\n---\n\nx\n", i/99)})
		}
		text := fmt.Sprintf("---\nid: task-%d\ntype: feature\ndepends_on: [task-%d, task-%d]\ninputs: [a-%d]\noutputs: [a-%d]\ncontext_hints: [Read `src/app.go` and write what it lacks]\nrelevant_file_paths: [src/app.go]\ncreates: [src/%d.go]\n---\n\nDo it.\n", i, i/2, i/3, i-1, i, i)
		many = append(many, plan.File{Path: fmt.Sprintf("%s/%02d-t.md", dir, i%99), Data: []byte(text)})
	}
	for i := range 15 {
		text := fmt.Sprintf("---\nid: task-%d\nx-a: [a%s]\n---\n\n%s\n", i, strings.Repeat(",a", 32_000), strings.Repeat("All work, and no play. ", 8_000))
		few = append(few, plan.File{Path: fmt.Sprintf("tasks/%02d-t.md", i), Data: []byte(text)})
	}
	return map[string][]plan.File{"many tasks": many, "long files": few}
}

// ruled reads a plan and runs every rule on it.
func ruled(files []plan.File) (tasks, findings int) {
	p, found := plan.Read("p", "", files)
	all := Run(Input{Plan: p, Found: found, Exists: project("src/app.go")}, DefaultGates(), Strict)
	return len(p.All()), len(all)
}

// The largest plan there may be costs a small multiple of its size.
func TestWorstPlans(t *testing.T) {
	for name, files := range worstPlans() {
		size := 0
		for _, f := range files {
			size += len(f.Data)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		tasks, _ := ruled(files)
		runtime.ReadMemStats(&after)
		grown := after.TotalAlloc - before.TotalAlloc
		t.Logf("%s: %d tasks, %d KiB, %d MiB allocated in all", name, tasks, size>>10, grown>>20)
		if size > plan.MaxPlan || size < plan.MaxPlan/2 || tasks < 15 {
			t.Errorf("%s: %d bytes in %d tasks is no worst plan", name, size, tasks)
		}
		if grown > 100*uint64(size) && !underRace {
			t.Errorf("%s: %d MiB for %d KiB", name, grown>>20, size>>10)
		}
	}
}

// BenchmarkWorstPlans tells how long each takes.
func BenchmarkWorstPlans(b *testing.B) {
	for name, files := range worstPlans() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ruled(files)
			}
		})
	}
}
