//go:build !unix

package planrepo

func isNotFolder(error) bool { return false }
