// Package mcpserver offers plans to the agents of one client by the Model
// Context Protocol, over two streams.
//
// [Serve] speaks with the client until it leaves. What there is to offer comes
// in as [Options]: who carries out the planning tools, what runs a command line
// of the program, and what tells of the plans in the store. The tools of the
// loop are such command lines: they answer with the very document that the
// command prints with --json, and arguments of a client can become the values of
// flags, and never flags.
//
// Nothing but messages is written to the client's stream. Tools run one after
// the other, in the order in which they were called; those that only read wait for
// others no longer than [Options] say.
package mcpserver
