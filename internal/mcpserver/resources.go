package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// lookEvery is how long the server waits before it looks whether the store
// moved. A look is a few questions to the file system.
const lookEvery = 500 * time.Millisecond

const (
	scheme = "plan://"
	// plain is the form of plans: the text that people read. As markdown, names
	// would come with every sign escaped.
	plain = "text/plain"
	// current is the resource of the plan that is worked on, unless a plan is
	// called so.
	current = "current"
)

// State is what there is in the store.
type State struct {
	Plans []Plan
	// Current is the id of the plan that commands mean where none is named, or
	// empty.
	Current string
}

// Plan is a plan of the store that is not archived.
type Plan struct {
	ID, Title string
	// Content is equal for plans that are equal.
	Content string
}

// resources are the plans as a client knows them.
type resources struct {
	mu    sync.Mutex      // guards what follows, and orders what the client is told
	asked bool            // the client has asked about plans
	known map[string]Plan // by address
	stamp string
}

// addResources offers the plans. The list itself is made when somebody asks.
func (s *server) addResources() {
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: scheme + "{+plan}", Name: "plan", MIMEType: plain,
		Description: "A plan with its tasks, by id; auth@v2 is its version 2.",
	}, s.readPlan)
}

// list brings the list up to date for a client that asks for it.
func (s *server) list(ctx context.Context) {
	s.resources.mu.Lock()
	defer s.resources.mu.Unlock()
	s.refresh(ctx, s.Stamp())
}

// subscribe brings the list up to date if it may have changed: clients subscribe
// to one plan after the other.
func (s *server) subscribe(ctx context.Context) {
	s.resources.mu.Lock()
	defer s.resources.mu.Unlock()
	if stamp := s.Stamp(); !s.resources.asked || stamp != s.resources.stamp {
		s.refresh(ctx, stamp)
	}
}

// watch brings the list up to date when the store moves, once a client has asked
// about plans.
func (s *server) watch(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(lookEvery):
		}
		s.resources.mu.Lock()
		asked := s.resources.asked
		s.resources.mu.Unlock()
		if asked {
			s.subscribe(ctx)
		}
	}
}

// refresh reads the store, whose stamp is given, makes the list, and tells
// subscribers of plans that changed. The caller holds the lock.
func (s *server) refresh(ctx context.Context, stamp string) {
	s.resources.asked = true
	state, err := s.Plans(ctx)
	if err != nil {
		return // such as no repository: then there are no plans
	}
	s.resources.stamp = stamp
	now := state.known()
	for uri, k := range now {
		was, ok := s.resources.known[uri]
		if !ok || was.Title != k.Title || was.ID != k.ID {
			s.mcp.AddResource(&mcp.Resource{URI: uri, Name: nameOf(uri), Title: k.Title, MIMEType: plain}, s.readPlan)
		}
		if ok && was != k {
			s.updated(ctx, uri)
		}
	}
	for uri := range s.resources.known {
		if _, ok := now[uri]; !ok {
			s.mcp.RemoveResources(uri)
			s.updated(ctx, uri)
		}
	}
	s.resources.known = now
}

func (s *server) updated(ctx context.Context, uri string) {
	_ = s.mcp.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}) // a client that is gone ends the session elsewhere
}

// known gives the resources of a state.
func (st State) known() map[string]Plan {
	out := map[string]Plan{}
	for _, p := range st.Plans {
		if p.ID == st.Current {
			out[scheme+current] = Plan{p.ID, "The current plan: " + p.Title, p.Content}
		}
	}
	for _, p := range st.Plans {
		out[scheme+p.ID] = p
	}
	return out
}

func nameOf(uri string) string { return strings.TrimPrefix(uri, scheme) }

// readPlan gives a plan as text.
func (s *server) readPlan(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	args := []string{"show", "--format=text", "--"}
	name, err := url.PathUnescape(nameOf(uri))
	switch {
	case err != nil || !isPlanName(name):
		return nil, mcp.ResourceNotFoundError(uri)
	case name == current && !s.isPlan(ctx, current):
		args = args[:2]
	default:
		args = append(args, name)
	}
	answer := s.Run(ctx, args, nil)
	if answer.Status != 0 {
		return nil, s.unread(ctx, uri, args, answer)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: plain, Text: string(answer.Stdout)}}}, nil
}

// unread is the error of a plan that could not be shown, with its type.
func (s *server) unread(ctx context.Context, uri string, args []string, answer Answer) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var doc struct {
		Type    string `json:"error_type"`
		Message string `json:"message"`
	}
	asJSON := append([]string{"show", "--json"}, args[2:]...)
	if again := s.Run(ctx, asJSON, nil); json.Unmarshal(again.Stdout, &doc) == nil && doc.Type == "not_found" {
		return mcp.ResourceNotFoundError(uri)
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: string(bytes.TrimSpace(answer.Stderr))}
}

// isPlan reports whether the store has a plan of that id.
func (s *server) isPlan(ctx context.Context, id string) bool {
	state, err := s.Plans(ctx)
	return err == nil && slices.ContainsFunc(state.Plans, func(p Plan) bool { return p.ID == id })
}

// isPlanName reports whether a text can name a plan, as it is or as it was, and
// nothing else that a command would read: no file, no revision, no flag.
func isPlanName(s string) bool {
	id, at, dated := strings.Cut(s, "@")
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	return id != "" && id[0] != '-' && strings.Trim(id, letters+"-") == "" &&
		(!dated || at != "" && strings.Trim(at, "v{}0123456789") == "")
}
