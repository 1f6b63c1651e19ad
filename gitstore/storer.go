package gitstore

import (
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// objectStorer lets go-git's decoders read from an object database. It does not
// write and does not list.
type objectStorer struct{ db *objectDB }

var _ storer.EncodedObjectStorer = objectStorer{}

// errNotServed says that an object database is only asked for objects by name.
func errNotServed(what string) error {
	return fmt.Errorf("the object database does not %s; let git do it", what)
}

func (s objectStorer) NewEncodedObject() plumbing.EncodedObject { return &plumbing.MemoryObject{} }

func (s objectStorer) SetEncodedObject(plumbing.EncodedObject) (plumbing.Hash, error) {
	return plumbing.ZeroHash, errNotServed("write")
}

// EncodedObject gives an object, whole. One of another type is not found.
func (s objectStorer) EncodedObject(kind plumbing.ObjectType, name plumbing.Hash) (plumbing.EncodedObject, error) {
	found, err := s.db.read(query{name: name, kind: plumbing.AnyObject})
	if err == errNoObject || err == nil && kind != plumbing.AnyObject && found.kind != kind {
		return nil, plumbing.ErrObjectNotFound
	}
	if err != nil {
		return nil, &CorruptObjectError{name.String(), err.Error()}
	}
	o := &plumbing.MemoryObject{}
	o.SetType(found.kind)
	_, err = o.Write(found.data)
	return o, err
}

func (s objectStorer) IterEncodedObjects(plumbing.ObjectType) (storer.EncodedObjectIter, error) {
	return nil, errNotServed("list objects")
}

func (s objectStorer) HasEncodedObject(name plumbing.Hash) error {
	_, err := s.EncodedObjectSize(name)
	return err
}

// EncodedObjectSize gives the size of an object's content, which is not read if
// it is larger than one byte.
func (s objectStorer) EncodedObjectSize(name plumbing.Hash) (int64, error) {
	found, err := s.db.read(query{name: name, kind: plumbing.AnyObject, max: 1})
	var large *TooLargeError
	switch {
	case errors.As(err, &large):
		return large.Size, nil
	case err == errNoObject:
		return 0, plumbing.ErrObjectNotFound
	case err != nil:
		return 0, &CorruptObjectError{name.String(), err.Error()}
	}
	return int64(len(found.data)), nil
}

func (s objectStorer) AddAlternate(string) error { return errNotServed("borrow from others") }
