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
// subject, which may hold one, comes last.
const signatureFormat = "%H%x1f%G?%x1f%GF%x1f%GT%x1f%GS%x1f%s"

// trustLevels are git's words for how far a key is trusted, the least first.
func trustLevels() []string { return []string{"undefined", "never", "marginal", "fully", "ultimate"} }

// Signatures asks git about the signatures of commits: those that are given,
// or with walk all that lead to them. Names after "^" are left out with what
// leads to them. The order is git's.
func (r *Repo) Signatures(ctx context.Context, commits []string, walk bool) ([]Signature, error) {
	args := []string{"log", "-z", "--no-show-signature", "--no-patch", "--format=" + signatureFormat, "--stdin"}
	if !walk {
		args = append(args, "--no-walk=unsorted")
	}
	if len(commits) == 0 {
		return nil, nil // git would take HEAD
	}
	out, err := r.Git.ReadInput(ctx, strings.NewReader(strings.Join(commits, "\n")+"\n"), args...)
	if err != nil {
		return nil, err
	}
	least := r.leastTrust()
	var signatures []Signature
	for _, record := range bytes.Split(bytes.TrimRight(out, "\x00"), []byte{0}) {
		fields := strings.SplitN(string(record), "\x1f", 6)
		if len(fields) < 6 {
			continue
		}
		s := Signature{Commit: fields[0], Trust: trustOf(fields[1]), Key: fields[2], Signer: strings.TrimSpace(fields[4]), Subject: fields[5]}
		if s.Trust == Good && slices.Index(trustLevels(), fields[3]) < least {
			s.Trust = Untrusted // as `git verify-commit` has it; the state that git prints does not tell
		}
		if isRoot(s.Commit) {
			s.Trust = Exempt
		}
		signatures = append(signatures, s)
	}
	return signatures, nil
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
