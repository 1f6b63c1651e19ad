package web

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// pageSize is how many plans a page of the list has.
const pageSize = 50

// filter is what a person wants to see of the list.
type filter struct {
	text     string
	status   plan.PlanStatus // empty for all
	archived bool
	page     int // from 1
}

// link leads to the page of the list that the filter asks for. In static pages a
// script filters, and a link leads to the page alone.
func (f filter) link(l links) string {
	if l.Static {
		return l.To(staticListPath(f.page))
	}
	v := url.Values{}
	if f.text != "" {
		v.Set("q", f.text)
	}
	if f.status != "" {
		v.Set("status", string(f.status))
	}
	if f.archived {
		v.Set("archived", "1")
	}
	if f.page > 1 {
		v.Set("page", fmt.Sprint(f.page))
	}
	link := l.To(listPath)
	if len(v) > 0 {
		link += "?" + v.Encode()
	}
	return link
}

// listPage is the list of plans.
type listPage struct {
	Query    string
	Archived bool
	// Chips are the statuses to choose from.
	Chips []chip
	// ArchivedLink shows archived plans, or hides them.
	ArchivedLink string
	ArchivedMany int
	Cards        []card
	Total        int
	From, To     int
	Newer, Older string
	// Unread counts the plans whose tasks the search did not look at yet.
	Unread int
	NoStore,
	Static bool
}

// chip is a status to choose, with how many plans have it.
type chip struct {
	Link, Word string
	Mark       mark
	Count      int
	Chosen     bool
}

// list makes the list, of which a server shows one page as the filter
// asks. Static pages know no filter but the page.
func (v *Viewer) list(ctx context.Context, s *state, f filter, l links) (frame, error) {
	plans, err := s.list(ctx)
	if err != nil {
		return frame{}, err
	}
	out := &listPage{Query: f.text, Archived: f.archived, NoStore: !s.Exists(), Static: l.Static}
	words := queryOf(f.text)
	found := slices.DeleteFunc(slices.Clone(plans), func(sum store.Summary) bool {
		if len(words) == 0 {
			return false
		}
		text, known := v.store.wordsOf(sum)
		if !known {
			out.Unread++
		}
		return !hasAll(text, words)
	})
	shown := out.choose(found, f, l)
	out.cut(shown, f, l)
	for i := range out.Cards {
		if len(words) > 0 {
			if err := v.hits(ctx, s, &out.Cards[i], words, l); err != nil {
				return frame{}, err
			}
		}
	}
	return frame{Title: "Plans", Here: "list", Content: "list.html", Data: out, Query: f.text}, nil
}

// choose counts the plans by status and gives those that are wanted.
func (out *listPage) choose(found []store.Summary, f filter, l links) []store.Summary {
	count := map[plan.PlanStatus]int{}
	var there, shown []store.Summary
	for _, s := range found {
		if s.Archived() {
			out.ArchivedMany++
		}
		if !s.Archived() || f.archived {
			there = append(there, s)
			count[s.Status]++
		}
	}
	out.Chips = append(out.Chips, chip{Link: filter{f.text, "", f.archived, 1}.link(l), Word: "all", Count: len(there), Chosen: f.status == ""})
	for _, s := range plan.PlanStatuses() {
		if count[s] > 0 || f.status == s {
			m := planMark(s)
			out.Chips = append(out.Chips, chip{filter{f.text, s, f.archived, 1}.link(l), m.Word, m, count[s], f.status == s})
		}
	}
	out.ArchivedLink = filter{f.text, f.status, !f.archived, 1}.link(l)
	for _, s := range there {
		if f.status == "" || s.Status == f.status {
			shown = append(shown, s)
		}
	}
	return shown
}

// cut takes the page that is wanted.
func (out *listPage) cut(shown []store.Summary, f filter, l links) {
	out.Total = len(shown)
	pages := max(1, (len(shown)+pageSize-1)/pageSize)
	page := min(max(1, f.page), pages)
	from, to := (page-1)*pageSize, min(page*pageSize, len(shown))
	out.From, out.To = from+1, to
	if page > 1 {
		out.Newer = filter{f.text, f.status, f.archived, page - 1}.link(l)
	}
	if page < pages {
		out.Older = filter{f.text, f.status, f.archived, page + 1}.link(l)
	}
	for _, s := range shown[from:to] {
		out.Cards = append(out.Cards, cardOf(s, l))
	}
}

// staticListPath is the path of a page of the list among static pages.
func staticListPath(n int) string {
	if n == 1 {
		return listPath
	}
	return fmt.Sprintf("page-%d", n)
}

// maxHits is how many tasks are named below a plan that a search found.
const maxHits = 3

// hits names the tasks of a plan that a search found.
func (v *Viewer) hits(ctx context.Context, s *state, c *card, words []string, l links) error {
	if hasAll(strings.ToLower(c.ID+"\n"+c.Title+"\n"+c.Goal), words) {
		return nil
	}
	stored, err := s.Load(ctx, c.ID)
	if err != nil {
		return err
	}
	found := &view{Plan: stored.Plan, links: l}
	for _, t := range found.All() {
		text := taskWords(t)
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) }) {
			if c.Hits = append(c.Hits, node{t, found}); len(c.Hits) == maxHits {
				break
			}
		}
	}
	return nil
}

// column is a column of a board.
type column struct {
	Mark  mark
	Cards []card
	Tasks []node
	Total int
	// More leads to what the column has no room for.
	More string
}

// columnSize is how many plans or tasks a column of a board shows.
const columnSize = 50

// board puts plans into columns by status; archived ones are left out.
func (v *Viewer) board(ctx context.Context, s *state, l links) (frame, error) {
	plans, err := s.list(ctx)
	if err != nil {
		return frame{}, err
	}
	var out []column
	for _, status := range plan.PlanStatuses() {
		c := column{Mark: planMark(status), More: filter{status: status, page: 1}.link(l)}
		for _, sum := range plans {
			if sum.Archived() || sum.Status != status {
				continue
			}
			if c.Total++; c.Total <= columnSize {
				c.Cards = append(c.Cards, cardOf(sum, l))
			}
		}
		if c.Total > 0 || status == plan.Draft || status == plan.PlanInProgress || status == plan.Complete {
			out = append(out, c)
		}
	}
	return frame{Title: "Board", Here: "board", Content: "board.html", Data: out}, nil
}
