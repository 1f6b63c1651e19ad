// Package reliability shows, on the built program and real repositories, what
// git plan promises of the store: that it works in every shape of repository,
// loses nothing when many write at once, here or through one server, stays small
// when it runs for long, survives being killed, and leaves the
// old state or the new one when a system call fails. It has tests only; nothing
// imports it.
//
// The tests build the program once and run it as `git plan`. GIT_PLAN_TEST_GIT
// may name another git to run them with; GIT_PLAN_TEST_SOAK=1 runs them at full
// length, which takes half an hour instead of three minutes, and -short at the
// least. docs/reliability.md tells which promise each test shows. Where the
// machine lacks what a test needs, the test says so and is skipped.
package reliability
