//go:build !(linux || darwin || freebsd)

package main

import "os"

// terminalWidth gives how many columns the terminal behind a file has, or 0
// where it does not tell.
func terminalWidth(*os.File) int { return 0 }
