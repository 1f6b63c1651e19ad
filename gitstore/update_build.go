package gitstore

import (
	"maps"
	"strings"
	"unicode/utf8"
)

// build writes the objects of all changes and returns the commits' names and
// the objects the changes graft, with their types.
func (u *update) build(out *packWriter, changes []Change) (commits []string, graft map[string]string, err error) {
	graft = map[string]string{}
	for _, c := range changes {
		maps.Copy(graft, namedObjects(u.store.repo, c))
	}
	if err := u.store.repo.checkObjects(u.ctx, graft); err != nil { // before anything builds on them
		return nil, nil, err
	}
	b := &builder{ctx: u.ctx, store: u.store, out: out, fresh: map[string][]Entry{}}
	trees := map[string]string{} // of the commits made here
	previous := ""
	for _, c := range changes {
		if c.Existing != "" {
			there, err := u.store.Commit(u.ctx, c.Existing)
			if err != nil {
				return nil, nil, err
			}
			previous, trees[c.Existing] = c.Existing, there.Tree
			commits = append(commits, previous)
			continue
		}
		object, err := u.commitObject(b, c, previous, trees)
		if err != nil {
			return nil, nil, err
		}
		if previous, err = out.commit(object); err != nil {
			return nil, nil, err
		}
		trees[previous] = object.tree
		commits = append(commits, previous)
	}
	return commits, graft, nil
}

// namedObjects gives the objects that a change names, with their types.
func namedObjects(r *Repo, c Change) map[string]string {
	types := map[string]string{}
	if c.Existing != "" {
		types[c.Existing] = "commit"
	}
	for _, p := range c.Parents {
		if r.isName(p) && p != c.Base { // the base is read anyway
			types[p] = "commit"
		}
	}
	for _, f := range c.Files {
		if r.isName(f.Object) && !f.Delete {
			types[f.Object] = Entry{Mode: f.mode()}.kind()
		}
	}
	return types
}

// commitObject works out one commit.
func (u *update) commitObject(b *builder, c Change, previous string, trees map[string]string) (commitObject, error) {
	var object commitObject
	if err := checkMessage(c); err != nil {
		return object, err
	}
	base, err := u.baseTree(c.Base, previous, trees)
	if err != nil {
		return object, err
	}
	if object.tree, err = b.tree(base, c.Files); err != nil {
		return object, err
	}
	if object.parents, err = u.parents(c, previous); err != nil {
		return object, err
	}
	if object.author, err = choose(c.Author, u.who.author); err != nil {
		return object, err
	}
	if object.committer, err = choose(c.Committer, u.who.committer); err != nil {
		return object, err
	}
	if !c.Unsigned {
		config, err := u.store.repo.Config(u.ctx)
		if err != nil {
			return object, err
		}
		if object.sign, err = config.Bool("commit.gpgSign", false); err != nil {
			return object, err
		}
	}
	object.message = strings.TrimSuffix(c.Message, "\n") + "\n"
	return object, nil
}

// baseTree gives the tree that a change's files apply to.
func (u *update) baseTree(base, previous string, trees map[string]string) (string, error) {
	switch base {
	case "":
		return u.store.repo.EmptyTree(), nil
	case Previous:
		if previous == "" {
			return "", &ChangeError{Reason: "the first change has none before it"}
		}
		return trees[previous], nil
	}
	c, err := u.store.Commit(u.ctx, base)
	if err != nil {
		return "", err
	}
	return c.Tree, nil
}

// parents gives a change's parents, each once, as git would record them.
func (u *update) parents(c Change, previous string) ([]string, error) {
	if c.Root != (len(c.Parents) == 0) {
		return nil, &ChangeError{Reason: "a commit has parents or is a root"}
	}
	var parents []string
	seen := map[string]bool{}
	for _, p := range c.Parents {
		if p == Previous {
			p = previous
		}
		if !u.store.repo.isName(p) {
			return nil, &ChangeError{Reason: "'" + p + "' is no commit"}
		}
		if !seen[p] {
			seen[p] = true
			parents = append(parents, p)
		}
	}
	return parents, nil
}

// checkMessage refuses a message git would refuse or rewrite.
func checkMessage(c Change) error {
	if strings.TrimSpace(c.Message) == "" {
		return &ChangeError{Reason: "the message is empty"}
	}
	if !utf8.ValidString(c.Message) || strings.Contains(c.Message, "\x00") {
		return &ChangeError{Reason: "the message is not plain UTF-8 text"}
	}
	return nil
}
