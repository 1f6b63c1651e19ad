package mcpserver

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxWaiting is how many tool calls may wait before nothing more is read.
const maxWaiting = 1000

// ordered is a transport that hands out the calls of tools one after the other,
// in the order in which they came: what an agent asks for in one breath, a plan
// and its first steps, happens in that order. One that only reads waits for those
// before it just so long: a change may have to wait for a model for minutes, and
// meanwhile nothing is in the way of reading. Anything else goes through at once.
// It ends only when all that was asked for is answered.
type ordered struct {
	mcp.Transport
	// reads reports whether a tool changes nothing.
	reads func(tool string) bool
	// patience is how long such a tool waits for others.
	patience time.Duration
}

func (t *ordered) Connect(ctx context.Context) (mcp.Connection, error) {
	below, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	c := &orderedConn{
		Connection: below, reads: t.reads, patience: t.patience, incoming: make(chan received), wake: make(chan struct{}, 1), closed: make(chan struct{}),
		open: map[any]bool{},
	}
	go c.receive()
	return c, nil
}

type received struct {
	msg jsonrpc.Message
	err error
}

// waitingCall is the call of a tool that has not begun.
type waitingCall struct {
	*jsonrpc.Request
	// late is when it waits no longer for calls before it; zero is never.
	late time.Time
}

type orderedConn struct {
	mcp.Connection
	reads    func(tool string) bool
	patience time.Duration
	incoming chan received
	wake     chan struct{} // a request was answered
	closed   chan struct{}
	once     sync.Once

	// What follows belongs to Read alone.
	waiting []waitingCall // in their order
	err     error         // the end of what there is to read

	mu   sync.Mutex
	open map[any]bool // by id: requests to be answered, true for the call of a tool
}

// receive reads until there is nothing more, or nobody to take it.
func (c *orderedConn) receive() {
	for {
		msg, err := c.Connection.Read(context.Background())
		select {
		case c.incoming <- received{msg, err}:
		case <-c.closed:
			return
		}
		if err != nil {
			return
		}
	}
}

// Read gives the next message that may be worked on now.
func (c *orderedConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		calls, others := c.underWay()
		next, soon := c.next(calls)
		switch {
		case next != nil:
			return c.begin(next, true), nil
		case c.err != nil && calls+others == 0:
			return nil, c.err
		}
		incoming := c.incoming
		if c.err != nil || len(c.waiting) >= maxWaiting {
			incoming = nil
		}
		select {
		case in := <-incoming:
			if in.err != nil {
				c.err = in.err
			} else if msg := c.sort(ctx, in.msg); msg != nil {
				return msg, nil
			}
		case <-c.wake:
		case <-soon:
		case <-c.closed:
			return nil, mcp.ErrConnectionClosed
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// next takes the call that may begin now, while so many are under way: the first
// one where there are none; beside a single one that takes long, one that only
// reads. Or it gives what tells when to look again, if that is known.
func (c *orderedConn) next(calls int) (call *jsonrpc.Request, soon <-chan time.Time) {
	at := 0
	if calls > 0 {
		at = slices.IndexFunc(c.waiting, func(w waitingCall) bool { return !w.late.IsZero() })
	}
	if at < 0 || at >= len(c.waiting) || calls > 1 {
		return nil, nil
	}
	if left := time.Until(c.waiting[at].late); calls > 0 && left > 0 {
		return nil, time.After(left)
	}
	call = c.waiting[at].Request
	c.waiting = slices.Delete(c.waiting, at, at+1)
	return call, nil
}

// queue puts the call of a tool off.
func (c *orderedConn) queue(req *jsonrpc.Request) {
	w := waitingCall{Request: req}
	var params struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(req.Params, &params) == nil && c.reads(params.Name) {
		w.late = time.Now().Add(c.patience)
	}
	c.waiting = append(c.waiting, w)
}

// sort gives a message that may be worked on at once, and puts off others.
func (c *orderedConn) sort(ctx context.Context, msg jsonrpc.Message) jsonrpc.Message {
	req, ok := msg.(*jsonrpc.Request)
	switch {
	case !ok:
		return msg
	case req.IsCall() && c.inUse(req.ID):
		_ = c.Connection.Write(ctx, &jsonrpc.Response{ID: req.ID, Error: &jsonrpc.Error{
			Code: jsonrpc.CodeInvalidRequest, Message: "a request with this id is not answered yet: give each an id of its own",
		}}) // a client that is gone ends the session elsewhere
		return nil
	case req.IsCall() && req.Method == "tools/call":
		c.queue(req)
		return nil
	case req.IsCall() && req.Method != "subscriptions/listen": // which is answered when all is over
		return c.begin(req, false)
	case req.Method == "notifications/cancelled":
		c.forget(req.Params)
	}
	return msg
}

// inUse reports whether a request with that id is not answered yet.
func (c *orderedConn) inUse(id jsonrpc.ID) bool {
	c.mu.Lock()
	_, open := c.open[id.Raw()]
	c.mu.Unlock()
	return open || slices.ContainsFunc(c.waiting, func(w waitingCall) bool { return w.ID == id })
}

// forget drops a call that nobody waits for any more.
func (c *orderedConn) forget(params json.RawMessage) {
	var cancelled struct {
		ID any `json:"requestId"`
	}
	if json.Unmarshal(params, &cancelled) != nil {
		return
	}
	id, err := jsonrpc.MakeID(cancelled.ID)
	if err != nil {
		return
	}
	c.waiting = slices.DeleteFunc(c.waiting, func(w waitingCall) bool { return w.ID == id })
}

// begin notes that a request is to be answered.
func (c *orderedConn) begin(req *jsonrpc.Request, tool bool) *jsonrpc.Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[req.ID.Raw()] = tool
	return req
}

// underWay counts the requests that are to be answered.
func (c *orderedConn) underWay() (calls, others int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, tool := range c.open {
		if tool {
			calls++
		} else {
			others++
		}
	}
	return calls, others
}

// Write sends a message. With an answer the next call may begin.
func (c *orderedConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	err := c.Connection.Write(ctx, msg)
	if answer, ok := msg.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.open, answer.ID.Raw())
		c.mu.Unlock()
		select {
		case c.wake <- struct{}{}:
		default: // who is to be woken is awake
		}
	}
	return err
}

func (c *orderedConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Connection.Close()
}
