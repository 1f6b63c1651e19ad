package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
)

// caches are files of what was worked out from plans, in the git directory.
type caches struct{ repo *Repo }

// The cache lies in <common-dir>/git-plan/cache. It holds nothing that cannot
// be made again: a file that is missing, cut short, damaged or of another
// format is as good as none, and where the git directory cannot be written
// there is no cache. A file is replaced as a whole, so that readers beside a
// writer see one state or the other.

// The formats of the files; a change of what a summary means needs a new one.
const (
	summariesFormat = "git-plan summaries 1"
	updatedFormat   = "git-plan updated 1"
	namedFormat     = "git-plan named 1"
)

func (in caches) cacheFile(name string) string {
	return filepath.Join(in.repo.CommonDir, "git-plan", "cache", name)
}

// readCache gives the lines of a cache file after its head, or nil.
func (in caches) readCache(name, format string) (head string, lines []string) {
	data, err := os.ReadFile(in.cacheFile(name))
	if err != nil {
		return "", nil
	}
	text, sum, ok := strings.Cut(string(data), "\nend ")
	if !ok || strings.TrimSpace(sum) != gitstore.Checksum(text) {
		return "", nil
	}
	head, rest, _ := strings.Cut(text, "\n")
	if head, ok = strings.CutPrefix(head+" ", format+" "); !ok { // format 10 is not format 1
		return "", nil
	}
	return strings.TrimSpace(head), strings.Split(rest, "\n")
}

// writeCache replaces a cache file. That it cannot be written is no fault.
func (in caches) writeCache(name, head string, body []byte) {
	file := in.cacheFile(name)
	if os.MkdirAll(filepath.Dir(file), 0o777) != nil {
		return
	}
	text := head + "\n" + strings.TrimSuffix(string(body), "\n")
	_ = WriteFile(file, []byte(text+"\nend "+gitstore.Checksum(text)+"\n"))
}

// summaries is the cache of what lists need of each plan. The key holds the
// tree's name, so an entry is never out of date.
type summaries struct{ entries map[Location]Summary }

func (in caches) readSummaries() summaries {
	_, lines := in.readCache("summaries", summariesFormat)
	c := summaries{make(map[Location]Summary, len(lines))}
	for _, line := range lines {
		if s, ok := parseSummary(line); ok {
			c.entries[s.Location] = s
		}
	}
	return c
}

// writeSummaries keeps the summaries made now and, while they are not many
// more, those of other plans.
func (in caches) writeSummaries(old summaries, where []Location, made []Summary) {
	var b []byte
	now := make(map[Location]bool, len(where))
	for i, l := range where {
		now[l] = true
		made[i].Location = l
		if !made[i].Damaged {
			b = formatSummary(b, made[i])
		}
	}
	const spare = 1000
	if len(old.entries) < 2*len(where)+spare {
		for l, s := range old.entries {
			if !now[l] {
				b = formatSummary(b, s)
			}
		}
	}
	in.writeCache("summaries", summariesFormat, b)
}

// summaryFields are the columns of a line: path, tree, status, ten numbers,
// title, goal.
const summaryFields = 15

// formatSummary appends a line; there are ten thousand.
func formatSummary(b []byte, s Summary) []byte {
	p := s.Progress
	b = append(append(append(append(append(b, s.Path...), '\t'), s.Tree...), '\t'), s.Status...)
	for _, n := range [...]int{s.Version, p.Total, p.Done, p.Active, p.Blocked, p.Pending, p.Skipped, p.Failed, s.Ready, s.Errors} {
		b = strconv.AppendInt(append(b, '\t'), int64(n), 10)
	}
	b = strconv.AppendQuote(append(b, '\t'), s.Title)
	b = strconv.AppendQuote(append(b, '\t'), s.Goal)
	return append(b, '\n')
}

func parseSummary(line string) (Summary, bool) {
	f := strings.Split(line, "\t")
	if len(f) != summaryFields {
		return Summary{}, false
	}
	var n [10]int
	for i := range n {
		v, err := strconv.Atoi(f[3+i])
		if err != nil {
			return Summary{}, false
		}
		n[i] = v
	}
	title, err := strconv.Unquote(f[13])
	goal, err2 := strconv.Unquote(f[14])
	if err != nil || err2 != nil {
		return Summary{}, false
	}
	id := f[0][strings.LastIndexByte(f[0], '/')+1:]
	return Summary{
		Location: Location{id, f[0], f[1]}, Status: plan.PlanStatus(f[2]), Version: n[0], Ready: n[8], Errors: n[9], Title: title, Goal: goal,
		Progress: plan.Progress{Total: n[1], Done: n[2], Active: n[3], Blocked: n[4], Pending: n[5], Skipped: n[6], Failed: n[7]},
	}, true
}

// readUpdated gives the table of last changes and the commit it is right for.
func (in caches) readUpdated() (commit string, table map[string]time.Time) {
	commit, lines := in.readCache("updated", updatedFormat)
	table = make(map[string]time.Time, len(lines))
	for _, line := range lines {
		path, seconds, _ := strings.Cut(line, "\t")
		if n, err := strconv.ParseInt(seconds, 10, 64); err == nil {
			table[path] = time.Unix(n, 0).UTC()
		}
	}
	return commit, table
}

func (in caches) writeUpdated(commit string, table map[string]time.Time) {
	var b bytes.Buffer
	for path, at := range table {
		fmt.Fprintf(&b, "%s\t%d\n", path, at.Unix())
	}
	in.writeCache("updated", updatedFormat+" "+commit, b.Bytes())
}
