//go:build !unix

package store

func isNotFolder(error) bool { return false }
