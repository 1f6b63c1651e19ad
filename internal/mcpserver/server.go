package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-plan/git-plan/internal/session"
)

// Planner carries out the planning tools for one session, as [session.Session]
// does for a plan that ends with it.
type Planner interface {
	// Call runs a tool on its arguments, a JSON object. After an error nothing
	// was changed. Calls do not overlap, but for those of a tool that only reads.
	Call(ctx context.Context, tool string, arguments []byte) (session.Result, error)
}

// Options are what a server offers.
type Options struct {
	Version string
	// Planner carries out the planning tools; without one they are not offered.
	Planner Planner
	// Kept says that their plan outlasts the session.
	Kept bool
	// Loop says whether the tools of the loop are offered.
	Loop bool
	// Strategy is that of the planning tools' instructions.
	Strategy session.Strategy
	// Run runs a command line of the program, without the program's name.
	Run func(ctx context.Context, args []string, stdin []byte) Answer
	// Document gives an error as the document that a command prints with --json.
	Document func(error) []byte
	// Plans tells what there is in the store now.
	Plans func(ctx context.Context) (State, error)
	// Stamp changes when [Options.Plans] may say something else. It is asked
	// often, and must cost next to nothing.
	Stamp func() string
	// Patience is how long a tool that only reads waits for calls before it; 0 is
	// five seconds.
	Patience time.Duration
	// Log is where faults of the server are told.
	Log io.Writer
}

// Answer is what a command line came to.
type Answer struct {
	Stdout, Stderr []byte
	// Status is the exit status.
	Status int
}

// Serve speaks with a client until it leaves, which is no error, or until ctx is
// over, which is that of ctx. A command that runs then is interrupted.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opts Options) error {
	var watch sync.WaitGroup
	defer watch.Wait()
	ctx, end := context.WithCancel(ctx)
	defer end()
	s := &server{Options: opts, over: ctx}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "git-plan", Title: "git plan", Version: opts.Version}, &mcp.ServerOptions{
		Instructions: opts.instructions(),
		Capabilities: &mcp.ServerCapabilities{
			Tools: &mcp.ToolCapabilities{}, Prompts: &mcp.PromptCapabilities{},
			Resources: &mcp.ResourceCapabilities{Subscribe: true, ListChanged: true},
		},
		SubscribeHandler:   func(ctx context.Context, _ *mcp.SubscribeRequest) error { s.subscribe(ctx); return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	s.mcp.AddReceivingMiddleware(s.guard)
	s.addTools()
	s.addPrompts()
	s.addResources()
	locked := &lockedWriter{w: out}
	watch.Go(func() { s.watch(ctx) })
	return s.mcp.Run(ctx, &ordered{
		Transport: &mcp.IOTransport{Reader: newLines(in, locked), Writer: locked, MaxLineLength: -1},
		reads:     s.reads, patience: cmp.Or(opts.Patience, 5*time.Second),
	})
}

// server is one session.
type server struct {
	Options
	over context.Context
	mcp  *mcp.Server

	readers []string // the tools that only read

	resources resources
}

// reads reports whether a tool that is offered changes nothing.
func (s *server) reads(tool string) bool { return slices.Contains(s.readers, tool) }

// guard is around every request: it ends a command with the session, keeps the
// list of resources true, and turns a panic into an answer.
func (s *server) guard(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
		defer func() {
			if fault := recover(); fault != nil {
				fmt.Fprintf(s.Log, "git plan mcp: %s: %v\n%s", method, fault, debug.Stack())
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("a fault of git plan: %v", fault)}
			}
		}()
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		defer context.AfterFunc(s.over, func() { cancel(context.Cause(s.over)) })()
		if method == "resources/list" {
			s.list(ctx)
		}
		result, err = next(ctx, method, req)
		return result, sendable(err, req)
	}
}

// sendable makes an error one that can be written: the SDK quotes the address of
// a resource that is not found as Go does, and ends the session where that makes
// no JSON.
func sendable(err error, req mcp.Request) error {
	var answer *jsonrpc.Error
	if !errors.As(err, &answer) || answer.Data == nil || json.Valid(answer.Data) {
		return err
	}
	told := &jsonrpc.Error{Code: answer.Code, Message: answer.Message}
	if read, ok := req.(*mcp.ReadResourceRequest); ok {
		told.Data, _ = json.Marshal(map[string]string{"uri": read.Params.URI}) // it has nothing but texts
	}
	return told
}

// Ended reports whether an error of [Serve] says no more than that the client
// left or that the server was told to stop.
func Ended(err error) bool {
	return err == nil || errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, context.Canceled)
}
