//go:build !linux

package gitstore

import "errors"

// listProcesses knows no way to ask this system who has a file open.
func listProcesses() ([]process, error) {
	return nil, errors.New("this system does not tell who has a file open")
}

func sharedFileSystem(string) string { return "" }

func ownerOf(string) (id int, known bool) { return 0, false }

func keepsOwners(string) bool { return false }
