package draft

import (
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// What came past the gate may lie beside a plan: files of a bad name, say, which a
// folder holds, too, and what none can hold. None of it goes from the store without a
// word.

// news gives what a stored plan has beside it that a thread did not begin with: files
// that its folder is to be given, and names of what it cannot hold.
func news(base, now *store.Mended) (files map[string][]byte, left []string) {
	files = map[string][]byte{}
	for name, data := range now.Beside {
		if base == nil || look(base.Beside, name) != (content{string(data), true}) {
			files[name] = data
		}
	}
	for _, name := range now.Left {
		if base == nil || !slices.Contains(base.Left, name) {
			left = append(left, name)
		}
	}
	return files, left
}

// besides tells what a folder was given beside its plan, and what not.
func besides(files map[string][]byte, left []string) (notes []string) {
	for _, name := range names(files) {
		notes = append(notes, fmt.Sprintf("%s came past the gate and cannot be committed as it is: see `git plan check`", name))
	}
	for _, name := range left {
		notes = append(notes, fmt.Sprintf("%s is no file of a plan and is not in the folder: `git plan commit` removes it from the store", name))
	}
	return notes
}

// unseen gives the files that came to lie beside a stored plan since the thread
// began, which a commit would take away without anybody having seen them.
func unseen(base, now *store.Mended) (why []string) {
	files, _ := news(base, now)
	for _, name := range names(files) {
		why = append(why, fmt.Sprintf("%s came into the store past the gate", name))
	}
	return why
}

// removed tells what goes from the store with a commit of the plan.
func removed(m *store.Mended, now *plan.Plan) (notes []string) {
	for _, name := range m.Lost(now) {
		notes = append(notes, fmt.Sprintf("%s was no file of a plan and is not in the store any more", name))
	}
	return notes
}

func planOrNone(m *store.Mended) *plan.Plan {
	if m == nil {
		return nil
	}
	return m.Plan
}

func filesOf(m *store.Mended) map[string][]byte {
	if m == nil {
		return nil
	}
	return m.Plan.Files()
}
