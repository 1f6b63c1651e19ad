package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// ForgetRef removes another ref that is broken, such as one that remembers where
// a remote is: git cannot fetch past it, and the next fetch makes it again. One
// that can be read stays.
func (s *Store) ForgetRef(ctx context.Context, ref string) error {
	var broken *BrokenRefError
	if _, err := s.TipOf(ctx, ref); !errors.As(err, &broken) {
		return err
	}
	if data, err := s.repo.refFile(ref); err != nil {
		return err
	} else if data == nil { // it names an object, or is in a reftable: git can remove it
		_, err := s.repo.Git.Write(ctx, nil, "update-ref", "--no-deref", "-d", "--end-of-options", ref)
		return asReadOnly(ref, err)
	}
	lock, err := s.repo.lockRef(ref)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close(); _ = os.Remove(lock.Name()) }()
	if data, err := s.repo.refFile(ref); err != nil || data == nil {
		return errors.Join(err, fmt.Errorf("%s changed meanwhile; run 'git plan doctor' again", ref))
	}
	return asReadOnly(ref, os.Remove(s.repo.refPath(ref)))
}
