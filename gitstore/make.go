package gitstore

import "context"

// Make writes the commits of changes, and what they need, without moving any ref.
// It gives their names, in the order of the changes. Git keeps what no ref reaches
// for two weeks.
func (s *Store) Make(ctx context.Context, changes []Change) ([]string, error) {
	out := s.newWriter(ctx)
	defer out.close()
	u := &update{ctx: ctx, store: s, who: s.repo.askIdentities(ctx)}
	commits, _, err := u.build(out, changes)
	if err != nil {
		return nil, err
	}
	return commits, out.flush()
}
