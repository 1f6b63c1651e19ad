//go:build !(linux || darwin || freebsd)

package main

import "os"

// terminalWidth gives how many columns the terminal behind a file has, or 0
// where it does not tell.
func terminalWidth(*os.File) int { return 0 }

// isTTY reports whether a file is a terminal, as far as its mode tells.
func isTTY(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && f.Name() != os.DevNull
}
