package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/plan/diag"
)

type verifyCommand struct {
	*app
	versions bool
}

func newVerify(a *app, cmd *cobra.Command) runner {
	c := &verifyCommand{app: a}
	cmd.Flags().BoolVar(&c.versions, "versions", false, "look only at the commits where a version of a plan begins")
	return c.run
}

// signatureDocument is a commit and its signature as programs see them. Plans
// are those that it changed.
type signatureDocument struct {
	Commit    string      `json:"commit"`
	Plans     []string    `json:"plans"`
	Version   int         `json:"version"`
	Subject   string      `json:"subject"`
	Signature store.Trust `json:"signature"`
	Signer    string      `json:"signer"`
	Key       string      `json:"key"`
}

type verifyDocument struct {
	refusal
	Verified   bool                `json:"verified"`
	Signatures []signatureDocument `json:"signatures"`
}

func (c *verifyCommand) run(ctx context.Context, args []string) error {
	s, err := c.snapshot(ctx)
	if err != nil {
		return err
	}
	docs, err := c.signatures(ctx, s, firstOr(args, c.plan))
	if err != nil {
		return err
	}
	var faults []string
	for _, d := range docs {
		if d.Signature != store.Good && d.Signature != store.Exempt {
			faults = append(faults, d.Commit+": "+string(d.Signature))
		}
	}
	return c.tell(docs, faults)
}

// signatures are those of a plan's revisions, newest first, or without an id those
// of all commits of the store, also those that a merge brought.
func (c *verifyCommand) signatures(ctx context.Context, s *store.Snapshot, id string) ([]signatureDocument, error) {
	s, id, err := upTo(ctx, s, id)
	if err != nil {
		return nil, err
	}
	history, err := historyOf(ctx, s, id)
	if err != nil {
		return nil, err
	}
	if c.versions {
		history = onlyVersions(history)
	}
	changed := map[string]store.Revision{}
	var asked []string
	for _, r := range history {
		changed[r.Commit.Name] = r
		asked = append(asked, r.Commit.Name)
	}
	all := id == "" && !c.versions
	if all && s.Exists() {
		asked = []string{s.Commit}
	}
	found, err := c.repo.Signatures(ctx, asked, all)
	if err != nil {
		return nil, err
	}
	docs := []signatureDocument{}
	for _, f := range found {
		d := signatureDocument{Commit: f.Commit, Plans: []string{}, Signature: f.Trust, Signer: f.Signer, Key: f.Key, Subject: f.Subject}
		for i, o := range changed[f.Commit].Changes {
			if d.Plans = append(d.Plans, o.ID); i == 0 {
				d.Version = o.Version
			}
		}
		docs = append(docs, d)
	}
	return docs, nil
}

// trustSlot is the colour of a signature.
func trustSlot(t store.Trust) term.Slot {
	return cmp.Or(map[store.Trust]term.Slot{
		store.Good: term.Done, store.Exempt: term.Skipped, store.Unsigned: term.Warning, store.Untrusted: term.Warning,
	}[t], term.Error)
}

func (c *verifyCommand) tell(docs []signatureDocument, faults []string) error {
	page := c.newPage()
	worth, signer := 0, 0
	for _, d := range docs {
		worth, signer = max(worth, diag.Width(string(d.Signature))), max(signer, diag.Width(diag.Printable(d.Signer)))
	}
	for _, d := range docs {
		lead := term.Join(shortCommit(d.Commit), term.Say(term.Plain, "  "), term.Say(trustSlot(d.Signature), string(d.Signature)).Pad(worth), term.Say(term.Plain, "  "))
		if signer > 0 {
			lead = term.Join(lead, term.Say(term.Plain, d.Signer).Pad(signer), term.Say(term.Plain, "  "))
		}
		page.Cut(lead, term.Say(term.Plain, d.Subject))
	}
	doc := verifyDocument{refusal{Status: "success"}, len(faults) == 0, docs}
	if !doc.Verified {
		are := map[bool]string{true: "is", false: "are"}[len(faults) == 1]
		doc.refusal = refuse("rejected", faults, "%s %s not signed by anyone you trust: sign with commit.gpgSign, and say who is trusted with gpg.ssh.allowedSignersFile",
			count(len(faults), "commit"), are)
		page.Behind(nil, term.Say(term.Plain, doc.Message))
	}
	return c.answer(doc.refusal, doc, func() error { return page.To(c.Stdout) })
}
