package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// parsedMessage is a commit message in parts.
type parsedMessage struct {
	// head is all before the trailers: the subject and the body.
	head string
	// blocks are the trailers about single plans, rest those about the commit.
	blocks []planTrailers
	rest   []string
}

// planTrailers are the trailers below a trailer "Plan".
type planTrailers struct {
	id    string
	lines []string
}

// parseMessage takes a message apart; ok is false for one without trailers of git
// plan, such as a person's.
func parseMessage(text string) (m parsedMessage, ok bool) {
	text = strings.TrimRight(text, "\n")
	block := strings.TrimLeft(trailerBlock(text), "\n")
	if !isTrailers(block) {
		return m, false
	}
	m.head = strings.TrimRight(strings.TrimSuffix(text, block), "\n")
	for line := range strings.Lines(block) {
		line = strings.TrimRight(line, "\n")
		key, value, _ := strings.Cut(line, ": ")
		switch {
		case key == trailerPlan:
			m.blocks = append(m.blocks, planTrailers{value, []string{line}})
		case len(m.blocks) == 0 || key == trailerAgent || key == trailerChange || !strings.HasPrefix(key, trailerPlan):
			m.rest = append(m.rest, line)
		default:
			b := &m.blocks[len(m.blocks)-1]
			b.lines = append(b.lines, line)
		}
	}
	return m, len(m.blocks) > 0 || len(m.rest) > 0
}

func (m parsedMessage) String() string {
	var lines []string
	for _, b := range m.blocks {
		lines = append(lines, b.lines...)
	}
	return m.head + "\n\n" + strings.Join(append(lines, m.rest...), "\n") + "\n"
}

// replayedMessage is the message of a commit that is made again: as it was, but for
// the trailers that name plans and commits, and for what no longer happens.
func replayedMessage(text string, o *onto, dropped []string, made map[string]string) string {
	m, ok := parseMessage(text)
	if !ok {
		return text
	}
	var before, after []string
	for _, b := range m.blocks {
		before = append(before, b.id)
	}
	for _, p := range o.Plans {
		m.change(p)
	}
	m.blocks = slices.DeleteFunc(m.blocks, func(b planTrailers) bool { return slices.Contains(dropped, b.id) || len(b.lines) == 0 })
	for _, b := range m.blocks {
		after = append(after, b.id)
		for i, line := range b.lines {
			if old, is := strings.CutPrefix(line, trailerReplaces+": "); is && made[old] != "" {
				b.lines[i] = trailerReplaces + ": " + made[old]
			}
		}
	}
	if rest, is := strings.CutPrefix(m.head, strings.Join(before, ", ")+": "); is && !slices.Equal(before, after) && len(after) > 0 {
		m.head = strings.Join(after, ", ") + ": " + rest
	}
	return m.String()
}

// change makes the trailers of a plan say what happens to it now.
func (m *parsedMessage) change(p ontoPlan) {
	i := slices.IndexFunc(m.blocks, func(b planTrailers) bool { return b.id == p.Old })
	if i < 0 || p.ID != p.Old && p.Does.Event == "" {
		return
	}
	b := &m.blocks[i]
	if p.Does.Event == "" && len(p.Does.Occurrences) == 0 && p.Does.After == nil && !p.Does.Removed {
		b.lines = nil // nothing of it is left
		return
	}
	judged := p.Did.After == nil || p.Does.After == nil || plan.DefinitionChanged(p.Did.After, p.Does.After)
	if judged {
		b.lines = slices.DeleteFunc(b.lines, func(line string) bool { return strings.HasPrefix(line, trailerJudge+": ") })
	}
	if p.ID == p.Old && slices.Equal(p.Did.Occurrences, p.Does.Occurrences) && p.Did.Version == p.Does.Version {
		return
	}
	p.Does.ID = p.ID
	m.head = rewordedHead(m.head, p)
	var text strings.Builder
	p.Does.trailers(&text)
	lines := strings.Split(strings.TrimRight(text.String(), "\n"), "\n")
	for _, line := range b.lines { // such as the commit that a check passed on
		key, _, _ := strings.Cut(line, ": ")
		if key == trailerReplaces || key == trailerJudge || slices.Equal(p.Did.Occurrences, p.Does.Occurrences) && (key == trailerCode || key == trailerTree) {
			lines = append(lines, line)
		}
	}
	b.id, b.lines = p.ID, lines
}

// rewordedHead gives the subject that says what happens now, if git plan worded it.
func rewordedHead(head string, p ontoPlan) string {
	subject, rest, _ := strings.Cut(head, "\n")
	did := p.Did
	did.ID = p.Old
	if subject != p.Old+": "+what([]Outcome{did}) {
		if text, is := strings.CutPrefix(subject, p.Old+": "); is && p.ID != p.Old {
			subject = p.ID + ": " + text
		}
	} else if len(p.Lost) > 0 && p.Lost[0].Note != "" {
		subject = fmt.Sprintf("%s: note a lost report on %s", p.ID, p.Lost[0].Task)
	} else {
		subject = p.ID + ": " + what([]Outcome{p.Does})
	}
	if rest == "" {
		return subject
	}
	return subject + "\n" + rest
}

// changesOf gives the identities of the changes that a commit holds: of one that
// git plan did not make, the beginning of its name.
func changesOf(commit, message string) []string {
	var ids []string
	for line := range strings.Lines(message) { // a squash on a forge has all messages
		if id, is := strings.CutPrefix(strings.TrimRight(line, " \r\n"), trailerChange+": "); is && !slices.Contains(ids, id) && isChangeID(id) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		ids = append(ids, commit[:16])
	}
	return ids
}

// isChangeID reports whether a text can be part of a ref's name.
func isChangeID(id string) bool {
	return id != "" && len(id) <= 128 && strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == ""
}

// joinedMessage is the message of several commits that become one of a plan.
// Identities are those that it has, none for a new one.
func joinedMessage(steps []*replayStep, outcomes []Outcome, identities []string) string {
	last := steps[len(steps)-1].commit
	subject, _, _ := strings.Cut(last.Message, "\n")
	_, text, named := strings.Cut(subject, ": ")
	if !named {
		text = subject
	}
	m := Message{Subject: text, Agent: trailer(last.Message, trailerAgent)}
	var others []string
	for _, s := range steps[:len(steps)-1] {
		first, more, _ := strings.Cut(strings.TrimSpace(s.commit.Message), "\n")
		line := "* " + first
		if s.commit.Author.Email != last.Author.Email {
			line += fmt.Sprintf(" (by %s <%s>)", s.commit.Author.Name, s.commit.Author.Email)
		}
		others = append(others, line)
		if body := bodyOf(more); body != "" {
			others = append(others, body)
		}
	}
	if len(others) > 0 {
		m.Body = append(m.Body, "Together with\n"+strings.Join(others, "\n"))
	}
	if body := bodyOf(strings.TrimPrefix(last.Message, subject)); body != "" {
		m.Body = append(m.Body, body)
	}
	if m.Changes = identities; len(identities) == 0 {
		m.Changes = []string{NewChange()}
	}
	if len(outcomes) == 0 {
		return subject + "\n\n" + strings.Join(m.Body, "\n\n") + "\n\n" + trailerChange + ": " + strings.Join(m.Changes, "\n"+trailerChange+": ") + "\n"
	}
	return message(m, outcomes)
}

// identitiesOf gives the identities of the changes that steps hold, each once.
func identitiesOf(steps []*replayStep) (ids []string) {
	for _, s := range steps {
		for _, id := range s.changes {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// bodyOf gives the body of a message without its trailers.
func bodyOf(text string) string {
	text = strings.TrimSpace(text)
	if block := strings.TrimLeft(trailerBlock(text), "\n"); isTrailers(block) {
		text = strings.TrimSpace(strings.TrimSuffix(text, block))
	}
	return text
}
