//go:build !linux

package main

import "github.com/rogpeppe/go-internal/testscript"

func haveTTY() bool { return false }

func cmdAsked(ts *testscript.TestScript, neg bool, args []string) { cmdTTY(ts, neg, args) }

func cmdTTY(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Fatalf("there are no terminals for tests here")
}
