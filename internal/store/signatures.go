package store

import (
	"bytes"
	"context"
	"slices"
	"strings"
)

// signing reads signatures of commits.
type signing struct{ repo *Repo }

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

// The fields that git is asked for, split by unit separators; the subject, which may
// hold one, comes last. How far a key is trusted is asked for by itself: git 2.37 to
// 2.39 end with a complaint about themselves where a signature is none that can be
// checked.
const (
	commitFormat    = "%H%x1f%s"
	signatureFormat = "%H%x1f%G?%x1f%GF%x1f%GS"
	trustFormat     = "%H%x1f%GT"
)

// trustLevels are git's words for how far a key is trusted, the least first.
func trustLevels() []string { return []string{"undefined", "never", "marginal", "fully", "ultimate"} }

// Signatures asks git about the signatures of commits: those that are given,
// or with walk all that lead to them. Names after "^" are left out with what
// leads to them. The order is git's.
func (r *Repo) Signatures(ctx context.Context, commits []string, walk bool) ([]Signature, error) {
	records, err := signing{r}.logOf(ctx, commitFormat, commits, walk)
	if err != nil {
		return nil, err
	}
	signatures := make([]Signature, len(records))
	var signed []string
	for i, fields := range records {
		signatures[i] = Signature{Commit: fields[0], Subject: fields[1]}
		if signatures[i].Trust, err = (signing{r}).unasked(ctx, fields[0]); err != nil {
			return nil, err
		}
		if signatures[i].Trust == "" {
			signed = append(signed, fields[0])
		}
	}
	found, err := signing{r}.checked(ctx, signed)
	if err != nil {
		return nil, err
	}
	for i, s := range signatures {
		if s.Trust == "" {
			signatures[i].Trust, signatures[i].Key, signatures[i].Signer = found[s.Commit].Trust, found[s.Commit].Key, found[s.Commit].Signer
		}
	}
	return signatures, nil
}

// unasked says what a commit's signature is worth where git need not be asked, or
// must not be: at one of a kind that it does not know, it ends.
func (g signing) unasked(ctx context.Context, commit string) (Trust, error) {
	if isRoot(commit) {
		return Exempt, nil
	}
	c, err := g.repo.Store.Commit(ctx, commit)
	switch {
	case err != nil:
		return "", err
	case c.Signature == "":
		return Unsigned, nil
	case !slices.ContainsFunc(signatureKinds(), func(begin string) bool { return strings.HasPrefix(c.Signature, begin) }):
		return Bad, nil
	}
	return "", nil
}

// signatureKinds are what the signatures begin with that git knows: of OpenPGP,
// X.509 and SSH.
func signatureKinds() []string {
	return []string{"-----BEGIN PGP SIGNATURE-----", "-----BEGIN PGP MESSAGE-----", "-----BEGIN SIGNED MESSAGE-----", "-----BEGIN SSH SIGNATURE-----"}
}

// checked asks git what the signatures of commits are worth that carry one.
func (g signing) checked(ctx context.Context, commits []string) (map[string]Signature, error) {
	records, err := g.logOf(ctx, signatureFormat, commits, false)
	if err != nil {
		return nil, err
	}
	found := map[string]Signature{}
	for _, fields := range records {
		found[fields[0]] = Signature{Trust: trustOf(fields[1]), Key: fields[2], Signer: strings.TrimSpace(fields[3])}
	}
	return found, g.weighTrust(ctx, found)
}

// logOf asks git for fields of commits, one record for each.
func (g signing) logOf(ctx context.Context, format string, commits []string, walk bool) (records [][]string, err error) {
	if len(commits) == 0 {
		return nil, nil // git would take HEAD
	}
	args := []string{"log", "-z", "--no-show-signature", "--no-patch", "--format=" + format, "--stdin"}
	if !walk {
		args = append(args, "--no-walk=unsorted")
	}
	out, err := g.repo.Git.ReadInput(ctx, strings.NewReader(strings.Join(commits, "\n")+"\n"), args...)
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

// weighTrust applies gpg.minTrustLevel to sound signatures, as `git merge
// --verify-signatures` does: the state that git prints does not. Without it a key
// must be trusted marginally. Who signs by an SSH key that nobody is named for has
// no name, and is no signer whatever is asked for.
func (g signing) weighTrust(ctx context.Context, found map[string]Signature) error {
	least := g.leastTrust()
	if least < 0 {
		return nil
	}
	var sound []string
	for commit, s := range found {
		if s.Trust == Good || s.Trust == Untrusted && s.Signer != "" {
			sound = append(sound, commit)
		}
	}
	records, err := g.logOf(ctx, trustFormat, sound, false)
	if err != nil {
		return err
	}
	for _, fields := range records {
		s := found[fields[0]]
		s.Trust = Good
		if slices.Index(trustLevels(), fields[1]) < least {
			s.Trust = Untrusted
		}
		found[fields[0]] = s
	}
	return nil
}

// leastTrust is the place in [trustLevels] of the least that gpg.minTrustLevel
// asks for, negative where it does not; git itself refuses a word that is none of
// them.
func (g signing) leastTrust() int {
	level, _ := g.repo.Config.Get("gpg.minTrustLevel")
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
	case "E", "N": // N of a commit that is signed: git has no list of signers to look in
		return Unverifiable
	}
	return Bad
}
