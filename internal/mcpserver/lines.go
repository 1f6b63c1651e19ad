package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// MaxLine is how many bytes a line of a client may have.
const MaxLine = 8 << 20

// LongLineError occurs where a line of a client is longer than [MaxLine]. What
// it asked for cannot be known, so nobody could be answered: the session ends.
type LongLineError struct{}

func (*LongLineError) Error() string {
	return fmt.Sprintf("a line of the client has more than %d bytes: send less at once", MaxLine)
}

// lockedWriter writes whole lines for several at once.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.w.Write(p)
}

func (w *lockedWriter) Close() error { return nil }

// lines lets through the lines of a client that are messages, and answers the
// others: one line of garbage would end the session otherwise.
type lines struct {
	in   *bufio.Reader
	out  io.Writer
	rest []byte // of the line that is being read
}

func newLines(in io.Reader, out io.Writer) *lines {
	return &lines{in: bufio.NewReaderSize(in, 64<<10), out: out}
}

func (l *lines) Close() error { return nil }

// Read gives what is left of a line, or the beginning of the next.
func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.line()
		if err != nil {
			return 0, err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if l.rest, err = l.take(line); err != nil {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// line reads a line. The last one may lack its end.
func (l *lines) line() ([]byte, error) {
	var line []byte
	for {
		part, err := l.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > MaxLine:
			_ = l.refuse(nil, jsonrpc.CodeInvalidRequest, (&LongLineError{}).Error()) // it ends in any case
			return nil, &LongLineError{}
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		}
		return line, err
	}
}

// take gives the messages of a line, each on a line of its own, and answers what
// is none. Those of a list are taken as if each had come alone: the SDK ends the
// session over a list with two notifications, or with an id that came before.
func (l *lines) take(line []byte) (rest []byte, err error) {
	messages := []json.RawMessage{line}
	switch {
	case !json.Valid(line):
		return nil, l.refuse(nil, jsonrpc.CodeParseError, "the line is no JSON: send one JSON-RPC message on each line")
	case line[0] == '[':
		messages = nil
		if err := json.Unmarshal(line, &messages); err != nil || len(messages) == 0 {
			return nil, l.refuse(nil, jsonrpc.CodeInvalidRequest, "the list is empty: send JSON-RPC messages")
		}
	}
	for _, m := range messages {
		id, why := unfit(m)
		if why == "" {
			rest = append(append(rest, m...), '\n')
		} else if err := l.refuse(id, jsonrpc.CodeInvalidRequest, why); err != nil {
			return nil, err
		}
	}
	return rest, nil
}

// maxID is where whole numbers begin that not every reader of JSON tells from
// their neighbours.
const maxID = 1 << 53

// unfit says why JSON is no message, with the id that somebody waits with for an
// answer to it, or nil.
func unfit(message []byte) (id json.RawMessage, why string) {
	var head struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	_ = json.Unmarshal(message, &head) // what is none has no id
	var number float64
	var text string
	switch {
	case head.ID == nil:
	case json.Unmarshal(head.ID, &text) == nil && head.ID[0] == '"':
		id = head.ID
	case json.Unmarshal(head.ID, &number) == nil && head.ID[0] != 'n':
		id = head.ID
		if number != math.Trunc(number) || math.Abs(number) >= maxID {
			return id, "the id is no whole number, or too large: give a text, or a number below 2^53"
		}
	case head.Method != "":
		return nil, "the id is neither a text nor a number: give one, or none in a notification"
	}
	decoded, err := jsonrpc.DecodeMessage(message)
	answer, isAnswer := decoded.(*jsonrpc.Response)
	if err != nil || isAnswer && answer.Result == nil && answer.Error == nil { // which asks for nothing, and answers nothing
		return id, `this is no JSON-RPC message, or nests too deep: send {"jsonrpc": "2.0", "id": 1, "method": "...", "params": {...}}`
	}
	return id, ""
}

// refuse answers a line that is no message.
func (l *lines) refuse(id json.RawMessage, code int, why string) error {
	answer, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": why},
	})
	if err == nil {
		_, err = l.out.Write(append(answer, '\n'))
	}
	return err
}
