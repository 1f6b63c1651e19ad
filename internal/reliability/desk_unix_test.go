//go:build unix

package reliability

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// begin writes a new plan into a draft that a command makes, while there are few.
func (d *desk) begin(command string) {
	d.t.Helper()
	if len(d.stored()) > 3 && !d.s.server || len(d.stored()) > 5 {
		return
	}
	d.s.plans++
	dir := d.must(command).get("plan_dir")
	title := fmt.Sprintf("Plan %d", d.s.plans)
	if d.s.server && d.s.random.IntN(2) == 0 { // others may give a plan the same one
		title = fmt.Sprintf("Twin %d", d.s.random.IntN(3))
	}
	writePlan(d.t, dir, title, 3)
	about := filepath.Join(dir, "plan.md")
	d.save(about, strings.Replace(d.load(about), "\n---\n", "\nmax_replans: 1000000\n---\n", 1)+d.s.mark()+"\n")
	d.s.did("new")
}

// edit brings a plan into a draft and changes it there.
func (d *desk) edit() {
	d.t.Helper()
	id := d.pick()
	a := d.open(id)
	if a.exit != 0 {
		return
	}
	d.change(a.get("plan_dir"), id)
}

// open brings a plan into a draft. Where edits that are there meet others in the
// store both are kept.
func (d *desk) open(id string) answer {
	d.t.Helper()
	a := d.try("checkout", id)
	switch {
	case a.exit == 0:
	case d.resolve():
		d.s.did("conflict")
	default:
		d.refused(a, "checkout", id)
	}
	return a
}

// change makes one change in a draft: of a text, a field, or the list of tasks.
func (d *desk) change(dir, id string) {
	d.t.Helper()
	tasks, _ := filepath.Glob(filepath.Join(dir, "tasks", "*.md"))
	if len(tasks) == 0 {
		return
	}
	task := tasks[d.s.random.IntN(len(tasks))]
	switch d.s.random.IntN(6) {
	case 0:
		d.append(filepath.Join(dir, "plan.md"), d.s.mark())
	case 1, 2:
		d.append(task, d.s.mark())
	case 3:
		d.retitle(task)
	case 4:
		m := d.s.mark()
		n := strings.Trim(m, "mark-.")
		d.save(filepath.Join(dir, "tasks", fmt.Sprintf("%02d-n%s.md", 10+d.s.marks%90, n)), "---\nid: n"+n+"\n---\n\nStep "+m+"\n")
	case 5:
		text := d.load(task)
		if len(tasks) < 2 || strings.Contains(text, "\nstatus: ") {
			return // what was begun is for replan to drop
		}
		d.giveUp(text)
		if err := os.Remove(task); err != nil {
			d.t.Fatal(err)
		}
	}
	d.s.did("edit")
}

// retitle gives a task another title, in the place of the one it has.
func (d *desk) retitle(task string) {
	d.t.Helper()
	text := d.load(task)
	title := regexp.MustCompile(`(?m)^title: .*\n`)
	d.giveUp(title.FindString(text))
	text = title.ReplaceAllString(text, "")
	d.save(task, strings.Replace(text, "---\n", "---\ntitle: Part "+d.s.mark()+"\n", 1))
}

// giveUp notes that the marks of a text are removed on purpose.
func (d *desk) giveUp(text string) {
	for _, m := range markForm.FindAllString(text, -1) {
		d.s.removed[m] = true
	}
}

func (d *desk) load(path string) string {
	d.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(data)
}

func (d *desk) save(path, text string) {
	d.t.Helper()
	d.s.told = append(d.s.told, fmt.Sprintf("%s writes %s: %s", d.name, path, markForm.FindAllString(text, -1)))
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) append(path, line string) {
	d.t.Helper()
	d.save(path, strings.TrimRight(d.load(path), "\n")+"\n"+line+"\n")
}

// files gives the files of all drafts.
func (d *desk) files() (files []string) {
	for _, pattern := range []string{"*/plan.md", "*/tasks/*.md", "*/signals/*.md"} {
		found, _ := filepath.Glob(filepath.Join(d.Dir, ".plans", pattern))
		files = append(files, found...)
	}
	return files
}

// draftMarks gives what drafts contain.
func (d *desk) draftMarks() (marks []string) {
	for _, file := range d.files() {
		marks = append(marks, markForm.FindAllString(d.load(file), -1)...)
	}
	return marks
}

// commit stores the drafts.
func (d *desk) commit() {
	d.t.Helper()
	written := d.draftMarks()
	d.committed(d.try("commit"), written)
}

// committed takes in the answer to a commit of drafts that contain these marks. It
// resolves conflicts until the drafts are stored.
func (d *desk) committed(a answer, written []string) {
	d.t.Helper()
	for tries := 0; a.exit != 0; tries++ {
		if tries == 10 {
			d.t.Fatalf("%s: commit does not come to an end: status %d: %s%s", d.name, a.exit, a.stdout, a.said)
		}
		switch {
		case d.resolve():
			d.s.did("conflict")
		case a.get("error_type") == "conflict":
			d.s.did("conflict without markers")
			fallthrough
		default:
			d.refused(a, "commit")
		}
		written = d.draftMarks()
		a = d.try("commit")
	}
	d.ack("commit", written...)
	d.s.did("commit")
}

// refused takes in that a command cannot be carried out. It fails the test where
// that is no answer; else the drafts are given up, none of whose new texts were
// acknowledged.
func (d *desk) refused(a answer, command ...string) {
	d.t.Helper()
	if a.exit != 1 || a.get("message") == "" {
		d.t.Fatalf("%s: %q: status %d: %s%s", d.name, command, a.exit, a.stdout, a.said)
	}
	d.s.did("given up: " + a.get("error_type"))
	if testing.Verbose() {
		d.t.Logf("%s: %q: %s %s", d.name, command, a.get("message"), a.get("details"))
	}
	d.letGo()
}

// letGo gives up all drafts, but one that is like its plan.
func (d *desk) letGo() {
	d.t.Helper()
	d.must("checkout", "--force", d.pick())
	for {
		id := d.must("context").get("ADDITIONAL_PLAN_DIRS.0.thread_id")
		if id == "" {
			return
		}
		d.must("remove-thread", "--thread-id", id)
	}
}

// resolve keeps both texts of every conflict that the drafts have, and reports
// whether there was one.
func (d *desk) resolve() (found bool) {
	d.t.Helper()
	for _, file := range d.files() {
		text := d.load(file)
		if merged := bothTexts(text); merged != text {
			d.save(file, merged)
			found = true
		}
	}
	return found
}

// bothTexts resolves the conflicts of a file by keeping both sides. A field can have
// one value: there ours stays, and what theirs said goes to the end of the text.
func bothTexts(text string) string {
	var out []string
	var sides [2][]string
	side, fences, aside := -1, 0, ""
	for line := range strings.Lines(text) {
		switch {
		case side < 0 && strings.HasPrefix(line, "<<<<<<< "):
			side, sides = 0, [2][]string{}
		case side == 0 && line == "=======\n":
			side = 1
		case side == 1 && strings.HasPrefix(line, ">>>>>>> "):
			side = -1
			kept, other := sides[0], sides[1]
			if len(kept) == 0 || strings.HasPrefix(kept[0], "(removed") {
				kept, other = other, nil
			}
			wholeFile := len(out) == 0
			out = append(out, kept...)
			if fences == 1 || wholeFile {
				aside += strings.Join(other, "")
			} else {
				out = append(out, other...)
			}
			for _, l := range kept {
				if l == "---\n" {
					fences++
				}
			}
		case side >= 0:
			sides[side] = append(sides[side], line)
		default:
			if line == "---\n" {
				fences++
			}
			out = append(out, line)
		}
	}
	merged := strings.Join(out, "")
	for _, m := range markForm.FindAllString(aside, -1) {
		if !strings.Contains(merged, m) {
			merged += m + "\n"
		}
	}
	return merged
}
