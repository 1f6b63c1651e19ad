package planrepo

import (
	"bytes"
	"context"
	"slices"
	"strings"
)

// Trust says what a signature is worth, in the words of git's own states.
type Trust string

// What git says of a signature, by the key and the signers that this machine
// knows. Only Good is a signature by somebody it trusts.
const (
	Good         Trust = "good"
	Bad          Trust = "bad"
	Untrusted    Trust = "untrusted"
	Expired      Trust = "expired"
	Revoked      Trust = "revoked"
	Unverifiable Trust = "unverifiable"
	Unsigned     Trust = "unsigned"
	// Exempt is the commit that every store begins with. It is the same
	// everywhere, so nobody can have signed it. Another one that is as empty is
	// somebody's own.
	Exempt Trust = "exempt"
)

// Signature is what git says of a commit's signature.
type Signature struct {
	Commit string
	Trust  Trust
	// Signer and Key are as git tells them; empty where it knows none.
	Signer, Key string
	// Subject is the first line of the commit's message.
	Subject string
}

// signatureFormat has the fields of a [Signature], split by unit separators; the
// subject, which may hold one, comes last. How far the key is trusted is asked
// for by itself: git 2.37 to 2.39 end with a complaint about themselves where a
// signature is none that can be checked.
const (
	signatureFormat = "%H%x1f%G?%x1f%GF%x1f%GS%x1f%s"
	trustFormat     = "%H%x1f%GT"
)

// trustLevels are git's words for how far a key is trusted, the least first.
func trustLevels() []string { return []string{"undefined", "never", "marginal", "fully", "ultimate"} }

// Signatures asks git about the signatures of commits: those that are given,
// or with walk all that lead to them. Names after "^" are left out with what
// leads to them. The order is git's.
func (r *Repo) Signatures(ctx context.Context, commits []string, walk bool) ([]Signature, error) {
	records, err := r.logOf(ctx, signatureFormat, commits, walk)
	if err != nil {
		return nil, err
	}
	var signatures []Signature
	for _, fields := range records {
		s := Signature{Commit: fields[0], Trust: trustOf(fields[1]), Key: fields[2], Signer: strings.TrimSpace(fields[3]), Subject: fields[4]}
		if isRoot(s.Commit) {
			s.Trust = Exempt
		}
		signatures = append(signatures, s)
	}
	return signatures, r.distrust(ctx, signatures)
}

// logOf asks git for fields of commits, one record for each.
func (r *Repo) logOf(ctx context.Context, format string, commits []string, walk bool) (records [][]string, err error) {
	if len(commits) == 0 {
		return nil, nil // git would take HEAD
	}
	args := []string{"log", "-z", "--no-show-signature", "--no-patch", "--format=" + format, "--stdin"}
	if !walk {
		args = append(args, "--no-walk=unsorted")
	}
	out, err := r.Git.ReadInput(ctx, strings.NewReader(strings.Join(commits, "\n")+"\n"), args...)
	if err != nil {
		return nil, err
	}
	n := strings.Count(format, "%x1f") + 1
	for _, record := range bytes.Split(bytes.TrimRight(out, "\x00"), []byte{0}) {
		if fields := strings.SplitN(string(record), "\x1f", n); len(fields) == n {
			records = append(records, fields)
		}
	}
	return records, nil
}

// distrust marks the good signatures by keys that are trusted less far than
// gpg.minTrustLevel asks for, as `git verify-commit` does: the state that git
// prints does not tell.
func (r *Repo) distrust(ctx context.Context, signatures []Signature) error {
	least := r.leastTrust()
	if least <= 0 {
		return nil
	}
	var good []string
	for _, s := range signatures {
		if s.Trust == Good {
			good = append(good, s.Commit)
		}
	}
	records, err := r.logOf(ctx, trustFormat, good, false)
	if err != nil {
		return err
	}
	levels := map[string]string{}
	for _, fields := range records {
		levels[fields[0]] = fields[1]
	}
	for i, s := range signatures {
		if s.Trust == Good && slices.Index(trustLevels(), levels[s.Commit]) < least {
			signatures[i].Trust = Untrusted
		}
	}
	return nil
}

// leastTrust is the place in [trustLevels] of the least that gpg.minTrustLevel
// asks for; git itself refuses a word that is none of them.
func (r *Repo) leastTrust() int {
	level, _ := r.Config.Get("gpg.minTrustLevel")
	return slices.Index(trustLevels(), strings.ToLower(level))
}

// trustOf reads the state that git prints for %G?.
func trustOf(state string) Trust {
	switch state {
	case "G":
		return Good
	case "U":
		return Untrusted
	case "X", "Y":
		return Expired
	case "R":
		return Revoked
	case "E":
		return Unverifiable
	case "N":
		return Unsigned
	}
	return Bad
}
