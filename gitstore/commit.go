package gitstore

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Commit is a commit's header and message.
type Commit struct {
	// Name and Tree are object names.
	Name, Tree string
	// Parents are the names of the parents, the first parent first.
	Parents []string
	// Author and Committer are as stored; a malformed one is read as far as
	// that goes, with a zero time.
	Author, Committer Ident
	// Message is the whole message, byte for byte.
	Message string
	// Signature is the first line of the signature that git looks at, which says
	// what made it, or empty where there is none.
	Signature string
}

// Ident is a person and a moment.
type Ident struct {
	// Name and Email are as git stores them, without angle brackets.
	Name, Email string
	// When has a precision of seconds and keeps its time zone.
	When time.Time
}

// Commit reads the commit with the given object name.
func (s *objects) Commit(ctx context.Context, name string) (*Commit, error) {
	data, err := s.read(ctx, name, "commit", maxMeta)
	if err != nil {
		return nil, err
	}
	return decodeCommit(name, string(data))
}

// decodeCommit reads the content of a commit object, what matters where git
// reads it: the tree in the first line, the parents right below it. Another one
// further down must not hide what git checks out.
func decodeCommit(name, data string) (*Commit, error) {
	c := &Commit{Name: name}
	header, message, _ := strings.Cut(data, "\n\n")
	c.Message = message
	first, rest, _ := strings.Cut(header, "\n")
	var ok bool
	if c.Tree, ok = strings.CutPrefix(first, "tree "); !ok || strings.Trim(c.Tree, "0123456789abcdef") != "" || len(c.Tree) != len(name) {
		return nil, &CorruptObjectError{name, "the commit names no tree"}
	}
	for strings.HasPrefix(rest, "parent ") {
		first, rest, _ = strings.Cut(rest, "\n")
		c.Parents = append(c.Parents, strings.TrimPrefix(first, "parent "))
	}
	signature := "gpgsig" // a commit that two hash functions name can carry one for each
	if len(name) == 2*sha256.Size {
		signature = "gpgsig-sha256"
	}
	for line := range strings.SplitSeq(rest, "\n") {
		switch key, value, signed := strings.Cut(line, " "); key {
		case "author":
			c.Author = parseIdent(value)
		case "committer":
			c.Committer = parseIdent(value)
		case signature:
			if signed && c.Signature == "" {
				c.Signature = value
			}
		}
	}
	return c, nil
}

// parseIdent reads "Name <email> seconds zone" as leniently as git shows it.
func parseIdent(text string) Ident {
	open, shut := strings.IndexByte(text, '<'), strings.LastIndexByte(text, '>')
	if open < 0 || shut < open {
		return Ident{Name: strings.TrimSpace(text)}
	}
	id := Ident{Name: strings.TrimSpace(text[:open]), Email: text[open+1 : shut]}
	fields := strings.Fields(text[shut+1:])
	if len(fields) != 2 {
		return id
	}
	seconds, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return id
	}
	id.When = time.Unix(seconds, 0).In(parseZone(fields[1]))
	return id
}

// parseZone reads "+hhmm"; what is not one is UTC.
func parseZone(text string) *time.Location {
	number, err := strconv.Atoi(text)
	if err != nil || number == 0 {
		return time.UTC
	}
	return time.FixedZone("", (number/100*60+number%100)*60)
}

// String writes the identity as a commit has it.
func (id Ident) String() string {
	return fmt.Sprintf("%s <%s> %s", id.Name, id.Email, id.date())
}

// date writes the moment as "seconds zone".
func (id Ident) date() string {
	_, offset := id.When.Zone()
	sign, minutes := '+', offset/60
	if minutes < 0 {
		sign, minutes = '-', -minutes
	}
	return fmt.Sprintf("%d %c%02d%02d", id.When.Unix(), sign, minutes/60, minutes%60)
}

// clean gives the identity as git would store it: without the characters git
// strips, with a moment. It fails where git would refuse.
func (id Ident) clean() (Ident, error) {
	id.Name, id.Email = cleanPart(id.Name), cleanPart(id.Email)
	return id.dated()
}

// dated gives the identity with a moment.
func (id Ident) dated() (Ident, error) {
	if id.Name == "" {
		return id, &ChangeError{Reason: fmt.Sprintf("the identity <%s> has no name; set user.name", id.Email)}
	}
	if id.When.IsZero() {
		id.When = time.Now()
	}
	if id.When.Unix() < 0 {
		return id, &ChangeError{Reason: "the date is before 1970"}
	}
	return id, nil
}

// cleanPart strips what git strips from a name or an email address: some
// punctuation at its ends, and anywhere what would end it.
func cleanPart(text string) string {
	text = strings.TrimFunc(text, func(r rune) bool {
		return r <= ' ' || strings.ContainsRune(".,:;<>\"\\'", r)
	})
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("<>\n\x00", r) {
			return -1
		}
		return r
	}, text)
}
